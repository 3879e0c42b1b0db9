package worker

import (
	"context"
	"encoding/json"
	"strings"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/strictjson"
	"agentflow/backend/model/tool"
	"agentflow/backend/model/tool/files"
	"agentflow/backend/model/tool/shell"
	"agentflow/backend/work/task"
)

// Equipped is an agent with tools. Its shell runs commands, and its file tools run file operations that the task
// spells out. Its model does everything else, with the available tools.
type Equipped struct {
	Model
	Shell   *shell.Shell // nil: it can't run commands
	Options tool.Options // apply to every command
}

var _ Worker = (*Equipped)(nil)

// Run implements Worker.
func (e *Equipped) Run(ctx context.Context, job Job, tell func(Update) error) (json.RawMessage, error) {
	m := e.Model
	switch task.Type(job.Type) {
	case task.CommandExecution:
		if e.Shell == nil {
			return nil, errcode.New(errcode.Validation, "this agent has no shell tool").
				With(errcode.KeyCause, "no_shell")
		}
		return e.execute(ctx, job, tell)
	case task.FileOperation:
		if op, ok := readOperation(job); ok {
			return operate(ctx, m.Tools, op, tell)
		}
		m.Tools = m.Tools.Only(files.From)
	}
	return m.Run(ctx, job, tell)
}

// execute runs the job's context.command, or else its prompt, under the agent's policy. A failing command counts as
// run: its exit code is part of the result.
func (e *Equipped) execute(ctx context.Context, job Job, tell func(Update) error) (json.RawMessage, error) {
	var args shell.Args
	if len(job.Context) > 0 && json.Unmarshal(job.Context, &args) != nil {
		return nil, errcode.New(errcode.Validation,
			"context.command and context.dir must be texts, context.timeoutSec a number").
			With(errcode.KeyField, "context")
	}
	if args.Command == "" {
		args.Command = job.Prompt
	}
	hide := e.Options.Hide
	if hide == nil {
		hide = func(text string) string { return text }
	}
	t := e.Shell.Tool()
	var result *shell.Result
	t.Call = func(ctx context.Context, allowed json.RawMessage) (string, error) {
		if err := tool.Decode(allowed, &args); err != nil { // exactly what was approved
			return "", err
		}
		r, err := e.Shell.Follow(ctx, args, func(lines string) {
			// What can't be told here can't be told at the end either, which is where the error counts.
			_ = tell(Update{Text: strings.ToValidUTF8(hide(lines), "\uFFFD")})
		})
		if err == nil {
			r.Stdout, r.Stderr = hide(r.Stdout), hide(r.Stderr)
			result = &r
		}
		return r.Text(), err
	}
	arguments, err := strictjson.Encode(args)
	if err != nil {
		return nil, errcode.Wrap(errcode.Internal, err, "the command cannot be written")
	}
	set := tool.NewSet(e.Options, t)
	text, err := use(ctx, set, shell.Exec, arguments, tell)
	if err != nil {
		return nil, err
	}
	rest := text
	if result != nil {
		rest = strings.ToValidUTF8(result.Rest(), "\uFFFD")
	}
	if err := tell(Update{Text: rest}); err != nil {
		return nil, err
	}
	return json.Marshal(struct {
		Command string `json:"command"`
		Text    string `json:"text"`
		*shell.Result
	}{args.Command, text, result})
}

// operation is a file operation that the job spells out, in its context or prompt.
type operation struct {
	Operation string          `json:"operation"`
	Arguments json.RawMessage `json:"-"`
}

func readOperation(job Job) (operation, bool) {
	for _, text := range []string{string(job.Context), job.Prompt} {
		var fields map[string]json.RawMessage
		var op operation
		if json.Unmarshal([]byte(text), &fields) != nil || json.Unmarshal([]byte(text), &op) != nil || op.Operation == "" {
			continue
		}
		for name := range fields {
			switch name { // ignore other keys of the context
			case "path", "content", "append", "offset", "recursive", "pattern", "names":
			default:
				delete(fields, name)
			}
		}
		op.Arguments, _ = json.Marshal(fields) // they were parsed from JSON
		return op, true
	}
	return operation{}, false
}

func operate(ctx context.Context, set *tool.Set, op operation, tell func(Update) error) (json.RawMessage, error) {
	name := "file_" + strings.ToLower(op.Operation)
	text, err := use(ctx, set.Only(files.From), name, op.Arguments, tell)
	if err == nil {
		err = tell(Update{Text: text})
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(struct {
		Operation string `json:"operation"`
		Text      string `json:"text"`
	}{op.Operation, text})
}

// use runs one tool as the task asks. A rejection or failure ends the task, because a retry would ask the person
// again.
func use(
	ctx context.Context,
	set *tool.Set,
	name string,
	arguments json.RawMessage,
	tell func(Update) error,
) (string, error) {
	if err := tell(Update{Log: "uses " + name}); err != nil {
		return "", err
	}
	o, err := set.Use(ctx, name, string(arguments), "")
	if err != nil {
		return "", err
	}
	if o.Failed {
		e := errcode.New(errcode.Forbidden, "%s", o.Text)
		if o.Denied {
			e = e.With(errcode.KeyCause, tool.CauseDenied)
		}
		if o.Word != "" {
			e = e.With(task.KeySaid, o.Word)
		}
		return "", e
	}
	return o.Text, nil
}
