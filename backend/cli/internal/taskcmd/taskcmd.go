// Package taskcmd holds the commands of agentflow task.
package taskcmd

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/oklog/ulid/v2"
	"github.com/spf13/cobra"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/hubclient"
	"agentflow/backend/base/i18n"
	"agentflow/backend/cli/internal/hubflags"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/cli/internal/term"
	"agentflow/backend/work/coordinator"
	"agentflow/backend/work/task"
)

type program struct {
	*shell.Shell
	hub *hubflags.Flags
}

// Command returns the command group.
func Command(s *shell.Shell) *cobra.Command {
	p := program{s, new(hubflags.Flags)}
	cmd := p.Group("task", "Submit and follow tasks",
		"  agentflow task submit --wait \"Summarise the README\"\n  agentflow task list",
		p.submitCommand(), p.statusCommand(), p.watchCommand(), p.listCommand(), p.cancelCommand(), p.retryCommand())
	p.hub.AddTo(s, cmd)
	return cmd
}

// submitted is the hub's answer to a submission.
type submitted struct {
	TaskID  task.ID `json:"taskId"`
	Status  string  `json:"status"`
	Message string  `json:"message"`

	Cause *errcode.Cause `json:"cause,omitempty"`
}

// exit is the exit code of a rejection: the agent doesn't exist, or the connections don't allow it.
func (s submitted) exit() term.ExitError {
	if s.Cause != nil && s.Cause.Code == task.CauseUnknown {
		return term.ExitError(term.NotFound)
	}
	return term.ExitError(term.Unauthorized)
}

type submission struct {
	typ, session, context, key, agent string
	wait                              bool
	budget                            task.Budget
}

func (p program) submitCommand() *cobra.Command {
	var in submission
	cmd := &cobra.Command{
		Use: "submit TEXT|-", Short: "Submit a task", Args: shell.Args(cobra.ExactArgs(1)),
		Long: "Submit a task. With --wait, only the answer is written to standard output, on a terminal as it\n" +
			"arrives. Failed attempts are listed on standard error. The exit code is 0 if the task completed\n" +
			"and 1 if it failed or was canceled. It is 3 if the team's connections don't allow the task, and\n" +
			"4 if the team has no such agent.",
		Example: "  agentflow task submit --wait \"Write a haiku about queues\"\n  agentflow task submit --type file_operation --context context.json - < prompt.txt",
		RunE: p.Run(func(cmd *cobra.Command, given []string) error {
			c, err := p.hub.Open()
			if err != nil {
				return err
			}
			defer c.Close()
			body, err := p.body(in, given[0])
			if err != nil {
				return err
			}
			header := http.Header{}
			if in.key != "" {
				header.Set("Idempotency-Key", in.key)
			}
			var got submitted
			if err := c.CallWith(cmd.Context(), header, http.MethodPost, "/submit_task", body, &got); err != nil {
				return err
			}
			return p.after(cmd.Context(), c, got, in.wait)
		}),
	}
	flags := cmd.Flags()
	flags.StringVar(&in.typ, "type", string(task.Chat),
		"task type: "+strings.Join(task.TypeList(), ", "))
	flags.StringVar(&in.session, "session", "", "session of the task (default: a new one)")
	flags.StringVar(&in.context, "context", "", "JSON file with the task's context; can set agent, priority, timeoutSec and budget")
	flags.StringVar(&in.agent, "agent", "", "agent to assign (default: any available)")
	flags.IntVar(&in.budget.Tokens, "budget-tokens", 0, "max tokens, input and output")
	flags.Float64Var(&in.budget.USD, "budget-usd", 0, "max cost in US dollars")
	flags.IntVar(&in.budget.Seconds, "budget-seconds", 0, "max seconds")
	flags.StringVar(&in.key, "idempotency-key", "", "a repeated request with the same key returns the first task")
	flags.BoolVar(&in.wait, "wait", false, "wait for the task to end and print its answer")
	return cmd
}

func (p program) body(in submission, text string) (map[string]any, error) {
	if text == shell.Stdin {
		data, err := p.ReadBytes(shell.Stdin)
		if err != nil {
			return nil, err
		}
		text = strings.TrimRight(string(data), "\n")
	}
	if strings.TrimSpace(text) == "" {
		return nil, errcode.New(errcode.Validation, "the task's text is empty. Pass it as an argument, or - to read standard input.").With(errcode.KeyField, "userPrompt")
	}
	body := map[string]any{"sessionId": cmp.Or(in.session, "cli-"+strings.ToLower(ulid.Make().String())), "userPrompt": text, "taskType": in.typ}
	fields, err := p.extra(in)
	if len(fields) > 0 {
		body["context"] = fields
	}
	return body, err
}

// extra is the context of a submission: the file's, with what flags say.
func (p program) extra(in submission) (map[string]any, error) {
	fields := map[string]any{}
	if in.context != "" {
		data, err := p.ReadBytes(in.context)
		if err != nil {
			return nil, err
		}
		var given map[string]json.RawMessage
		if err := json.Unmarshal(data, &given); err != nil || given == nil {
			return nil, errcode.New(errcode.Validation,
				"the context must be one JSON object").With(errcode.KeyFile, shell.Name(in.context))
		}
		for name, value := range given {
			fields[name] = value
		}
	}
	if in.agent != "" {
		fields["agent"] = in.agent
	}
	if in.budget != (task.Budget{}) {
		fields["budget"] = in.budget
	}
	return fields, nil
}

// after tells what became of a submission, and follows the task if that is asked for.
func (p program) after(ctx context.Context, c *hubclient.Client, got submitted, wait bool) error {
	if got.Status != "accepted" {
		if err := p.Screen.Object(got); err != nil {
			return err
		}
		if !p.Screen.JSON {
			p.Screen.Note("agentflow: the task was rejected: %s", term.OneLine(p.Screen.Words(got.Message), 1000))
		}
		return got.exit()
	}
	if wait {
		p.Screen.Progress("task %s", got.TaskID)
		return p.follow(ctx, c, got.TaskID, 0, !p.Screen.Streams())
	}
	p.Screen.Print("%s\n", got.TaskID)
	return p.Screen.Object(got)
}

func taskPath(id string, rest string) string { return "/tasks/" + url.PathEscape(id) + rest }

func (p program) statusCommand() *cobra.Command {
	return p.one("status", "Show the status of a task", "  agentflow task status 01M7ZBQQ5KCZYP4ZJ106YXWW2B", func(ctx context.Context, c *hubclient.Client, id string) error {
		got, err := detail(ctx, c, task.ID(id))
		if err != nil {
			return err
		}
		p.show(got)
		return p.Screen.Object(got)
	})
}

// detail reads a task, and why nobody works on it.
func detail(ctx context.Context, c *hubclient.Client, id task.ID) (coordinator.Detail, error) {
	var got coordinator.Detail
	err := c.Call(ctx, http.MethodGet, taskPath(string(id), ""), nil, &got)
	return got, err
}

// one is a command about one task.
func (p program) one(use, short, example string, do func(context.Context, *hubclient.Client, string) error) *cobra.Command {
	return &cobra.Command{
		Use: use + " TASK", Short: short, Example: example, Args: shell.Args(cobra.ExactArgs(1)),
		RunE: p.Run(func(cmd *cobra.Command, given []string) error {
			return p.hub.Ask(func(c *hubclient.Client) error { return do(cmd.Context(), c, given[0]) })
		}),
	}
}

func (p program) show(t coordinator.Detail) {
	p.Screen.Print("%s  %s  %s  %.0f %%\n", t.ID, t.Type, standing(t), t.Progress)
	if line := p.waitsLine(t.Waits); line != "" {
		p.Screen.Print("  %s\n", line)
	}
	if limit := t.Budget.Show(t.Spent); limit != "" {
		p.Screen.Print("  budget: %s\n", limit)
	}
	if t.Trace != nil {
		p.Screen.Print("  delegated by %s, for %s\n", term.OneLine(task.ShowChain(t.Trace.Chain), 500), t.Trace.Parent)
	}
	for _, id := range t.Given {
		p.Screen.Print("  delegated %s\n", id)
	}
	for i, a := range t.Attempts {
		state := p.Screen.Say("running")
		switch {
		case a.Error != "":
			state = term.OneLine(p.Screen.Why(a.Error, a.Cause), 500)
		case !a.EndedAt.IsZero():
			state = p.Screen.Say("done")
		}
		if a.Review {
			p.Screen.Print("  attempt %d, review by %s: %s\n", i+1, a.Agent, state)
			continue
		}
		p.Screen.Print("  attempt %d, %s: %s\n", i+1, a.Agent, state)
	}
	p.showReview(t.Review)
	if t.ErrorMessage != "" {
		p.Screen.Print("%s\n", term.Clean(p.Screen.Why(t.ErrorMessage, t.Cause)))
	}
	if len(t.Result) > 0 {
		p.Screen.Print("%s\n", term.Clean(answerOf(t.Result)))
	}
}

// showReview prints what was said against earlier results.
func (p program) showReview(r *task.Review) {
	if r == nil {
		return
	}
	for _, no := range r.Refusals {
		p.Screen.Print("  %s rejected it: %s\n", no.Reviewer, term.OneLine(no.Remarks, 1000))
	}
}

// answerOf is a result's text, or the whole result where it has none.
func answerOf(result json.RawMessage) string {
	var fields struct{ Text *string }
	if json.Unmarshal(result, &fields) == nil && fields.Text != nil {
		return *fields.Text
	}
	return string(result)
}

func (p program) listCommand() *cobra.Command {
	var status string
	limit := 50
	cmd := &cobra.Command{
		Use: "list", Short: "List tasks, newest first", Args: shell.Args(cobra.NoArgs),
		Example: "  agentflow task list --status failed",
		RunE: p.Run(func(cmd *cobra.Command, _ []string) error {
			if err := knownStatus(status); err != nil {
				return err
			}
			c, err := p.hub.Open()
			if err != nil {
				return err
			}
			defer c.Close()
			query := url.Values{"limit": {strconv.Itoa(limit)}}
			if status != "" {
				query.Set("status", status)
			}
			var got struct {
				Tasks []coordinator.Detail `json:"tasks"`
			}
			if err := c.Call(cmd.Context(), http.MethodGet, "/tasks?"+query.Encode(), nil, &got); err != nil {
				return err
			}
			for _, t := range got.Tasks {
				p.Screen.Print("%s  %s  %3.0f %%  %-12s  %s\n", t.ID, term.Pad(p.Screen.Say("%s", standing(t)), statusCells),
					t.Progress, agentOf(&t.Task), p.lineOf(t))
			}
			if len(got.Tasks) == 0 {
				p.Screen.Print("no tasks\n")
			}
			return p.Screen.Object(got)
		}),
	}
	cmd.Flags().StringVar(&status, "status", "", "status: pending, in_progress, completed, failed or canceled")
	cmd.Flags().IntVar(&limit, "limit", limit, "max tasks, 1 to 500")
	return cmd
}

// knownStatus rejects a value of --status that is no status.
func knownStatus(given string) error {
	switch task.Status(given) {
	case "", task.Pending, task.InProgress, task.Completed, task.Failed, task.Canceled:
		return nil
	}
	return errcode.New(errcode.Validation,
		"--status must be pending, in_progress, completed, failed or canceled, not %s", term.OneLine(given, 100)).
		With(errcode.KeyField, "status")
}

// lineOf is what a task in a list is about and, if nobody works on it, why.
func (p program) lineOf(t coordinator.Detail) string {
	prompt, waits := term.OneLine(t.Prompt, 80), p.waitsLine(t.Waits)
	if waits == "" {
		return prompt
	}
	return prompt + " · " + waits
}

const statusCells = 11 // of the longest, in_progress

// standing is how a task stands, for a person: one that waits again after a withdrawn attempt isn't in progress. The
// status itself stays what the API documents.
func standing(t coordinator.Detail) i18n.Text {
	if t.Status == task.InProgress && t.Waits != nil {
		return i18n.T("waiting")
	}
	return statusWord(t.Status)
}

// statusWord is a status for a person; in English it is the one that --status takes.
func statusWord(s task.Status) i18n.Text {
	switch s {
	case task.Pending:
		return i18n.T("pending")
	case task.InProgress:
		return i18n.T("in_progress")
	case task.Completed:
		return i18n.T("completed")
	case task.Failed:
		return i18n.T("failed")
	case task.Canceled:
		return i18n.T("canceled")
	}
	return i18n.T("%s", s)
}

// agentOf returns the agent that works or worked on a task, or the requested one; "-" is any.
func agentOf(t *task.Task) string {
	if agent := t.Agent(); agent != "" {
		return term.OneLine(agent, 40)
	}
	return "-"
}

func (p program) cancelCommand() *cobra.Command {
	return p.one("cancel", "Cancel a task", "  agentflow task cancel 01M7ZBQQ5KCZYP4ZJ106YXWW2B", func(ctx context.Context, c *hubclient.Client, id string) error {
		var got task.Task
		if err := c.Call(ctx, http.MethodPost, taskPath(id, "/cancel"), nil, &got); err != nil {
			return err
		}
		p.Screen.Print("%s  %s\n", got.ID, statusWord(got.Status))
		return p.Screen.Object(got)
	})
}

func (p program) retryCommand() *cobra.Command {
	var wait bool
	cmd := p.one("retry", "Submit a failed or canceled task again as a new task", "  agentflow task retry 01M7ZBQQ5KCZYP4ZJ106YXWW2B --wait", func(ctx context.Context, c *hubclient.Client, id string) error {
		var got submitted
		if err := c.Call(ctx, http.MethodPost, taskPath(id, "/retry"), nil, &got); err != nil {
			return err
		}
		return p.after(ctx, c, got, wait)
	})
	cmd.Flags().BoolVar(&wait, "wait", false, "wait for the task to end and print its answer")
	return cmd
}

func (p program) watchCommand() *cobra.Command {
	var after int64
	cmd := p.one("watch", "Follow a task until it ends", "  agentflow task watch 01M7ZBQQ5KCZYP4ZJ106YXWW2B --json", func(ctx context.Context, c *hubclient.Client, id string) error {
		if after < 0 {
			return errcode.New(errcode.Validation, "--after must be 0 or more").With(errcode.KeyField, "after")
		}
		return p.follow(ctx, c, task.ID(id), after, false)
	})
	cmd.Flags().Int64Var(&after, "after", 0, "resume after this event number")
	return cmd
}
