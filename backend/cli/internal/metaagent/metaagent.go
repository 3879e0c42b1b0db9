// Package metaagent finds the planner that a command asks, and the worker beside it.
package metaagent

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"agentflow/backend/base/config"
	"agentflow/backend/base/errcode"
	"agentflow/backend/base/proc"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/engine"
	"agentflow/backend/model/llm"
	"agentflow/backend/plan/codecli"
	"agentflow/backend/plan/meta"
	"agentflow/backend/plan/taskfile"
)

// Kinds of planners.
const (
	Chat  = "openai-chat"
	Codex = string(codecli.Codex)
)

// patience is how long one question to a CLI may take with all its tries (ME-6).
const patience = 15 * time.Minute

var errPatience = errors.New("the planner didn't answer within 15 minutes")

// Asked says which planner to use.
type Asked struct {
	Kind   string // Chat or Codex; "" is Chat
	Model  string // "" is meta.EnvModel, else, of Chat, the first of the default provider
	System string // "" is the protocol's own prompt
	Worker codecli.Worker
	Record func(meta.Call)
}

// Of returns the worker and the planner that a Task YAML names.
func Of(f *taskfile.File) (codecli.Worker, Asked) {
	in, m := f.Runner.Worker, f.Runner.Meta
	w := codecli.Worker{
		Kind: codecli.Kind(in.Kind), Mode: in.Mode, Command: in.Command, Model: in.Model, Flags: in.Flags,
		Env: in.Env, ToolSpecific: in.ToolSpecific, Timeout: time.Duration(in.MaxRunTimeSec) * time.Second,
	}
	a := Asked{Kind: m.Kind, Model: m.Model, System: m.SystemPrompt, Worker: codecli.Worker{Kind: codecli.Codex}}
	if w.Kind == codecli.Codex && w.Mode != codecli.ACP { // the same program, with the same key
		a.Worker = codecli.Worker{Kind: w.Kind, Command: w.Command, Env: w.Env, ToolSpecific: w.ToolSpecific}
	}
	return w, a
}

// ReadTask reads the Task YAML in a file, or at standard input.
func ReadTask(s *shell.Shell, path string) (*taskfile.File, error) {
	data, err := s.ReadBytes(path)
	if err != nil {
		return nil, err
	}
	from := taskfile.Source{Name: shell.Name(path), Dir: ".", Getenv: os.LookupEnv}
	if path != shell.Stdin {
		from.Dir = filepath.Dir(path)
	}
	return taskfile.Read(data, from)
}

// Open returns the client of the planner. It uses the demo only if told to.
func Open(ctx context.Context, s *shell.Shell, dir string, a Asked) (*meta.Client, error) {
	o := meta.Options{System: a.System, Record: a.Record}
	var err error
	switch a.Kind {
	case Codex:
		home := filepath.Join(dir, "workers", "meta")
		if a.Worker.Sandbox, err = config.LoadSandbox(dir); err != nil {
			return nil, err
		}
		o.Models = bounded{codecli.Answers{Worker: a.Worker, Home: home, Records: proc.Records(dir)}}
		o.Model, o.Timeout = llm.Model("codex/"+cmp.Or(a.Model, os.Getenv(meta.EnvModel))), codecli.AnswerTimeout
	case Chat, "":
		if o.Timeout, err = meta.Timeout(os.Getenv); err != nil {
			return nil, err
		}
		settings, err := config.Load(dir)
		if err != nil {
			return nil, err
		}
		models := engine.NewProviders(settings, config.NewSecrets(dir), nil).Registry()
		if o.Model, err = meta.Choose(ctx, models, a.Model, os.Getenv); err != nil {
			return nil, err
		}
		o.Models = models
		if err := models.Check(o.Model); err != nil {
			return nil, err
		}
	default:
		return nil, errcode.New(errcode.Validation, "the planner must be %s or %s, not %q", Chat, Codex, a.Kind)
	}
	s.Screen.Progress("asking %s …", o.Model)
	return meta.New(o), nil
}

// Prices tells what models and coding CLIs cost, as the person has written it down.
func Prices(dir string) (func(llm.Model) (llm.Price, bool), error) {
	settings, err := config.Load(dir)
	if err != nil {
		return nil, err
	}
	return engine.NewProviders(settings, config.NewSecrets(dir), nil).Registry().Price, nil
}

// bounded is a CLI that is given up after all its tries together took too long.
type bounded struct{ meta.Model }

// Stream implements meta.Model.
func (b bounded) Stream(ctx context.Context, r llm.Request, onDelta func(string) error) (llm.Answer, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errPatience)
	defer cancel()
	return b.Model.Stream(ctx, r, onDelta)
}
