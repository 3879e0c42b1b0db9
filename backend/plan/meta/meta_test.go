package meta_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gopkg.in/yaml.v3"

	"agentflow/backend/base/errcode"
	"agentflow/backend/model/llm"
	"agentflow/backend/plan"
	"agentflow/backend/plan/meta"
)

// server is a chat-completions server on a real socket that plays its answers in turn, and then repeats the last one.
type server struct {
	*httptest.Server
	mu      sync.Mutex
	answers []answer
	asked   []request
}

type answer struct {
	status int
	text   string
	finish string
	hang   bool
}

type request struct {
	Model    string
	Messages []struct{ Role, Content string }
}

func serve(t *testing.T, answers ...answer) *server {
	t.Helper()
	s := &server{answers: answers}
	s.Server = httptest.NewServer(http.HandlerFunc(s.answer))
	t.Cleanup(s.Close)
	return s
}

func (s *server) answer(w http.ResponseWriter, r *http.Request) {
	var req request
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.asked = append(s.asked, req)
	a := s.answers[0]
	if len(s.answers) > 1 {
		s.answers = s.answers[1:]
	}
	s.mu.Unlock()
	if a.status != 0 {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(a.status)
		_, _ = fmt.Fprintf(w, `{"error":{"message":"status %d"}}`, a.status)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	piece := func(v any) {
		data, _ := json.Marshal(v)
		_, _ = fmt.Fprintf(w, "data: %s\n\n", data)
		w.(http.Flusher).Flush()
	}
	half := len(a.text) / 2
	for _, part := range []string{a.text[:half], a.text[half:]} {
		piece(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": map[string]any{"content": part}}}})
		if a.hang {
			<-r.Context().Done()
			return
		}
	}
	finish := a.finish
	if finish == "" {
		finish = "stop"
	}
	piece(map[string]any{
		"choices": []any{map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": finish}},
	})
	_, _ = fmt.Fprint(w, "data: [DONE]\n\n")
}

func (s *server) requests() []request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

func (s *server) client(t *testing.T, o meta.Options) *meta.Client {
	t.Helper()
	o.Models = llm.NewRegistry(llm.Options{
		Providers: []llm.ProviderConfig{{Name: "openai", Kind: llm.KindOpenAI, BaseURL: s.URL + "/v1"}},
		Waits:     llm.Waits{Retry: time.Millisecond},
	})
	o.Model = "openai/stub-1"
	return meta.New(o)
}

const planTask = `{"type":"plan_task","acceptance_criteria":[{"id":"AC-1","description":"201 を返す"},{"description":"400"}]}`

var task = meta.TaskContext{Task: meta.TaskSummary{ID: "TASK-123", Title: "Implement API endpoint X"}, State: "RUNNING"}

func TestME1_PlanTask(t *testing.T) {
	s := serve(t, answer{text: planTask})
	var calls []meta.Call
	got, err := s.client(t, meta.Options{Record: func(c meta.Call) { calls = append(calls, c) }}).
		PlanTask(t.Context(), meta.PRD{Task: json.RawMessage(`{"id":"TASK-123"}`), Text: "ユーザー登録"})
	if err != nil {
		t.Fatal(err)
	}
	want := []meta.AcceptanceCriterion{{ID: "AC-1", Description: "201 を返す"}, {ID: "AC-2", Description: "400"}}
	if !slices.Equal(got.AcceptanceCriteria, want) {
		t.Errorf("got %v, want %v", got.AcceptanceCriteria, want)
	}
	r := s.requests()
	if len(r) != 1 || r[0].Messages[0].Role != "system" || r[0].Messages[0].Content != meta.SystemPrompt || !strings.Contains(r[0].Messages[1].Content, "ユーザー登録") {
		t.Errorf("asked %+v", r)
	}
	if len(calls) != 1 || calls[0].Answer != planTask || calls[0].Protocol != meta.PlanTask || calls[0].Model != "openai/stub-1" || calls[0].Error != "" {
		t.Errorf("recorded %+v", calls)
	}
}

func TestME2_NextAction(t *testing.T) {
	s := serve(t, answer{text: `{"type":"next_action","decision":{"action":"run_worker","reason":"まだ実装がない"},"worker_call":{"worker_type":"codex-cli","mode":"exec","prompt":"書く\n試す","model":"m","flags":["--x"],"env":{"A":"1"},"tool_specific":{"n":3},"use_stdin":true}}`},
		answer{text: "type: next_action\ndecision:\n  action: \"mark_complete\"\n  reason: |\n    全て成功\n"})
	c := s.client(t, meta.Options{})
	got, err := c.NextAction(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	w := got.WorkerCall
	if got.Decision.Action != meta.RunWorker || w.Prompt != "書く\n試す" || w.Model != "m" || w.Flags[0] != "--x" || w.Env["A"] != "1" || w.ToolSpecific["n"] != 3 || !w.UseStdin {
		t.Errorf("got %+v %+v", got, w)
	}
	if got, err = c.NextAction(t.Context(), task); err != nil || got.Decision.Action != meta.MarkComplete || got.WorkerCall != nil {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestME3_CompletionAssessment(t *testing.T) {
	s := serve(t, answer{text: "```json\n{\"type\":\"completion_assessment\",\"summary\":\"完了\",\"details\":{\"passed_criteria\":[\"AC-1\"],\"remaining_risks\":[\"性能\"]}}\n```"})
	got, err := s.client(t, meta.Options{}).Assess(t.Context(), task)
	if err != nil || got.Summary != "完了" || got.Details.PassedCriteria[0] != "AC-1" || got.Details.RemainingRisks[0] != "性能" {
		t.Errorf("got %+v, %v", got, err)
	}
}

// TestME4_TagsAgree checks that the structs have the same keys in JSON and in YAML.
func TestME4_TagsAgree(t *testing.T) {
	for _, v := range []any{
		meta.PlanTaskAnswer{AcceptanceCriteria: []meta.AcceptanceCriterion{{}}}, meta.CompletionAssessmentAnswer{},
		meta.NextActionAnswer{WorkerCall: &meta.WorkerCall{Model: "m", Flags: []string{"f"}, Env: map[string]string{"a": "b"}, ToolSpecific: map[string]any{"a": "b"}, UseStdin: true}},
		meta.DecomposeAnswer{Phases: []meta.Phase{{Tasks: []meta.DecomposedTask{{SuggestedImpl: &plan.SuggestedImpl{Language: "go"}}}}}, PotentialConflicts: []plan.PotentialConflict{{}}},
		plan.Patch{Payload: plan.Payload{Operations: []plan.Operation{{Op: plan.Create, TempID: "t"}}}},
	} {
		var a, b any
		j, err := json.Marshal(v)
		if err == nil {
			err = json.Unmarshal(j, &a)
		}
		y, yerr := yaml.Marshal(v)
		if yerr == nil {
			yerr = yaml.Unmarshal(y, &b)
		}
		again, jerr := json.Marshal(b)
		var c any
		if err := errors.Join(err, yerr, jerr, json.Unmarshal(again, &c)); err != nil {
			t.Fatal(err)
		}
		one, _ := json.Marshal(a)
		two, _ := json.Marshal(c)
		if string(one) != string(two) && strings.ReplaceAll(string(one), "null", "[]") != string(two) {
			t.Errorf("%T\n  as JSON %s\n  as YAML %s", v, one, two)
		}
	}
}

func TestME5_AnswersThatAreNone(t *testing.T) {
	for name, bad := range map[string]string{
		"empty":                "   ",
		"prose":                "I think we should start with the API.",
		"prose in front":       "Here it is:\n" + planTask,
		"prose behind":         planTask + "\nLet me know!",
		"two JSON documents":   planTask + planTask,
		"two YAML documents":   "type: plan_task\nacceptance_criteria: [{description: a}]\n---\ntype: plan_task\n",
		"prose beside a fence": "Sure:\n```json\n" + planTask + "\n```",
		"text behind a fence":  "```json\n" + planTask + "\n```\nDone.",
		"two fences":           "```json\n" + planTask + "\n```\n```json\n{}\n```",
		"another type":         `{"type":"next_action","acceptance_criteria":[{"description":"a"}]}`,
		"no type":              `{"acceptance_criteria":[{"description":"a"}]}`,
		"no criteria":          `{"type":"plan_task"}`,
		"no description":       `{"type":"plan_task","acceptance_criteria":[{"id":"AC-1"}]}`,
		"the same id twice":    `{"type":"plan_task","acceptance_criteria":[{"id":"AC-1","description":"a"},{"id":"AC-1","description":"b"}]}`,
		"an invented field":    `{"type":"plan_task","acceptance_criteria":[{"description":"a"}],"confidence":0.9}`,
		"a list":               `["plan_task"]`,
		"a wrong type":         `{"type":"plan_task","acceptance_criteria":"a"}`,
		"YAML that is broken":  "type: plan_task\nacceptance_criteria:\n  - description: [a",
		"too large":            `{"type":"plan_task","x":"` + strings.Repeat("x", 1<<20) + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, answer{text: bad}, answer{text: bad}, answer{text: bad}, answer{text: planTask})
			var calls []meta.Call
			c := s.client(t, meta.Options{Record: func(c meta.Call) { calls = append(calls, c) }})
			got, err := c.PlanTask(t.Context(), meta.PRD{Task: json.RawMessage(`{}`)})
			if err != nil || len(got.AcceptanceCriteria) == 0 || len(calls) != 4 || calls[0].Error == "" || calls[3].Error != "" {
				t.Fatalf("got %v, %v after %d calls", got, err, len(calls))
			}
			if last := s.requests()[3].Messages[1].Content; !strings.Contains(last, "could not be used: ") {
				t.Errorf("the last prompt doesn't state the error: %s", last)
			}
		})
	}
}

func TestME5_FourAnswersThatAreNoneAreAFailure(t *testing.T) {
	s := serve(t, answer{text: "prose"})
	_, err := s.client(t, meta.Options{}).NextAction(t.Context(), task)
	if !errcode.HasReason(err, meta.ReasonUnparsable) || len(s.requests()) != 4 {
		t.Errorf("%v after %d requests", err, len(s.requests()))
	}
	says := errcode.From(err).Message
	if !strings.HasPrefix(says, "the planner ") || !strings.Contains(says, "in 4 attempts. Try again") {
		t.Errorf("a person reads: %s", says)
	}
}

func TestME5_AnAnswerThatWasCutOffIsNone(t *testing.T) {
	s := serve(t, answer{text: planTask, finish: "length"}, answer{text: planTask})
	if _, err := s.client(t, meta.Options{}).PlanTask(t.Context(), meta.PRD{Task: json.RawMessage(`{}`)}); err != nil || len(s.requests()) != 2 {
		t.Errorf("%v after %d requests", err, len(s.requests()))
	}
}

func TestME5_ServersThatFail(t *testing.T) {
	for _, c := range []struct {
		status, requests int
		code             errcode.Code
	}{
		{500, 4, errcode.Unavailable}, {503, 4, errcode.Unavailable}, {429, 4, errcode.RateLimited},
		{400, 1, errcode.Validation}, {401, 1, errcode.Unauthorized}, {404, 1, errcode.NotFound},
	} {
		s := serve(t, answer{status: c.status})
		_, err := s.client(t, meta.Options{}).NextAction(t.Context(), task)
		if !errcode.Is(err, c.code) || len(s.requests()) != c.requests {
			t.Errorf("%d: %v after %d requests, want %d", c.status, err, len(s.requests()), c.requests)
		}
	}
	s := serve(t, answer{status: 503}, answer{status: 429}, answer{status: 500}, answer{text: planTask})
	if _, err := s.client(t, meta.Options{}).PlanTask(t.Context(), meta.PRD{Task: json.RawMessage(`{}`)}); err != nil {
		t.Errorf("the fourth call: %v", err)
	}
}

func TestME6_ATryThatHangsIsGivenUpAndTriedAgain(t *testing.T) {
	s := serve(t, answer{text: planTask, hang: true}, answer{text: planTask})
	_, err := s.client(t, meta.Options{Timeout: 300 * time.Millisecond}).
		PlanTask(t.Context(), meta.PRD{Task: json.RawMessage(`{}`)})
	if err != nil || len(s.requests()) != 2 {
		t.Errorf("%v after %d requests", err, len(s.requests()))
	}
	s = serve(t, answer{text: planTask, hang: true})
	stop := errors.New("stopped by a person")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(50*time.Millisecond, func() { cancel(stop) })
	if _, err := s.client(t, meta.Options{}).PlanTask(ctx, meta.PRD{Task: json.RawMessage(`{}`)}); !errors.Is(err, stop) {
		t.Errorf("got %v, want the cause", err)
	}
}

func TestME7_TheSystemPromptCanBeReplaced(t *testing.T) {
	s := serve(t, answer{text: planTask})
	if _, err := s.client(t, meta.Options{System: "別の指示"}).PlanTask(t.Context(), meta.PRD{Task: json.RawMessage(`{}`)}); err != nil {
		t.Fatal(err)
	}
	if got := s.requests()[0].Messages[0].Content; got != "別の指示" {
		t.Errorf("sent %q", got)
	}
	seed, err := os.ReadFile("testdata/system-prompt.txt")
	if err != nil || meta.SystemPrompt != string(seed) {
		t.Errorf("the default differs from the protocol's: %v", err)
	}
}

// seedDecompose is the example of the protocol (§9.3).
const seedDecompose = `type: decompose
understanding: |
  ユーザーは「商品一覧ページ」の実装を希望しています。
phases:
  - name: "実装設計"
    milestone: "design"
    tasks:
      - id: "temp-task-1"
        title: "コンポーネント設計"
        description: "商品カードコンポーネントの Props と State を設計する"
        wbs_level: 2
        estimated_effort: "small"
        acceptance_criteria:
          - "Figma デザインと一致する Props が定義されていること"
        suggested_impl:
          language: "typescript"
          file_paths: ["src/components/ProductCard.svelte"]

  - name: "実装"
    milestone: "implementation"
    tasks:
      - id: "temp-task-2"
        title: "コンポーネント実装"
        description: "設計に基づきコードを実装する"
        dependencies: ["temp-task-1"]
        wbs_level: 3
        estimated_effort: "medium"
potential_conflicts:
  - file: "src/routes/products/+page.svelte"
    tasks: ["TASK-001"]
    warning: "他のタスクで変更中の可能性があります"
`

func TestME8_DecomposeBecomesTasks(t *testing.T) {
	s := serve(t, answer{text: strings.Replace(seedDecompose, `["temp-task-1"]`, `["nobody"]`, 1)},
		answer{text: seedDecompose})
	p := plan.New()
	got, err := s.client(t, meta.Options{}).Decompose(t.Context(), meta.Request{
		Text: "商品一覧ページ", Plan: p, Conversation: []plan.Message{{Role: "user", Content: "前の話"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	asked := s.requests()
	if len(asked) != 2 || !strings.Contains(asked[0].Messages[1].Content, "前の話") || !strings.Contains(asked[1].Messages[1].Content, "nobody") {
		t.Errorf("asked %d times", len(asked))
	}
	n := 0
	applied, err := p.Apply(got.Patch(), func() plan.ID { n++; return plan.ID(fmt.Sprintf("t%d", n)) })
	if err != nil {
		t.Fatal(err)
	}
	tasks := applied.Plan.Tasks
	if len(tasks) != 2 || tasks[1].Dependencies[0] != "t1" || tasks[0].PhaseName != "実装設計" || tasks[1].Milestone != "implementation" ||
		tasks[0].WBSLevel != 2 ||
		tasks[1].EstimatedEffort != "medium" ||
		tasks[0].SuggestedImpl.Language != "typescript" ||
		tasks[0].Status != plan.Pending {
		t.Errorf("%+v", tasks)
	}
}

func TestME9_APatchThatThePlanRefusesIsAskedForAgain(t *testing.T) {
	wrong := `{"type":"plan_patch","version":1,"payload":{"understanding":"x","operations":[{"op":"delete","task_id":"nobody"}]}}`
	right := `{"type":"plan_patch","version":1,"payload":{"understanding":"x","operations":[{"op":"create","temp_id":"a","title":"T","dependencies":[]}],"potential_conflicts":[]}}`
	s := serve(t, answer{text: wrong}, answer{text: right})
	got, err := s.client(t, meta.Options{}).Patch(t.Context(), meta.Request{Text: "w", Plan: plan.New()})
	if err != nil || len(got.Payload.Operations) != 1 || *got.Payload.Operations[0].Title != "T" {
		t.Fatalf("got %+v, %v", got, err)
	}
	if second := s.requests()[1].Messages[1].Content; !strings.Contains(second, "operations[0]") {
		t.Errorf("the second prompt doesn't state the error: %s", second)
	}
}

func TestAnAnswerWithoutATypeSaysSo(t *testing.T) {
	c, prd := meta.New(meta.Options{Models: fixed("tasks: []"), Model: "m"}), meta.PRD{Task: json.RawMessage(`{}`)}
	if _, err := c.PlanTask(t.Context(), prd); !strings.Contains(fmt.Sprint(err), "it has no type") {
		t.Errorf("got %v", err)
	}
}

func FuzzAnswers(f *testing.F) {
	f.Add(planTask)
	f.Add(seedDecompose)
	f.Add("```yaml\n---\ntype: next_action\n```")
	f.Fuzz(func(t *testing.T, text string) {
		c := meta.New(meta.Options{Models: fixed(text), Model: "m"})
		_, _ = c.PlanTask(t.Context(), meta.PRD{Task: json.RawMessage(`{}`)})
		_, _ = c.NextAction(t.Context(), task)
		_, _ = c.Assess(t.Context(), task)
		w := meta.Request{Text: "w", Plan: plan.New()}
		_, _ = c.Decompose(t.Context(), w)
		_, _ = c.Patch(t.Context(), w)
	})
}

type fixed string

func (f fixed) Stream(context.Context, llm.Request, func(string) error) (llm.Answer, error) {
	return llm.Answer{Text: string(f), Finish: llm.FinishStop}, nil
}
