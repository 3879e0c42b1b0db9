package llm

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
)

const twoModels = `{"object":"list","data":[{"id":"text-embedding-3"},{"id":"zeta"}]}`

func TestTryAsksOneQuestion(t *testing.T) {
	s := serve(t, status(200, twoModels), sse(delta("ready"), finish, end))
	config := ProviderConfig{Name: "new", Kind: KindOpenAI, BaseURL: s.URL + "/v1"}
	opts := Options{Secret: func(_, address string) string {
		if address == s.URL+"/v1" {
			return testKey
		}
		return ""
	}}
	got, err := TestProvider(t.Context(), config, "", opts)
	if err != nil || got.Answer != "ready" || got.Model != "new/zeta" || got.Models != 2 || got.Took <= 0 {
		t.Fatalf("%+v, %v", got, err)
	}
	if key := s.requests[1].Header.Get("Authorization"); key != "Bearer "+testKey || s.bodies[1]["model"] != "zeta" {
		t.Errorf("asked with %q, %v", key, s.bodies[1])
	}
	if got, err := TestProvider(t.Context(), ProviderConfig{Kind: KindDemo}, "", opts); err != nil || !strings.Contains(got.Answer, "demo") {
		t.Errorf("the demo: %+v, %v", got, err)
	}
}

// A question is asked once: who tries wants to know how it stands now.
func TestTryDoesNotTryAgain(t *testing.T) {
	s := serve(t, status(200, twoModels), status(503, `{"error":{"message":"overloaded `+testKey+`"}}`))
	_, err := TestProvider(t.Context(), ProviderConfig{Name: "new", Kind: KindOpenAI, BaseURL: s.URL}, "zeta",
		Options{Secret: func(_, _ string) string { return testKey }})
	if !errcode.HasReason(err, ReasonFailed) || s.count() != 2 {
		t.Errorf("%v after %d requests", err, s.count())
	}
	noKey(t, err)
	for name, c := range map[string]struct {
		config ProviderConfig
		reason string
	}{
		"nothing there": {ProviderConfig{Name: "n", Kind: KindOllama, BaseURL: "http://127.0.0.1:1"}, ReasonNotRunning},
		"key refused":   {ProviderConfig{Name: "n", Kind: KindOpenAI, BaseURL: serve(t, status(401, `{"error":{"message":"bad"}}`)).URL}, ReasonBadKey},
		"no model":      {ProviderConfig{Name: "n", Kind: KindOllama, BaseURL: serve(t, status(200, `{"models":[]}`)).URL}, ReasonNoModel},
	} {
		if _, err := TestProvider(t.Context(), c.config, "", Options{}); !errcode.HasReason(err, c.reason) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestConfigureReplacesWhatIsKnown(t *testing.T) {
	r := NewRegistry(Options{Providers: []ProviderConfig{{Name: "a", Kind: KindOllama}}})
	r.Configure(Options{
		Providers: []ProviderConfig{
			{Name: "b", Kind: KindOllama},
			{Name: "openai", Kind: KindOpenAI},
		},
		Default:  "openai",
		Getenv:   env(map[string]string{"OPENAI_API_KEY": testKey, "OLLAMA_HOST": "box"}),
		LookPath: func(string) (string, error) { return "/bin/llm", nil },
	})
	var got []string
	for _, p := range r.Providers() {
		mark := ""
		if p.Default {
			mark = "*"
		}
		got = append(got, p.Name+mark+" "+p.Source)
	}
	if want := "b file,openai* file,ollama environment,llm found,demo builtin"; strings.Join(got, ",") != want {
		t.Errorf("got %v", got)
	}
	if r.Check("a/x") == nil || r.Check("b/x") != nil {
		t.Error("the old ones are still known")
	}
	found := NewRegistry(Options{LookPath: func(string) (string, error) { return "/bin/llm", nil }})
	found.listens = func(string) bool { return true }
	if p := found.Providers(); len(p) != 3 || p[1].Name != "llm" || p[1].Source != SourceFound || p[1].Command != "/bin/llm" {
		t.Errorf("found %+v", p)
	}
	none := NewRegistry(Options{LookPath: func(string) (string, error) { return "", errors.New("none") }})
	none.listens = found.listens
	if p := none.Providers(); len(p) != 2 || !p[0].Default {
		t.Errorf("found %+v", p)
	}
	none.listens = func(string) bool { return false }
	if p := none.Providers(); len(p) != 1 || p[0].Name != demoName || p[0].Default {
		t.Errorf("found %+v where no Ollama is", p)
	}
}

// The models that a provider listed are known without asking it again, until the configuration changes.
func TestOffered_RemembersWhatProvidersListed(t *testing.T) {
	r := NewRegistry(Options{})
	if offered, _ := r.Offered(); len(offered) != 0 {
		t.Errorf("before any was asked: %v", offered)
	}
	r.Offers(t.Context())
	offered, _ := r.Offered()
	if !slices.Equal(offered["demo"], []string{"echo"}) {
		t.Errorf("after they were asked: %v", offered)
	}
	r.Configure(Options{})
	if offered, _ := r.Offered(); len(offered) != 0 {
		t.Errorf("after the configuration changed: %v", offered)
	}
}
