package llm

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"

	"agentflow/backend/base/errcode"
)

// Kinds of a provider.
const (
	KindDemo   = "demo"
	KindOpenAI = "openai" // any server with OpenAI's chat completions
	KindOllama = "ollama"
	KindCLI    = "llm-cli" // the llm command, or one that takes the same arguments
)

// Sources of a provider.
const (
	SourceFile        = "file"
	SourceEnvironment = "environment" // the usual variables; it cannot be edited here
	SourceFound       = "found"       // nobody configured it: an Ollama at its usual address, or a command in PATH
	SourceBuiltin     = "builtin"     // the demo
)

const (
	ollamaAddress = "http://127.0.0.1:11434"
	openaiAddress = "https://api.openai.com/v1"
	keyStatus     = "status" // details of a provider's failure
)

// ProviderConfig is one provider as it stands in the configuration. The key itself is
// never written there, only the environment variable that holds it.
type ProviderConfig struct {
	Name      string `json:"name" yaml:"name"`
	Kind      string `json:"kind" yaml:"kind" enum:"openai,ollama,llm-cli"`
	BaseURL   string `json:"baseUrl,omitempty" yaml:"baseUrl,omitempty"`
	APIKeyEnv string `json:"apiKeyEnv,omitempty" yaml:"apiKeyEnv,omitempty"`
	Command   string `json:"command,omitempty" yaml:"command,omitempty"`
	Insecure  bool   `json:"insecure,omitempty" yaml:"insecure,omitempty"` // the key goes to another computer without TLS too
}

// Options configure a Registry.
type Options struct {
	Providers []ProviderConfig    // empty: what the environment says
	Default   string              // name of the default provider; "" is the first
	Prices    map[Model]Price     // by provider/model, or provider/* for all others of it
	Getenv    func(string) string // nil means an empty environment
	// Secret returns the key that is kept for exactly this provider at this address, or "". nil means none.
	Secret func(provider, address string) string
	// LookPath finds a command, as exec.LookPath does; nil finds none.
	LookPath  func(string) (string, error)
	Record    func(CallRecord) // gets every model call once it is over; it must not block. nil: none is recorded
	Waits     Waits
	DemoPause time.Duration // between two words of the demo
}

// Registry holds the providers. It may be used from anywhere.
type Registry struct {
	mu       sync.RWMutex
	entries  []entry
	standard string // name of the default provider; "" where there is none
	guessed  bool   // nobody configured anything: the default is an Ollama that may be there
	waits    Waits
	prices   map[Model]Price
	record   func(CallRecord)
	offered  map[string][]string       // models that each provider listed when it was last asked, by provider
	listens  func(address string) bool // a test's; nil is listens
	since    time.Time                 // when it was configured last
	tell     func()                    // of OnConfigured; can be nil
}

type entry struct {
	name, kind string
	config     ProviderConfig
	source     string
	provider   Provider
	problem    *errcode.Error // why it cannot be used
}

// NewRegistry makes a Registry. A provider that cannot be used does not keep the others
// from working: asking it, and Offers, tell what is wrong with it.
func NewRegistry(opts Options) *Registry {
	r := new(Registry)
	r.Configure(opts)
	return r
}

// Configure replaces everything that the Registry knows. Answers that are being given
// go on as they began.
func (r *Registry) Configure(opts Options) {
	next := build(opts)
	if tell := r.take(next); tell != nil {
		tell()
	}
}

// take replaces what the Registry knows, and returns the function of OnConfigured.
func (r *Registry) take(next *Registry) (tell func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.since = time.Now()
	r.entries, r.standard, r.guessed, r.waits, r.prices, r.record = next.entries, next.standard, next.guessed, next.waits, next.prices, next.record
	r.offered = nil
	return r.tell
}

// Since is when the Registry was configured last.
func (r *Registry) Since() time.Time {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.since
}

// OnConfigured sets what is called each time after the Registry was configured. It must not block.
func (r *Registry) OnConfigured(tell func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tell = tell
}

func build(opts Options) *Registry {
	if opts.Getenv == nil {
		opts.Getenv = func(string) string { return "" }
	}
	if opts.Secret == nil {
		opts.Secret = func(_, _ string) string { return "" }
	}
	r := &Registry{waits: opts.Waits.orDefaults(), prices: maps.Clone(opts.Prices), record: opts.Record}
	for _, c := range opts.Providers {
		r.add(c, SourceFile, opts)
	}
	for _, c := range fromEnvironment(opts) {
		if !slices.ContainsFunc(r.entries, func(e entry) bool { return e.name == c.Name }) {
			r.add(c.ProviderConfig, c.source, opts)
		}
	}
	r.guessed = len(r.entries) > 0 && r.entries[0].source == SourceFound && r.entries[0].kind == KindOllama
	if r.standard = opts.Default; r.standard == "" && len(r.entries) > 0 {
		r.standard = r.entries[0].name
	}
	r.entries = append(r.entries,
		entry{name: demoName, kind: KindDemo, source: SourceBuiltin, provider: demo{pause: opts.DemoPause}})
	return r
}

func (r *Registry) add(c ProviderConfig, source string, opts Options) {
	e := newEntry(c, source, opts, r.waits)
	if slices.ContainsFunc(r.entries, func(o entry) bool { return o.name == c.Name }) {
		e.provider, e.problem = nil, unusable(c, "name", "another provider has the same name")
	}
	r.entries = append(r.entries, e)
}

func unusable(c ProviderConfig, field, format string, args ...any) *errcode.Error {
	return errcode.New(errcode.Validation, "the provider "+c.Name+" cannot be used: "+format, args...).
		With(errcode.KeyField, "providers."+c.Name+"."+field)
}

var client = &http.Client{CheckRedirect: noRedirects}

func newEntry(c ProviderConfig, source string, opts Options, waits Waits) entry {
	e := entry{name: c.Name, kind: c.Kind, config: c, source: source}
	switch base, err := Address(c); {
	case c.Kind != KindOpenAI && c.Kind != KindOllama && c.Kind != KindCLI:
		e.problem = unusable(c, "kind", "this version does not know the kind %q; it knows %s, %s and %s", c.Kind,
			KindOpenAI, KindOllama, KindCLI)
	case c.Name == "" || strings.Contains(c.Name, "/") || c.Name == demoName:
		e.problem = unusable(c, "name", "its name must not be empty, hold a slash, or be %q", demoName)
	case err != nil:
		e.problem = unusable(c, "baseUrl", "%s", err.Message)
	case c.Kind == KindCLI:
		e.provider = &commandLine{name: c.Name, command: cmp.Or(c.Command, defaultCommand), wait: waits}
	default:
		server := chatServer{
			name: c.Name, base: base, keyEnv: c.APIKeyEnv, insecure: c.Insecure, http: client, wait: waits,
			key: func() string {
				if c.APIKeyEnv != "" {
					return strings.TrimSpace(opts.Getenv(c.APIKeyEnv))
				}
				return strings.TrimSpace(opts.Secret(c.Name, base))
			},
		}
		if e.provider = &server; c.Kind == KindOllama {
			e.provider = &ollama{server}
		}
		if refused := server.readable(); refused != nil {
			e.provider, e.problem = nil, refused.With(errcode.KeyField, "providers."+c.Name+".baseUrl")
		}
	}
	return e
}

// Default returns the name of the default provider, or "".
func (r *Registry) Default() string {
	_, standard := r.now()
	return standard()
}

// now returns the providers as they stand, and what tells the default one's name. Where nobody
// configured anything and no Ollama is there, that is the command that was found, if there is one.
// Looking for the Ollama may take a moment, so nobody holds the lock meanwhile.
func (r *Registry) now() (entries []entry, standard func() string) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	entries, name, there := r.entries, r.standard, r.ollamaHere()
	if !r.guessed || len(entries) < 2 || entries[1].source != SourceFound {
		return entries, func() string { return name }
	}
	return entries, func() string {
		if there() {
			return name
		}
		return entries[1].name
	}
}

// ollamaHere looks whether an Ollama is at its usual address.
func (r *Registry) ollamaHere() func() bool {
	there := r.listens
	if there == nil {
		there = listens
	}
	return func() bool { return there(ollamaAddress) }
}

// find returns the provider of a model and the provider's own name of it.
func (r *Registry) find(m Model) (entry, string, error) {
	return find(m, r.now)
}

// configured returns the providers as they stand and the default one, whether it is there or not.
func (r *Registry) configured() (entries []entry, standard func() string) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	entries, name := r.entries, r.standard
	return entries, func() string { return name }
}

func find(m Model, now func() ([]entry, func() string)) (entry, string, error) {
	name, model := m.Split()
	if strings.TrimSpace(model) == "" {
		return entry{}, "", errcode.New(errcode.Validation,
			"no model is set. Set one such as ollama/qwen3, or %s/%s to try without a model", demoName, demoModel).
			With(errcode.KeyField, "model").
			With(errcode.KeyCause, "no_model_set")
	}
	entries, standard := now()
	if name == "" {
		name = standard()
	}
	for _, e := range entries {
		if e.name != name || name == demoName && e.problem != nil {
			continue // the demo cannot be configured away
		}
		if e.problem != nil {
			return entry{}, "", e.problem
		}
		return e, model, nil
	}
	return entry{}, "", errcode.New(errcode.NotFound, "no provider is called %q, which the model %q names. Configured are: %s", name, m, strings.Join(names(entries), ", ")).
		With(errcode.KeyField, "model").
		With(errcode.KeyCause, "no_provider").
		With("model", string(m)).
		With("provider", name)
}

// Names lists all providers that a model can name, without asking any.
func (r *Registry) Names() []string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return names(r.entries)
}

func names(entries []entry) []string {
	out := make([]string, 0, len(entries))
	for _, e := range entries {
		out = append(out, e.name)
	}
	return out
}

// Check reports why a model cannot be asked, as far as that shows without asking. It looks for
// nothing on the network, because the caller may hold a lock.
func (r *Registry) Check(m Model) error {
	_, _, err := find(m, r.configured)
	return err
}

// Stream asks the model that the request names and hands over every piece of the answer
// as it comes. It tries again, three times at most, where the provider is overloaded,
// fails or takes too long, but never once a piece has come. When ctx ends, its cause is
// returned as it is, and so is an error of onDelta.
func (r *Registry) Stream(ctx context.Context, req Request, onDelta func(delta string) error) (Answer, error) {
	at, tries := time.Now(), 0
	a, err := r.ask(ctx, req, &tries, onDelta)
	r.note(ctx, at, tries, req, a, err)
	return a, err
}

func (r *Registry) ask(ctx context.Context, req Request, tries *int, onDelta func(delta string) error) (Answer, error) {
	e, model, err := r.find(req.Model)
	if err != nil {
		return Answer{}, err
	}
	req.Model = Model(model)
	r.mu.RLock()
	began, pauses := false, &retryBackoff{first: r.waits.Retry}
	r.mu.RUnlock()
	try := func() (Answer, error) {
		*tries++
		tried, cancel := req.bound(ctx)
		defer cancel()
		a, err := e.provider.Stream(tried, req, func(delta string) error {
			began = !req.Whole
			return onDelta(delta)
		})
		if err != nil && (began || ctx.Err() != nil || !pauses.allow(err)) {
			err = backoff.Permanent(err)
		}
		return a, err
	}
	a, err := backoff.Retry(ctx, try, backoff.WithBackOff(pauses), backoff.WithMaxTries(maxTries),
		backoff.WithMaxElapsedTime(0))
	a.Model = Model(e.name + "/" + model)
	r.price(&a)
	if err != nil {
		return a, r.explain(e, err)
	}
	return a, nil
}

// explain tells who never configured a provider how to.
func (r *Registry) explain(e entry, err error) error {
	if e.source == SourceFound && e.kind == KindOllama && errcode.Is(err, errcode.Unavailable) {
		return errcode.Wrap(errcode.Unavailable, err, "no model provider is configured, and no Ollama answers at %s. Start Ollama, set OPENAI_API_KEY or OPENAI_BASE_URL, or add a provider in the settings", ollamaAddress).
			With(errcode.KeyReason, ReasonNotRunning)
	}
	return err
}
