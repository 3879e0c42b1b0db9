package agentprocess

import (
	"context"
	"encoding/json"
	"strings"

	"agentflow/backend/errcode"
	"agentflow/backend/llm"
	"agentflow/backend/tool"
	"agentflow/backend/tool/files"
	"agentflow/backend/tool/shell"
	"agentflow/backend/worker"
)

// Types of tasks that are done by a tool.
const (
	commandExecution = "command_execution"
	fileOperation    = "file_operation"
)

// answer does a job: a command by the shell, a file operation that is spelled out by the file
// tools, everything else by the model, with what tools there are.
func (p *Process) answer(ctx context.Context, job worker.Job, tell func(worker.News) error) (json.RawMessage, error) {
	p.started(ctx)
	set := p.set(job)
	switch job.Type {
	case commandExecution:
		return p.execute(ctx, job, tell)
	case fileOperation:
		if op, ok := readOperation(job); ok {
			return operate(ctx, set, op, tell)
		}
		set = set.Only(files.From)
	}
	a := p.o.Config.Agent
	m := worker.Model{Models: p.o.Models, Name: a.Name, Model: llm.Model(a.Model), Persona: a.Persona, Temperature: a.Temperature, MaxTokens: a.MaxTokens, Tools: set}
	return m.Run(ctx, job, tell)
}

// execute runs the command that is the job's prompt, or context.command, under the agent's
// policy. A command that fails was run: its exit code is the result.
func (p *Process) execute(ctx context.Context, job worker.Job, tell func(worker.News) error) (json.RawMessage, error) {
	var args shell.Args
	if len(job.Context) > 0 && json.Unmarshal(job.Context, &args) != nil {
		return nil, errcode.New(errcode.Validation, "context.command and context.dir must be texts, context.timeoutSec a number").With(errcode.KeyField, "context")
	}
	if args.Command == "" {
		args.Command = job.Prompt
	}
	t := p.shell.Tool()
	var result *shell.Result
	t.Call = func(ctx context.Context, _ json.RawMessage) (string, error) {
		r, err := p.shell.Run(ctx, args)
		if err == nil {
			r.Stdout, r.Stderr = p.hide(r.Stdout), p.hide(r.Stderr)
			result = &r
		}
		return r.Text(), err
	}
	arguments, err := json.Marshal(args)
	if err != nil {
		return nil, errcode.Wrap(errcode.Internal, err, "the command cannot be written")
	}
	set := tool.NewSet(tool.Options{Policies: p.policies, Hide: p.hide, Asker: p.asks(job.TaskID)}, t)
	text, err := use(ctx, set, shell.Exec, arguments, tell)
	if err != nil {
		return nil, err
	}
	return json.Marshal(struct {
		Command string `json:"command"`
		Text    string `json:"text"`
		*shell.Result
	}{args.Command, text, result})
}

func (p *Process) asks(task string) tool.Asker {
	if p.o.Coordinator == "" {
		return nil
	}
	return asker{p, task}
}

// operation is a file operation that is spelled out: in the context, or as the prompt.
type operation struct {
	Operation string          `json:"operation"`
	Arguments json.RawMessage `json:"-"`
}

func readOperation(job worker.Job) (operation, bool) {
	for _, text := range []string{string(job.Context), job.Prompt} {
		var fields map[string]json.RawMessage
		var op operation
		if json.Unmarshal([]byte(text), &fields) != nil || json.Unmarshal([]byte(text), &op) != nil || op.Operation == "" {
			continue
		}
		for name := range fields {
			switch name { // what else stands in a context is for others
			case "path", "content", "append", "offset", "recursive", "pattern", "names":
			default:
				delete(fields, name)
			}
		}
		op.Arguments, _ = json.Marshal(fields) // they were JSON
		return op, true
	}
	return operation{}, false
}

func operate(ctx context.Context, set *tool.Set, op operation, tell func(worker.News) error) (json.RawMessage, error) {
	name := "file_" + strings.ToLower(op.Operation)
	text, err := use(ctx, set.Only(files.From), name, op.Arguments, tell)
	if err != nil {
		return nil, err
	}
	return json.Marshal(struct {
		Operation string `json:"operation"`
		Text      string `json:"text"`
	}{op.Operation, text})
}

// use uses one tool as a task asks for it. That it is refused or fails is the task's end:
// trying again would ask the person again.
func use(ctx context.Context, set *tool.Set, name string, arguments json.RawMessage, tell func(worker.News) error) (string, error) {
	if err := tell(worker.News{Log: "uses " + name}); err != nil {
		return "", err
	}
	o, err := set.Use(ctx, name, string(arguments), "")
	if err != nil {
		return "", err
	}
	if o.Failed {
		return "", errcode.New(errcode.Forbidden, "%s", o.Text)
	}
	return o.Text, tell(worker.News{Text: o.Text})
}
