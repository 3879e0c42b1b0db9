package gatewaycmd

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"agentflow/backend/base/errcode"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/cli/internal/term"
	"agentflow/backend/gateway/client"
)

func (p program) sessionsCommand(f *gatewayFlags) *cobra.Command {
	var q client.SessionsQuery
	cmd := &cobra.Command{
		Use: "sessions", Short: "List the gateway's sessions", Args: shell.Args(cobra.NoArgs),
		Example: "  agentflow gateway sessions\n  agentflow gateway sessions --kind main --last --json",
		RunE: p.Run(func(cmd *cobra.Command, _ []string) error {
			q.MessageLimit = 1
			return p.connect(cmd.Context(), f, func(ctx context.Context, c connection) error {
				sessions, err := c.Client().SessionsList(ctx, q)
				if err != nil {
					return err
				}
				for _, s := range sessions {
					p.session(s)
				}
				return p.Screen.Object(map[string]any{"gateway": c.url, "sessions": shell.OrNone(sessions)})
			})
		}),
	}
	cmd.Flags().StringSliceVar(&q.Kinds, "kind", nil, "only sessions of this kind")
	cmd.Flags().BoolVar(&q.IncludeLastMessage, "last", false, "show the last message of each")
	return cmd
}

func (p program) session(s client.Session) {
	at := ""
	if !s.ActiveAt.IsZero() {
		at = s.ActiveAt.Local().Format(time.DateTime)
	}
	columns := []string{s.SessionKey, s.AgentID, s.Kind, at}
	if n := len(s.LastMessages); n > 0 {
		columns = append(columns, s.LastMessages[n-1].Text())
	}
	for i := range columns {
		columns[i] = term.OneLine(columns[i], 200)
	}
	p.Screen.Print("%s\n", strings.Join(columns, "\t"))
}

func (p program) historyCommand(f *gatewayFlags) *cobra.Command {
	limit := 50
	cmd := &cobra.Command{
		Use:     "history SESSION_KEY",
		Short:   "Show the last messages of a session, oldest first",
		Args:    shell.Args(cobra.ExactArgs(1)),
		Example: "  agentflow gateway history agent:main:main --limit 20",
		RunE: p.Run(func(cmd *cobra.Command, given []string) error {
			if limit < 1 {
				return shell.Usage(cmd, "--limit must be at least 1")
			}
			return p.connect(cmd.Context(), f, func(ctx context.Context, c connection) error {
				messages, err := c.Client().ChatHistory(ctx, given[0], limit)
				if err != nil {
					return err
				}
				for _, m := range messages {
					p.Screen.Print("%s: %s\n", p.Screen.Paint(term.Bold, term.OneLine(m.Role, 40)),
						term.Clean(m.Text()))
				}
				return p.Screen.Object(map[string]any{"sessionKey": given[0], "messages": shell.OrNone(messages)})
			})
		}),
	}
	cmd.Flags().IntVar(&limit, "limit", limit, "max messages")
	return cmd
}

func (p program) watchCommand(f *gatewayFlags) *cobra.Command {
	return &cobra.Command{
		Use:     "watch",
		Short:   "Follow the gateway's events as JSON Lines",
		Args:    shell.Args(cobra.NoArgs),
		Long:    "Print the gateway's events as JSON Lines until interrupted:\n{\"type\":\"event\",\"name\",\"seq\",\"payload\"}, {\"type\":\"status\",\"state\"}, and\n{\"type\":\"resync\",\"reason\"} when events could have been lost.",
		Example: "  agentflow gateway watch | jq .",
		RunE: p.Run(func(cmd *cobra.Command, _ []string) error {
			return p.connect(cmd.Context(), f, p.watch)
		}),
	}
}

const watchBuffer = 4096

func (p program) watch(ctx context.Context, c connection) error {
	events := c.Client().Events(watchBuffer)
	defer func() { events.Close() }()
	states := c.Client().StatusEvents(64)
	defer states.Close()
	last := client.State("")
	for {
		if s := c.Client().Status(); s.State != last {
			last = s.State
			if err := p.watchState(s); err != nil {
				return err
			}
		}
		if err := p.Screen.Failed(); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-states.C():
		case e, open := <-events.C():
			if open {
				if err := p.event(e); err != nil {
					return err
				}
				continue
			}
			events = c.Client().Events(watchBuffer)
			if err := p.event(client.Event{Resync: true, Reason: "lagged"}); err != nil {
				return err
			}
		}
	}
}

func (p program) watchState(s client.Status) error {
	entry := map[string]any{"type": "status", "state": s.State, "dialect": s.Dialect}
	if s.Error != nil {
		entry["error"] = s.Error
	}
	if err := p.Screen.Line(entry); err != nil {
		return err
	}
	switch s.State {
	case client.StateUnauthorized, client.StatePairing, client.StateNoScope:
		return s.Error
	}
	return nil
}

func (p program) event(e client.Event) error {
	if e.Resync {
		return p.Screen.Line(map[string]any{"type": "resync", "reason": e.Reason})
	}
	return p.Screen.Line(map[string]any{"type": "event", "name": e.Name, "seq": e.Seq, "payload": e.Payload})
}

// errNoReply is a reply that did not come in time.
func errNoReply(session string, after time.Duration) error {
	return errcode.New(errcode.Timeout,
		"no reply in %s within %s. It can still arrive. Check with gateway history.", session, after).
		With(errcode.KeyReason, term.ReasonNoReply)
}
