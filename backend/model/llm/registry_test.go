package llm

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"agentflow/backend/base/errcode"
)

func TestDemoSaysSo(t *testing.T) {
	r := NewRegistry(Options{})
	for question, want := range map[string]string{
		"Hello there": "This is a demo", "こんにちは": "デモ", "予定を教えて": "デモ", "": "This is a demo",
	} {
		var pieces []string
		a, err := r.Stream(t.Context(), Request{Model: "demo/echo", Messages: []Message{{Role: RoleUser, Text: question}}}, func(d string) error {
			pieces = append(pieces, d)
			return nil
		})
		if err != nil || !strings.Contains(a.Text, want) || !strings.Contains(a.Text, question) || strings.Join(pieces, "") != a.Text {
			t.Errorf("%q: %+v, %q, %v", question, a, pieces, err)
		}
		if len(pieces) < 3 || a.Model != "demo/echo" || a.Finish != FinishStop {
			t.Errorf("%q came in %d pieces, %+v", question, len(pieces), a)
		}
	}
	for language, before := range map[string]string{"nothing to add": "Hello there", "これ以上": "こんにちは"} { // what the room asks is nobody's words
		for _, asked := range []string{demoGoOn, demoSumUp} {
			a, err := r.Stream(
				t.Context(),
				Request{
					Model:    "demo/echo",
					Messages: []Message{{Role: RoleUser, Text: before}, {Role: RoleUser, Text: asked}},
				},
				func(string) error { return nil },
			)
			if err != nil || !strings.Contains(a.Text, language) || strings.Contains(a.Text, asked) {
				t.Errorf("%q: %+v, %v", asked, a, err)
			}
		}
	}
	if _, _, err := ask(t.Context(), r, "demo/gpt"); !errcode.Is(err, errcode.NotFound) {
		t.Errorf("another demo model gave %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	slow := NewRegistry(Options{DemoPause: time.Hour})
	if _, _, err := ask(ctx, slow, "demo/echo"); err == nil {
		t.Error("a cancelled demo answered")
	}
}

func TestFindingTheProvider(t *testing.T) {
	configs := []ProviderConfig{
		{Name: "one", Kind: KindOpenAI, BaseURL: "http://127.0.0.1:1/v1"},
		{Name: "two", Kind: KindOllama},
		{Name: "two", Kind: KindOllama},
		{Name: "cli", Kind: KindCLI, Command: "llm"},
		{Name: "odd", Kind: "parrot"},
		{Name: "bad", Kind: KindOpenAI, BaseURL: "http://user:" + testKey + "@host/v1"},
		{Name: "demo", Kind: KindOpenAI, BaseURL: "http://127.0.0.1:1"},
	}
	r := NewRegistry(Options{Providers: configs})
	for model, want := range map[Model]errcode.Code{
		"one/m": "", "m": "", "two/m": "", "demo/echo": "",
		"": errcode.Validation, "one/": errcode.Validation, " ": errcode.Validation,
		"nobody/m": errcode.NotFound, "cli/m": "", "odd/m": errcode.Validation, "bad/m": errcode.Validation,
	} {
		err := r.Check(model)
		if want == "" && err != nil || want != "" && !errcode.Is(err, want) {
			t.Errorf("%q: got %v, want %q", model, err, want)
		}
		if err != nil {
			noKey(t, err)
		}
	}
	if r.Default() != "one" || NewRegistry(Options{Providers: configs, Default: "two"}).Default() != "two" {
		t.Error("another default")
	}
	if err := r.Check("nobody/m"); !strings.Contains(err.Error(), "one, two") {
		t.Errorf("it does not name who is there: %v", err)
	}
}

// The demo is never chosen silently: without a provider there is an error.
func TestNothingConfigured(t *testing.T) {
	r := NewRegistry(Options{})
	if r.Default() != "ollama" {
		t.Fatalf("the default is %q", r.Default())
	}
	gone := serve(t, sse(end))
	r.entries[0].provider.(*ollama).base = gone.URL + "/v1"
	gone.Close()
	_, _, err := ask(t.Context(), r, "qwen3")
	if !errcode.Is(err, errcode.Unavailable) || !strings.Contains(err.Error(), "no model provider is configured") {
		t.Fatalf("got %v", err)
	}
	offers := r.Offers(t.Context())
	if len(offers) != 1 || offers[0].Provider != "demo" || offers[0].Default || offers[0].Models[0] != "demo/echo" {
		t.Fatalf("offers %+v", offers)
	}
}

func TestEnvironment(t *testing.T) {
	cases := []struct {
		vars  map[string]string
		names string
		base  string // of the first
	}{
		{map[string]string{"OPENAI_BASE_URL": "http://h:1/v1/"}, "openai,ollama,demo", "http://h:1/v1"},
		{map[string]string{"OPENAI_API_KEY": testKey}, "openai,ollama,demo", "https://api.openai.com/v1"},
		{map[string]string{"OLLAMA_HOST": "0.0.0.0"}, "ollama,demo", "http://127.0.0.1:11434/v1"},
		{map[string]string{"OLLAMA_HOST": "box:99"}, "ollama,demo", "http://box:99/v1"},
		{map[string]string{"OLLAMA_HOST": "https://box/"}, "ollama,demo", "https://box/v1"},
		{nil, "ollama,demo", "http://127.0.0.1:11434/v1"},
	}
	for _, c := range cases {
		r := NewRegistry(Options{Getenv: env(c.vars)})
		if got := strings.Join(names(r.entries), ","); got != c.names {
			t.Errorf("%v gave %s", c.vars, got)
		}
		base := ""
		switch p := r.entries[0].provider.(type) {
		case *chatServer:
			base = p.base
		case *ollama:
			base = p.base
		}
		if got := base; got != c.base {
			t.Errorf("%v gave %s", c.vars, got)
		}
	}
}

func TestOllama(t *testing.T) {
	s := serve(t,
		status(200, `{"models":[{"name":"qwen3:latest"},{"name":"llama3:8b"}]}`),
		lines(`{"message":{"role":"assistant","content":"","thinking":"hm"},"done":false}`, said("hi"), done),
		status(404, `{"error":"model \"x\" not found, try pulling it first"}`))
	r := s.registryOf(KindOllama, "")
	offers := r.Offers(t.Context())
	if o := offers[0]; o.Error != nil || len(o.Models) != 2 || o.Models[0] != "srv/llama3:8b" || o.Models[1] != "srv/qwen3" || !o.Default {
		t.Fatalf("offers %+v", offers)
	}
	if a, _, err := ask(t.Context(), r, "qwen3"); err != nil || a.Text != "hi" || a.Model != "srv/qwen3" {
		t.Fatalf("%+v, %v", a, err)
	}
	if _, _, err := ask(t.Context(), r, "x"); !errcode.Is(err, errcode.NotFound) || !strings.Contains(err.Error(), "try pulling it first") {
		t.Fatalf("got %v", err)
	}
	if s.requests[0].URL.Path != "/api/tags" || s.requests[1].URL.Path != "/api/chat" {
		t.Fatalf("asked %s and %s", s.requests[0].URL, s.requests[1].URL)
	}
}

func TestOffersTellWhatIsWrong(t *testing.T) {
	s := serve(t, status(401, `{"error":{"message":"no"}}`))
	offers := s.registry().Offers(t.Context())
	if len(offers) != 2 || offers[0].Error == nil || offers[0].Error.Code != errcode.Unauthorized || len(offers[0].Models) != 0 {
		t.Fatalf("offers %+v", offers)
	}
	s = serve(t, status(200, `{"object":"list","data":[{"id":"b"},{"id":"a"}]}`))
	offers = s.registry().Offers(t.Context())
	if o := offers[0]; o.Error != nil || len(o.Models) != 2 || o.Models[0] != "srv/a" {
		t.Fatalf("offers %+v", offers)
	}
}

// overloaded fails so often, and then answers.
type overloaded struct {
	times int
	err   error
	asked []time.Time
}

func (o *overloaded) Models(context.Context) ([]string, error) { return nil, nil }

func (o *overloaded) Stream(_ context.Context, _ Request, onDelta func(string) error) (Answer, error) {
	o.asked = append(o.asked, time.Now())
	if len(o.asked) <= o.times {
		return Answer{}, o.err
	}
	return Answer{Text: "x", Finish: FinishStop}, onDelta("x")
}

// Tries are 1, 2 and 4 s apart, or as far as the provider asks for.
func TestRetryPauses(t *testing.T) {
	cases := map[string]struct {
		err  error
		want []time.Duration
	}{
		"plain": {errcode.New(errcode.Unavailable, "x").With(keyStatus, 503),
			[]time.Duration{time.Second, 2 * time.Second, 4 * time.Second}},
		"asked":  {rateLimited(3*time.Second, "x"), []time.Duration{3 * time.Second, 3 * time.Second, 4 * time.Second}},
		"never":  {errcode.New(errcode.Unavailable, "not running"), nil},
		"denied": {errcode.New(errcode.Unauthorized, "x"), nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := &overloaded{times: 3, err: c.err}
				r := &Registry{entries: []entry{{name: "o", provider: o}}, waits: Waits{}.orDefaults()}
				_, _, err := ask(t.Context(), r, "o/m")
				if (err == nil) != (c.want != nil) || len(o.asked) != len(c.want)+1 {
					t.Fatalf("%v after %d tries", err, len(o.asked))
				}
				for i, want := range c.want {
					if got := o.asked[i+1].Sub(o.asked[i]); got != want {
						t.Errorf("pause %d was %s, want %s", i+1, got, want)
					}
				}
			})
		})
	}
}

// Who holds a lock while it checks a model, such as the coordinator, waits for no network.
func TestACheckLooksForNoOllama(t *testing.T) {
	r := NewRegistry(Options{LookPath: func(string) (string, error) { return "/bin/llm", nil }})
	r.listens = func(string) bool {
		t.Error("it looked for an Ollama")
		return false
	}
	if err := r.Check("qwen3"); err != nil {
		t.Error(err)
	}
}

// While it is looked whether an Ollama is there, which takes a moment, the settings can be changed
// and others can ask.
func TestNobodyWaitsWhileAnOllamaIsLookedFor(t *testing.T) {
	found := Options{LookPath: func(string) (string, error) { return "/bin/llm", nil }}
	r := NewRegistry(found)
	looking, done := make(chan struct{}), make(chan struct{})
	r.listens = func(string) bool {
		looking <- struct{}{}
		<-done
		return false
	}
	name := make(chan string)
	go func() { name <- r.Default() }()
	<-looking
	changed := make(chan struct{})
	go func() {
		defer close(changed)
		r.Configure(found)
		_ = r.Check("demo/echo")
	}()
	select {
	case <-changed:
	case <-time.After(time.Minute):
		t.Error("they wait")
	}
	close(done)
	if got := <-name; got != "llm" {
		t.Errorf("the default is %q", got)
	}
}
