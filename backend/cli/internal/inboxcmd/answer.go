package inboxcmd

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/hubclient"
	"agentflow/backend/base/i18n"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/cli/internal/term"
	"agentflow/backend/work/inbox"
)

func (p program) allowCommand() *cobra.Command {
	var until, starts string
	caller, yes := false, false
	cmd := &cobra.Command{
		Use: "allow ID", Short: "Show a request whole, and allow it", Args: shell.Args(cobra.ExactArgs(1)),
		Example: "  agentflow inbox allow 01JD8Z3M6T\n  agentflow inbox allow 01JD8Z3M6T --until today --yes",
		RunE: p.Run(func(cmd *cobra.Command, given []string) error {
			r := reply{Choice: inbox.Once}
			if until != "" {
				r = reply{Choice: inbox.Always, Standing: &inbox.Standing{
					Until: inbox.Until(until), Starts: starts, Caller: caller,
				}}
			} else if starts != "" || caller {
				return shell.Usage(cmd, "--starts and --caller need --until")
			}
			return p.hub.Ask(func(c *hubclient.Client) error {
				return p.allow(cmd.Context(), c, given[0], r, yes)
			})
		}),
	}
	f := cmd.Flags()
	f.StringVar(&until, "until", "",
		"allow it from now on, until the end of the task, the end of today, or until you revoke it: "+
			"task, today or revoked")
	f.StringVar(&starts, "starts", "", "with --until: allow every command that starts with these words")
	f.BoolVar(&caller, "caller", false,
		"with --until: required for a task of an API token; only tasks of this token can use it")
	f.BoolVar(&yes, "yes", false, "skip confirmation prompts")
	return cmd
}

func (p program) allow(ctx context.Context, c *hubclient.Client, id string, r reply, yes bool) error {
	e, err := find(ctx, c, id)
	if err != nil {
		return err
	}
	if isQuestion(&e) {
		return errcode.New(errcode.Validation, "%s is a question. Answer it with agentflow inbox answer.", id)
	}
	if e.Gateway != nil {
		if e.Gateway.Unclear {
			return errcode.New(errcode.Validation,
				"the request can't be shown whole, so it can only be denied. Deny it, or answer it at the gateway.")
		}
		if s := r.Standing; s != nil && (s.Until != inbox.UntilRevoked || s.Starts != "" || s.Caller) {
			return errcode.New(errcode.Validation,
				"the gateway keeps its permissions until they are revoked there. Use --until revoked alone.").
				With(errcode.KeyField, "until")
		}
		r.Standing = nil
	}
	p.tell(&e)
	if e.State == inbox.Waiting && !yes {
		if !p.Screen.CanAsk() {
			return errcode.New(errcode.Validation,
				"no terminal for confirmation. Use --yes to allow it. Nothing was allowed.").
				With(errcode.KeyField, "yes")
		}
		if ok, err := p.Screen.Ask(ctx, sure(&e, r)); err != nil || !ok {
			return err
		}
	}
	return p.send(ctx, c, e.ID, r)
}

// sure is the question before something is allowed. It names what a standing permission covers.
func sure(e *inbox.Entry, r reply) i18n.Text {
	switch s := r.Standing; {
	case r.Choice == inbox.Once:
		return i18n.T("Allow this once?")
	case s == nil:
		return i18n.T("Allow this from now on? The gateway keeps this permission.")
	case s.Starts != "":
		return i18n.T("Allow every command that starts with `%s` from now on?", term.Inline(s.Starts))
	case e.Offer != nil && e.Offer.Exact:
		return i18n.T("Allow exactly this from now on?")
	}
	return i18n.T("Allow the tool %s with any arguments from now on?", term.Inline(e.Tool))
}

func (p program) denyCommand() *cobra.Command {
	word := ""
	cmd := &cobra.Command{
		Use: "deny ID", Short: "Deny a request, or skip a question", Args: shell.Args(cobra.ExactArgs(1)),
		Example: "  agentflow inbox deny 01JD8Z3M6T --word \"Use the staging host.\"",
		RunE: p.Run(func(cmd *cobra.Command, given []string) error {
			return p.hub.Ask(func(c *hubclient.Client) error {
				return p.send(cmd.Context(), c, inbox.ID(given[0]), reply{Choice: inbox.Deny, Word: word})
			})
		}),
	}
	cmd.Flags().StringVar(&word, "word", "", "reply that the agent reads")
	return cmd
}

func (p program) answerCommand() *cobra.Command {
	var fields []string
	cmd := &cobra.Command{
		Use: "answer ID [TEXT]", Short: "Answer a question", Args: shell.Args(cobra.RangeArgs(1, 2)),
		Example: "  agentflow inbox answer 01JD8Z3M6T \"Use port 8080.\"\n" +
			"  agentflow inbox answer 01JD8Z3M6T --field color=blue --field size=small",
		RunE: p.Run(func(cmd *cobra.Command, given []string) error {
			r, err := answers(given[1:], fields)
			if err != nil {
				return err
			}
			return p.hub.Ask(func(c *hubclient.Client) error {
				e, err := find(cmd.Context(), c, given[0])
				if err != nil {
					return err
				}
				if !isQuestion(&e) {
					return errcode.New(errcode.Validation,
						"%s isn't a question. Use agentflow inbox allow or agentflow inbox deny.", given[0])
				}
				if e.Gateway == nil && len(fields) > 0 {
					return errcode.New(errcode.Validation, "%s has no fields. Give the answer as text.", given[0])
				}
				return p.send(cmd.Context(), c, e.ID, r)
			})
		}),
	}
	cmd.Flags().StringArrayVar(&fields, "field", nil,
		"answer one field of a gateway's question, as ID=TEXT; repeatable, also for several answers to one field")
	return cmd
}

// answers are those of the command line: one text, or one or more for each field.
func answers(text, fields []string) (reply, error) {
	out := reply{Choice: inbox.Once, Answers: map[string][]string{}}
	if (len(text) > 0) == (len(fields) > 0) {
		return out, errcode.New(errcode.Validation, "give the answer either as text or with --field")
	}
	if len(text) > 0 && strings.TrimSpace(text[0]) == "" {
		return out, errcode.New(errcode.Validation, "the answer is empty")
	}
	if len(text) > 0 {
		out.Word = text[0]
	}
	for _, f := range fields {
		id, value, ok := strings.Cut(f, "=")
		if !ok || id == "" || slices.Contains(out.Answers[id], value) {
			return out, errcode.New(errcode.Validation, "--field %s: give the ID and the answer, as ID=TEXT", f).
				With(errcode.KeyField, "field")
		}
		out.Answers[id] = append(out.Answers[id], value)
	}
	return out, nil
}
