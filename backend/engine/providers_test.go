package engine_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/model/llm"
	"agentflow/backend/server/httpapi"
	"agentflow/backend/server/httpapi/providersapi"
	"agentflow/backend/team/lint"
	"agentflow/backend/team/topology"
	"agentflow/backend/work/coordinator"
	"agentflow/backend/work/task"
)

const providerKey = "sk-planted-provider-key"

// modelServer is an OpenAI-compatible server that wants the key.
type modelServer struct {
	*httptest.Server
	mu   sync.Mutex
	keys []string
}

func startModels(t *testing.T) *modelServer {
	t.Helper()
	s := new(modelServer)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key := r.Header.Get("Authorization")
		s.mu.Lock()
		s.keys = append(s.keys, key)
		s.mu.Unlock()
		switch {
		case key != "Bearer "+providerKey:
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = fmt.Fprintf(w, `{"error":{"message":"wrong key %s"}}`, key)
		case strings.HasSuffix(r.URL.Path, "/v1/models"):
			_, _ = w.Write([]byte(`{"object":"list","data":[{"id":"small"},{"id":"large"}]}`))
		default:
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = w.Write([]byte(`data: {"choices":[{"index":0,"delta":{"content":"ready"},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"))
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func edit(base string, key *string) providersapi.ProviderEdit {
	return providersapi.ProviderEdit{Name: "mine", Kind: llm.KindOpenAI, BaseURL: base, Key: key}
}

// A provider is tried, kept, used without a restart, moved and removed; its key is in
// the keyring's place only, and belongs to one address.
func TestProvidersFromTheSettings(t *testing.T) {
	t.Parallel()
	models := startModels(t)
	dir := t.TempDir()
	h := startHub(t, dir)
	key, wrong := providerKey, "sk-wrong-planted"
	var trial providersapi.Trial
	h.must("POST", "/api/provider-test", map[string]any{"provider": edit(models.URL, &wrong)}, &trial)
	if trial.Failure == nil || trial.Failure.Reason() != llm.ReasonBadKey || strings.Contains(trial.Failure.Message, wrong) {
		t.Fatalf("with a wrong key: %+v", trial.Failure)
	}
	h.must("POST", "/api/provider-test", map[string]any{"provider": edit(models.URL, &key)}, &trial)
	if trial.Answer != "ready" || trial.Models != 2 || trial.Model != "mine/large" {
		t.Fatalf("the trial went %+v", trial)
	}
	var made providersapi.Provider
	h.must("POST", "/api/providers", edit(models.URL, &key), &made)
	if made.BaseURL != models.URL+"/v1" || !made.HasKey || made.Source != llm.SourceFile || !made.Default {
		t.Fatalf("made %+v", made)
	}
	var offer llm.Offer
	h.must("GET", "/api/providers/mine/models", nil, &offer)
	if len(offer.Models) != 2 || offer.Models[0] != "mine/large" {
		t.Fatalf("offers %+v", offer)
	}
	var everything json.RawMessage
	h.must("GET", "/api/providers", nil, &everything)
	file, err := os.ReadFile(filepath.Join(dir, "agentflow.yaml"))
	if err != nil || strings.Contains(string(everything)+string(file), providerKey) {
		t.Errorf("the key leaked: %v %s %s", err, everything, file)
	}
	if status, fail := h.call("POST", "/api/providers", edit(models.URL, nil), nil); status != 409 {
		t.Errorf("a second one of the name: %d %v", status, fail)
	}

	// At another address the key is gone, and nobody gets it there.
	other := startModels(t)
	h.must("PUT", "/api/providers/mine", edit(other.URL, nil), &made)
	h.must("GET", "/api/providers/mine/models", nil, &offer)
	if made.HasKey || offer.Error == nil || len(other.keys) == 0 {
		t.Errorf("moved: %+v, %+v", made, offer.Error)
	}
	for _, k := range other.keys {
		if strings.Contains(k, providerKey) {
			t.Error("the key followed to another address")
		}
	}
	if status, _ := h.call("DELETE", "/api/providers/mine", nil, nil); status != 204 {
		t.Errorf("removing answered %d", status)
	}
	if secrets, _ := os.ReadFile(filepath.Join(dir, "secrets.json")); strings.Contains(string(secrets), providerKey) {
		t.Errorf("the key outlives its provider: %s", secrets)
	}
}

// Two providers with one URL have a key each. A key keeps to its provider when that is renamed, and goes with it.
func TestProvidersWithOneURLHaveAKeyEach(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h := startHub(t, dir)
	provider := func(name string, key *string) (p providersapi.Provider) {
		e := edit("http://127.0.0.1:9/v1", key)
		e.Name = name
		h.must("POST", "/api/providers", e, &p)
		return p
	}
	secrets := func() string {
		data, err := os.ReadFile(filepath.Join(dir, "secrets.json"))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		return string(data)
	}
	one, two := "sk-planted-one", "sk-planted-two"
	provider("plain", nil)
	provider("first", &one)
	provider("second", &two)
	var list struct{ Providers []providersapi.Provider }
	h.must("GET", "/api/providers", nil, &list)
	for _, p := range list.Providers {
		if p.Source == llm.SourceFile && p.HasKey != (p.Name != "plain") {
			t.Errorf("%+v", p)
		}
	}
	if kept := secrets(); !strings.Contains(kept, one) || !strings.Contains(kept, two) {
		t.Errorf("kept %s", kept)
	}
	renamed := edit("http://127.0.0.1:9/v1", nil)
	renamed.Name = "third"
	var made providersapi.Provider
	h.must("PUT", "/api/providers/second", renamed, &made)
	if kept := secrets(); !made.HasKey || strings.Count(kept, two) != 1 {
		t.Errorf("renamed: %+v, %s", made, kept)
	}
	if status, _ := h.call("DELETE", "/api/providers/third", nil, nil); status != 204 {
		t.Errorf("removing answered %d", status)
	}
	if kept := secrets(); strings.Contains(kept, two) || !strings.Contains(kept, one) {
		t.Errorf("after one was removed: %s", kept)
	}
}

// A task that waits for a provider starts as soon as it's there.
func TestCO3_ATaskStartsWhenItsProviderIsThere(t *testing.T) {
	t.Parallel()
	models, key := startModels(t), providerKey
	h := startHub(t, t.TempDir())
	h.applyTeam("agents:\n  dev-1: {name: Dev, role: Developer, model: mine/large}\n")
	sent := h.submit("chat", "hello", nil)
	var got struct {
		Status task.Status
		Waits  *coordinator.Waits
	}
	h.must("GET", "/tasks/"+sent.TaskID, nil, &got)
	if got.Waits == nil || got.Waits.Reason != coordinator.WaitsForAbility {
		t.Fatalf("%+v", got)
	}
	h.must("POST", "/api/providers", edit(models.URL, &key), nil)
	poll(t, func() bool {
		h.must("GET", "/tasks/"+sent.TaskID, nil, &got)
		return got.Status == task.Completed
	})
}

func TestProvidersThatAreNotInTheFile(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", providerKey)
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
	h := startHub(t, t.TempDir())
	var list struct{ Providers []providersapi.Provider }
	h.must("GET", "/api/providers", nil, &list)
	if p := list.Providers[0]; p.Name != "openai" || p.Source != llm.SourceEnvironment || !p.HasKey || p.APIKeyEnv != "OPENAI_API_KEY" {
		t.Fatalf("first %+v", p)
	}
	if last := list.Providers[len(list.Providers)-1]; last.Name != "demo" || last.Source != llm.SourceBuiltin || last.Default {
		t.Errorf("last %+v", last)
	}
	change := providersapi.ProviderEdit{Name: "openai", Kind: llm.KindOpenAI, BaseURL: "http://127.0.0.1:2/v1"}
	if status, fail := h.call("PUT", "/api/providers/openai", change, nil); status != 400 || fail.Reason() != "not_in_file" {
		t.Errorf("changing it: %d %v", status, fail)
	}
	if status, fail := h.call("DELETE", "/api/providers/openai", nil, nil); status != 400 || !errcode.Is(fail, errcode.Validation) {
		t.Errorf("removing it: %d %v", status, fail)
	}
	var trial providersapi.Trial
	h.must("POST", "/api/provider-test",
		map[string]any{"provider": providersapi.ProviderEdit{Name: "demo", Kind: llm.KindDemo}}, &trial)
	if trial.Failure != nil || !strings.Contains(trial.Answer, "demo") {
		t.Errorf("the demo: %+v", trial)
	}
}

// APP-3: the page looks at an open team again when rulesAt of its gateway changes. For the built-in gateway that is
// each change of the providers: the removal of one that agents name is a problem of theirs.
func TestAPP3_ARemovedProviderIsAProblemOfTheOpenTeam(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	rules := func() time.Time {
		t.Helper()
		var out struct{ Gateways []httpapi.Gateway }
		h.must("GET", "/api/gateways", nil, &out)
		return out.Gateways[0].RulesAt
	}
	far := map[string]any{"name": "far", "kind": "openai", "baseUrl": "http://127.0.0.1:9/v1"}
	problems := func(id string) (codes []string) {
		t.Helper()
		for _, p := range h.team(id).Problems {
			if p.Code == lint.UnknownProvider {
				codes = append(codes, string(p.Agent))
			}
		}
		return codes
	}
	first := rules()
	h.must("POST", "/api/providers", far, nil)
	added := rules()
	id := h.drawn("Team", func(t *topology.Topology) {
		t.Agents = []topology.Agent{{ID: "a", Name: "A", Model: "far/large"}}
	})
	if got := problems(id); len(got) != 0 {
		t.Errorf("with its provider: %v", got)
	}
	h.must("DELETE", "/api/providers/far", nil, nil)
	if !added.After(first) || !rules().After(added) {
		t.Errorf("rulesAt was %s, then %s, then %s", first, added, rules())
	}
	if got := problems(id); !slices.Equal(got, []string{"a"}) {
		t.Errorf("without its provider: %v", got)
	}
}
