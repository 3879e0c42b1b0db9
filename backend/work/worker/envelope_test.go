package worker_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/model/tool"
	"agentflow/backend/work/task"
	"agentflow/backend/work/worker"
)

// handed sends a job to a remote agent and returns the context that arrived there.
func handed(t *testing.T, job worker.Job) (json.RawMessage, error) {
	t.Helper()
	var got struct{ Context json.RawMessage }
	agent := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = json.Unmarshal(body, &got)
		}
		if err != nil {
			t.Error(err)
		}
		_, _ = w.Write([]byte(`{"status":"accepted"}`))
	}))
	defer agent.Close()
	reports := make(chan worker.Report, 1)
	reports <- worker.Report{Status: worker.ReportCompleted, Result: json.RawMessage(`{}`)}
	remote := &worker.Remote{HTTP: agent.Client(), URL: agent.URL, Reports: reports}
	_, err := remote.Run(t.Context(), job, func(worker.Update) error { return nil })
	return got.Context, err
}

// What the hub sends with a job arrives at a remote agent, beside the job's own context.
func TestEnvelope_ArrivesWhole(t *testing.T) {
	sent := worker.JobEnvelope{
		Attempt: 2, Chain: []string{"lead"}, Team: []worker.Peer{{ID: "dev", Name: "Dev", Role: "Developer"}},
		Budget: task.Budget{Tokens: 100, USD: 1.5, Seconds: 60}, Spent: task.Spent{TokensIn: 7, USD: 0.25}, Took: 9,
	}
	given, err := handed(t, worker.Job{TaskID: "T1", Context: []byte(`{"command":"ls"}`), Envelope: sent})
	if err != nil {
		t.Fatal(err)
	}
	if got := worker.ReadEnvelope(given); !reflect.DeepEqual(got, sent) {
		t.Errorf("%+v\nwant %+v", got, sent)
	}
	var own struct{ Command string }
	if err := json.Unmarshal(given, &own); err != nil || own.Command != "ls" {
		t.Errorf("the job's own context is %s", given)
	}
}

// Only the hub sets the key of the envelope: a task can't give itself a team or a budget.
func TestEnvelope_OnlyTheHubSetsIt(t *testing.T) {
	forged := []byte(`{"agentflow":{"attempt":9,"team":[{"id":"root"}]},"dir":"src"}`)
	given, err := handed(t, worker.Job{TaskID: "T1", Context: forged})
	if err != nil || string(given) != `{"dir":"src"}` {
		t.Errorf("without an envelope: %s %v", given, err)
	}
	given, err = handed(t, worker.Job{TaskID: "T1", Context: forged, Envelope: worker.JobEnvelope{Attempt: 1}})
	if got := worker.ReadEnvelope(given); err != nil || got.Attempt != 1 || got.Team != nil {
		t.Errorf("with an envelope: %s %v", given, err)
	}
	if given, err = handed(t, worker.Job{TaskID: "T1"}); err != nil || given != nil {
		t.Errorf("a job without context and envelope: %s %v", given, err)
	}
	if _, err = handed(t, worker.Job{TaskID: "T1", Context: []byte(`[1]`)}); !errcode.Is(err, errcode.Validation) {
		t.Errorf("a context that is no object: %v", err)
	}
}

// Other coordinators can use the key differently. Their values are ignored.
func TestEnvelope_OtherShapesAreIgnored(t *testing.T) {
	for _, given := range []string{
		``, `null`, `[]`, `{"agentflow":"yes"}`, `{"agentflow":{"attempt":2,"chain":"lead"}}`, `{`,
	} {
		if got := worker.ReadEnvelope(json.RawMessage(given)); !reflect.DeepEqual(got, worker.JobEnvelope{}) {
			t.Errorf("%s: %+v", given, got)
		}
	}
}

// The model can delegate to the agents of the team, and gets the text of the result.
func TestDelegateTool(t *testing.T) {
	var asked []worker.DelegationRequest
	answer, failure := json.RawMessage(`{"text":"42","model":"a/b"}`), error(nil)
	delegate := worker.DelegateTool(
		[]worker.Peer{{ID: "dev", Role: "Developer"}, {ID: "qa", Name: "Quinn"}, {ID: "ops"}},
		func(_ context.Context, r worker.DelegationRequest) (json.RawMessage, error) {
			asked = append(asked, r)
			return answer, failure
		})
	for _, who := range []string{"dev (Developer)", "qa (Quinn)", "ops (agent)"} {
		if !strings.Contains(delegate.Description, who) {
			t.Errorf("the model isn't told of %s: %s", who, delegate.Description)
		}
	}
	var schema struct {
		Properties map[string]struct{ Enum []string }
		Required   []string
	}
	if err := json.Unmarshal(delegate.Schema, &schema); err != nil {
		t.Fatal(err)
	}
	if got := schema.Properties["agent"].Enum; !reflect.DeepEqual(got, []string{"dev", "qa", "ops"}) {
		t.Errorf("agents %q", got)
	}
	if got := schema.Properties["type"].Enum; len(got) != len(task.Types) || got[0] != string(task.Types[0].Type) {
		t.Errorf("types %q", got)
	}

	set := tool.NewSet(tool.Options{Policies: tool.Policies{Default: tool.Auto}}, delegate)
	use := func(arguments string) tool.Outcome {
		t.Helper()
		o, err := set.Use(t.Context(), worker.Delegate, arguments, "")
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	if o := use(`{"agent":"dev","task":"count","type":"complex_task"}`); o.Failed || o.Text != "42" {
		t.Errorf("%+v", o)
	}
	want := worker.DelegationRequest{Agent: "dev", Prompt: "count", TaskType: "complex_task"}
	if len(asked) != 1 || asked[0] != want {
		t.Errorf("delegated %+v", asked)
	}
	answer = json.RawMessage(`{"exitCode":1}`)
	if o := use(`{"agent":"qa","task":"test"}`); o.Failed || o.Text != `{"exitCode":1}` {
		t.Errorf("a result without text: %+v", o)
	}
	failure = errors.New("the budget is used up")
	if o := use(`{"agent":"qa","task":"test"}`); !o.Failed || !strings.Contains(o.Text, "the budget is used up") {
		t.Errorf("the model must see the failure: %+v", o)
	}
	if o := use(`{"agent":"qa","prompt":"test"}`); !o.Failed || len(asked) != 3 {
		t.Errorf("a mistaken call: %+v, delegated %+v", o, asked)
	}
}
