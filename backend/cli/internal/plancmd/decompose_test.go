package plancmd_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"agentflow/backend/plan"
)

const proposal = `{"type":"decompose","understanding":"ログイン","phases":[{"name":"実装","milestone":"M1","tasks":[
 {"id":"temp-1","title":"フォーム","description":"入力欄","acceptance_criteria":["送信できる"],"dependencies":["t-2"],"wbs_level":3,"estimated_effort":"small"},
 {"id":"temp-2","title":"検証","description":"サーバー","acceptance_criteria":[],"dependencies":["temp-1"],"wbs_level":3,"estimated_effort":"large"}]}],"potential_conflicts":[]}`

// modelServer answers every question with the text, as an OpenAI-compatible server does.
func modelServer(t *testing.T, text string) *atomic.Int64 {
	t.Helper()
	asked := new(atomic.Int64)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/models" {
			_, _ = fmt.Fprint(w, `{"data":[{"id":"stub-1"}]}`)
			return
		}
		asked.Add(1)
		w.Header().Set("Content-Type", "text/event-stream")
		data, _ := json.Marshal(map[string]any{
			"choices": []any{
				map[string]any{"index": 0, "delta": map[string]any{"content": text}, "finish_reason": "stop"},
			},
		})
		_, _ = fmt.Fprintf(w, "data: %s\n\ndata: [DONE]\n\n", data)
	}))
	t.Cleanup(s.Close)
	t.Setenv("AGENTFLOW_DATA", t.TempDir())
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	t.Setenv("OPENAI_BASE_URL", s.URL+"/v1")
	t.Setenv("OPENAI_API_KEY", "sk-test")
	return asked
}

func TestME8_DecomposeCommand(t *testing.T) {
	asked := modelServer(t, proposal)
	from := file(t, "plan.json", twoTasks)
	code, out, errs := run(t, "", "plan", "decompose", "--plan", from, "--goal", "ログインページ", "--json")
	var got struct{ Type, Understanding string }
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != 0 || got.Type != "decompose" || got.Understanding != "ログイン" {
		t.Fatalf("exit %d: %s %s", code, out, errs)
	}
	to := filepath.Join(t.TempDir(), "new.json")
	if code, out, errs = run(t, "ログインページ", "plan", "decompose", "--plan", from, "--wish", "-", "--model", "openai/stub-1", "--apply", "-o", to); code != 0 || out != "" {
		t.Fatalf("exit %d: %s %s", code, out, errs)
	}
	code, out, _ = run(t, "", "plan", "show", to)
	if code != 0 || strings.Count(out, "\n") != 4 || !strings.Contains(out, "フォーム  after t-2") || !strings.Contains(out, "検証  after ") {
		t.Errorf("exit %d:\n%s", code, out)
	}
	if now, _ := os.ReadFile(from); string(now) != twoTasks || asked.Load() != 2 {
		t.Errorf("the plan file has changed, or the model was asked %d times", asked.Load())
	}
}

func TestME10_ShowPromptSendsNothing(t *testing.T) {
	asked := modelServer(t, proposal)
	history := file(t, "history.json", `[{"role":"user","content":"`+strings.Repeat("長", 400)+`"}]`)
	code, out, errs := run(t, "", "plan", "decompose", "--plan", file(t, "plan.json", twoTasks), "--wish", "w", "--history", history, "--show-prompt")
	if code != 0 || !strings.Contains(out, `"t-2"`) || strings.Count(out, "長") != 300 || !strings.Contains(out, "テックリード") || asked.Load() != 0 {
		t.Errorf("exit %d, asked %d times: %s %s", code, asked.Load(), out, errs)
	}
}

func TestME5_DecomposeGivesUp(t *testing.T) {
	asked := modelServer(t, "I would rather talk about the weather.")
	code, out, errs := run(t, "", "plan", "decompose", "--plan", file(t, "plan.json", twoTasks), "--wish", "w")
	if code != 1 || out != "" || !strings.Contains(errs, "in 4 attempts") || asked.Load() != 4 {
		t.Errorf("exit %d after %d questions: %s %s", code, asked.Load(), out, errs)
	}
	t.Setenv("META_TIMEOUT_SEC", "soon")
	if code, _, errs := run(t, "", "plan", "decompose", "--plan", file(t, "plan.json", twoTasks), "--wish", "w"); code != 2 || !strings.Contains(errs, "META_TIMEOUT_SEC") {
		t.Errorf("exit %d: %s", code, errs)
	}
}

// A goal for a plan that has tasks becomes a plan_patch document, and with --apply a plan.
func TestME9_AGoalBecomesAPatch(t *testing.T) {
	answer := patch(
		`{"op":"update","task_id":"t-1","title":"別の名前"},{"op":"create","temp_id":"temp-1","title":"三つ目","dependencies":["t-2"]}`,
	)
	asked := modelServer(t, answer)
	from := file(t, "plan.json", twoTasks)
	code, out, errs := run(t, "", "plan", "patch", "--plan", from, "--goal", "三つ目も", "--json")
	var got plan.Patch
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != 0 || got.Type != "plan_patch" || len(got.Payload.Operations) != 2 {
		t.Fatalf("exit %d: %s %s", code, out, errs)
	}
	to := filepath.Join(t.TempDir(), "new.json")
	if code, out, errs = run(t, "", "plan", "patch", "--plan", from, "--wish", "三つ目も", "--apply", "-o", to); code != 0 || out != "" {
		t.Fatalf("exit %d: %s %s", code, out, errs)
	}
	if code, out, _ = run(t, "", "plan", "show", to); code != 0 || !strings.Contains(out, "別の名前") || !strings.Contains(out, "三つ目  after t-2") || asked.Load() != 2 {
		t.Errorf("exit %d after %d questions:\n%s", code, asked.Load(), out)
	}
	if code, out, _ = run(t, "", "plan", "patch", "--plan", from, "--wish", "w", "--show-prompt"); code != 0 || !strings.Contains(out, "plan_patch") || asked.Load() != 2 {
		t.Errorf("the prompt: exit %d, %d questions:\n%s", code, asked.Load(), out)
	}
	for _, wrong := range [][]string{{}, {"-", "--wish", "w"}, {"--wish", "w", "-o", to}, {"-", "--apply"}} {
		if code, _, errs := run(t, "", append([]string{"plan", "patch", "--plan", from}, wrong...)...); code != 2 {
			t.Errorf("%v: exit %d: %s", wrong, code, errs)
		}
	}
}
