package worker_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/sandbox"
	"agentflow/backend/model/llm"
	"agentflow/backend/model/tool"
	"agentflow/backend/model/tool/files"
	"agentflow/backend/model/tool/shell"
	"agentflow/backend/work/task"
	"agentflow/backend/work/worker"
)

// model answers with its answers, one per call, and notes what it was asked.
type model struct {
	answers []llm.Answer
	asked   []llm.Request
}

func (m *model) Stream(_ context.Context, r llm.Request, onDelta func(string) error) (llm.Answer, error) {
	m.asked = append(m.asked, r)
	a := llm.Answer{Text: "done", Finish: llm.FinishStop}
	if n := len(m.asked); n <= len(m.answers) {
		a = m.answers[n-1]
	}
	a.Model = r.Model
	return a, onDelta(a.Text)
}

// offered lists the tools of the first call.
func (m *model) offered() (names []string) {
	if len(m.asked) > 0 {
		for _, t := range m.asked[0].Tools {
			names = append(names, t.Name)
		}
	}
	slices.Sort(names)
	return names
}

// person answers every question with the same verdict.
type person struct {
	verdict tool.Verdict
	asked   []tool.Question
}

func (p *person) Ask(_ context.Context, q tool.Question) (tool.Verdict, error) {
	p.asked = append(p.asked, q)
	return p.verdict, nil
}

// foreignTool is the name of an MCP server's tool that looks like a file tool.
const foreignTool = "file_exec"

// bench is an agent with all tools in a folder, and what it told.
type bench struct {
	*worker.Equipped
	model  *model
	person *person
	folder string
	told   []worker.Update
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{model: &model{}, person: &person{verdict: tool.Verdict{Allow: true}}, folder: t.TempDir()}
	open, err := files.Open(b.folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(open.Close)
	run := &shell.Shell{
		Dir:     open.Dir,
		Inside:  open.Inside,
		Folders: open.Paths(),
		Sandbox: sandbox.Settings{Mode: sandbox.Off},
	}
	options := tool.Options{Asker: b.person, Hide: tool.Hider([]string{"top-secret"})}
	foreign := tool.Tool{
		Name: foreignTool, From: "server", Schema: json.RawMessage(`{"type":"object"}`),
		Call: func(context.Context, json.RawMessage) (string, error) { return "called", nil },
	}
	b.Equipped = &worker.Equipped{
		Model: worker.Model{
			Models: b.model, Name: "dev", Model: "a/b", Persona: "You write code.",
			Tools: tool.NewSet(options, append(open.Tools(), run.Tool(), foreign)...),
		},
		Shell: run, Options: options,
	}
	return b
}

func (b *bench) run(t *testing.T, job worker.Job) (map[string]any, error) {
	t.Helper()
	result, err := b.Run(t.Context(), job, func(u worker.Update) error {
		b.told = append(b.told, u)
		return nil
	})
	out := map[string]any{}
	if err == nil {
		if err := json.Unmarshal(result, &out); err != nil {
			t.Errorf("the result is no object: %s", result)
		}
	}
	return out, err
}

// texts is the answer as it was streamed.
func (b *bench) texts() string {
	var all strings.Builder
	for _, u := range b.told {
		all.WriteString(u.Text)
	}
	return all.String()
}

func (b *bench) approved() string {
	if len(b.person.asked) != 1 {
		return ""
	}
	return string(b.person.asked[0].Arguments)
}

// Which tools a type of task has, and who does it: the model, or the tool that the task spells out.
func TestEquipped_EachTypeHasItsTools(t *testing.T) {
	fileTools := []string{files.List, files.Read, files.Search, files.Write}
	all := append([]string{foreignTool}, append(slices.Clone(fileTools), shell.Exec)...)
	for _, tc := range []struct {
		name    string
		job     worker.Job
		offered []string // to the model; nil: the model isn't asked
	}{
		{"chat", worker.Job{Type: string(task.Chat), Prompt: "hello"}, all},
		{"a larger task", worker.Job{Type: string(task.ComplexTask), Prompt: "build it"}, all},
		{"files in words", worker.Job{Type: string(task.FileOperation), Prompt: "tidy up"}, fileTools},
		{
			"a file in the context",
			worker.Job{Type: string(task.FileOperation), Context: []byte(`{"operation":"list","path":"."}`)}, nil,
		},
		{"a file in the prompt", worker.Job{Type: string(task.FileOperation), Prompt: `{"operation":"LIST"}`}, nil},
		{"a command", worker.Job{Type: string(task.CommandExecution), Prompt: "echo hello"}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := newBench(t)
			result, err := b.run(t, tc.job)
			if err != nil {
				t.Fatal(err)
			}
			if got := b.model.offered(); !slices.Equal(got, tc.offered) {
				t.Errorf("the model has %q, want %q", got, tc.offered)
			}
			if _, is := result["text"].(string); !is {
				t.Errorf("the result has no text: %v", result)
			}
			if tc.offered != nil {
				r := b.model.asked[0]
				if r.System != "You write code." || r.Messages[0].Text != tc.job.Prompt || r.Agent != "dev" {
					t.Errorf("the model was asked %+v", r)
				}
				return
			}
			if len(b.person.asked) != 1 {
				t.Errorf("the person was asked %d times", len(b.person.asked))
			}
		})
	}
}

// A command runs as approved, under the agent's rules. Its failure is a result, not an error.
func TestEquipped_ACommandIsAResult(t *testing.T) {
	b := newBench(t)
	result, err := b.run(t, worker.Job{
		Type: string(task.CommandExecution), Prompt: "run it",
		Context: []byte(`{"command":"echo my top-secret; exit 3","other":"ignored"}`),
	})
	if err != nil || result["exitCode"] != 3.0 || result["command"] != "echo my top-secret; exit 3" {
		t.Fatalf("%v %v", result, err)
	}
	if got := b.approved(); !strings.Contains(got, `"command":"echo my top-secret; exit 3"`) {
		t.Errorf("the person approved %s", got)
	}
	for _, text := range []string{b.texts(), result["stdout"].(string), result["text"].(string)} {
		if strings.Contains(text, "top-secret") || !strings.Contains(text, "my ") {
			t.Errorf("told %q", text)
		}
	}
	if b.told[0].Log == "" || !strings.Contains(b.told[len(b.told)-1].Text, "3") {
		t.Errorf("it doesn't begin with the tool's use, or doesn't end with the exit code: %+v", b.told)
	}
}

func TestEquipped_ACommandIsRefused(t *testing.T) {
	job := worker.Job{Type: string(task.CommandExecution), Prompt: "touch made"}
	made := func(b *bench) bool {
		_, err := os.Stat(filepath.Join(b.folder, "made"))
		return err == nil
	}
	t.Run("by the person", func(t *testing.T) {
		b := newBench(t)
		b.person.verdict = tool.Verdict{Word: "not today"}
		_, err := b.run(t, job)
		if !errcode.Is(err, errcode.Forbidden) || made(b) {
			t.Errorf("%v, it ran: %v", err, made(b))
		}
		if d := errcode.From(err).Details; d[errcode.KeyCause] != tool.CauseDenied || d[task.KeySaid] != "not today" {
			t.Errorf("details %v", d)
		}
	})
	t.Run("by nobody", func(t *testing.T) {
		b := newBench(t)
		b.Options.Asker = nil
		if _, err := b.run(t, job); !errcode.Is(err, errcode.Forbidden) || made(b) {
			t.Errorf("%v, it ran: %v", err, made(b))
		}
	})
	t.Run("without a shell", func(t *testing.T) {
		b := newBench(t)
		b.Shell = nil
		_, err := b.run(t, job)
		if !errcode.Is(err, errcode.Validation) || errcode.From(err).Details[errcode.KeyCause] != "no_shell" {
			t.Error(err)
		}
	})
	t.Run("for its context", func(t *testing.T) {
		b := newBench(t)
		_, err := b.run(t, worker.Job{Type: job.Type, Context: []byte(`{"command":7}`)})
		if !errcode.Is(err, errcode.Validation) || errcode.From(err).Details[errcode.KeyField] != "context" {
			t.Error(err)
		}
	})
	t.Run("approved", func(t *testing.T) {
		b := newBench(t)
		if _, err := b.run(t, job); err != nil || !made(b) {
			t.Errorf("%v, it ran: %v", err, made(b))
		}
	})
}

// A file operation that the task spells out is run as it is. Other keys of the context don't matter.
func TestEquipped_AFileOperationIsRun(t *testing.T) {
	b := newBench(t)
	result, err := b.run(t, worker.Job{
		Type: string(task.FileOperation), Prompt: "write it",
		Context: []byte(`{"operation":"write","path":"note.txt","content":"hello","parent":"T1"}`),
	})
	text, rerr := os.ReadFile(filepath.Join(b.folder, "note.txt"))
	if err != nil || rerr != nil || string(text) != "hello" || result["operation"] != "write" {
		t.Errorf("%v %v: %q %v", result, err, text, rerr)
	}
	again := worker.Job{Type: string(task.FileOperation), Prompt: `{"operation":"read","path":"note.txt"}`}
	result, err = b.run(t, again)
	if err != nil || !strings.Contains(result["text"].(string), "hello") {
		t.Errorf("%v %v", result, err)
	}
	for name, context := range map[string]string{
		"a tool of another kind": `{"operation":"exec","path":"note.txt"}`,
		"outside the folder":     `{"operation":"read","path":"../note.txt"}`,
	} {
		_, err := b.run(t, worker.Job{Type: string(task.FileOperation), Context: []byte(context)})
		if !errcode.Is(err, errcode.Forbidden) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A worker returns an error of tell unchanged, and does no more.
func TestEquipped_AnErrorOfTellEndsTheJob(t *testing.T) {
	unwanted := errors.New("the job is no longer wanted")
	for _, job := range []worker.Job{
		{Type: string(task.Chat), Prompt: "hello"},
		{Type: string(task.CommandExecution), Prompt: "touch made"},
		{Type: string(task.FileOperation), Prompt: `{"operation":"write","path":"made","content":"x"}`},
	} {
		b := newBench(t)
		_, err := b.Run(t.Context(), job, func(worker.Update) error { return unwanted })
		if err != unwanted { //nolint:errorlint // unchanged
			t.Errorf("%s: %v", job.Type, err)
		}
		if _, err := os.Stat(filepath.Join(b.folder, "made")); err == nil {
			t.Errorf("%s: the tool was used", job.Type)
		}
	}
}

// An answer that was cut off is no answer, and a budget that is used up ends the job.
func TestModel_BoundsOfAJob(t *testing.T) {
	b := newBench(t)
	b.model.answers = []llm.Answer{{Text: "half an ans", Finish: llm.FinishLength}}
	_, err := b.run(t, worker.Job{Type: string(task.Chat), Prompt: "hello"})
	if !errcode.Is(err, errcode.Validation) || errcode.From(err).Details[errcode.KeyCause] != "cut_off" {
		t.Errorf("cut off: %v", err)
	}
	b = newBench(t)
	b.model.answers = []llm.Answer{
		{Text: "hi", Finish: llm.FinishStop, TokensIn: 40, TokensOut: 20, CostUSD: 1, Priced: true},
	}
	envelope := worker.JobEnvelope{Budget: task.Budget{Tokens: 100}, Spent: task.Spent{TokensIn: 50}}
	_, err = b.run(t, worker.Job{Type: string(task.Chat), Prompt: "hello", Envelope: envelope})
	if !errcode.HasReason(err, task.ReasonBudget) {
		t.Errorf("the attempts before count as well: %v", err)
	}
	spent := slices.IndexFunc(b.told, func(u worker.Update) bool { return u.Spent != nil })
	if want := (task.Spent{TokensIn: 40, TokensOut: 20, USD: 1}); spent < 0 || *b.told[spent].Spent != want {
		t.Errorf("told %+v", b.told)
	}
}

// An agent of this computer has the tools that its owner allowed, in its workspace only.
func TestLocal_HasTheAllowedTools(t *testing.T) {
	for _, tc := range []struct {
		name            string
		allowed         []string
		offered         []string
		files, commands bool
	}{
		{"none", nil, nil, false, false},
		{"by name", []string{files.Read}, []string{files.Read}, true, false},
		{"by kind", []string{shell.From}, []string{shell.Exec}, false, true},
		{"unknown", []string{"browser"}, nil, false, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := &model{}
			local := &worker.Local{
				Model: worker.Model{Models: m}, Workspace: t.TempDir(), Allowed: tc.allowed,
				Sandbox: sandbox.Settings{Mode: sandbox.Off},
			}
			tell := func(worker.Update) error { return nil }
			job := worker.Job{Type: string(task.Chat), Prompt: "hello"}
			if _, err := local.Run(t.Context(), job, tell); err != nil {
				t.Fatal(err)
			}
			if got := m.offered(); !slices.Equal(got, tc.offered) {
				t.Errorf("the model has %q, want %q", got, tc.offered)
			}
			can := func(is task.Type) bool { return local.Can(string(is)) }
			if can(task.FileOperation) != tc.files || can(task.CommandExecution) != tc.commands {
				t.Errorf("files %v, commands %v", can(task.FileOperation), can(task.CommandExecution))
			}
			local.Workspace = ""
			if can(task.FileOperation) || can(task.CommandExecution) {
				t.Error("it can work without a workspace")
			}
		})
	}
}
