package llm

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"

	"agentflow/backend/errcode"
)

// Kinds of a provider.
const (
	KindDemo   = "demo"
	KindOpenAI = "openai" // any server with OpenAI's chat completions
	KindOllama = "ollama"
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
}

// Options configure a Registry.
type Options struct {
	Providers []ProviderConfig    // empty: what the environment says
	Default   string              // name of the default provider; "" is the first
	Getenv    func(string) string // nil means an empty environment
	Waits     Waits
	DemoPause time.Duration // between two words of the demo
}

// Registry holds the providers. It may be used from anywhere.
type Registry struct {
	entries  []entry
	standard string // name of the default provider; "" where there is none
	guessed  bool   // nobody configured anything: the default is an Ollama that may be there
	waits    Waits
}

type entry struct {
	name, kind string
	provider   Provider
	problem    *errcode.Error // why it cannot be used
}

// NewRegistry makes a Registry. A provider that cannot be used does not keep the others
// from working: asking it, and Offers, tell what is wrong with it.
func NewRegistry(opts Options) *Registry {
	if opts.Getenv == nil {
		opts.Getenv = func(string) string { return "" }
	}
	r := &Registry{waits: opts.Waits.orDefaults()}
	configs := opts.Providers
	if len(configs) == 0 {
		configs = fromEnvironment(opts.Getenv)
		r.guessed = len(configs) == 1 && configs[0].Kind == KindOllama && opts.Getenv("OLLAMA_HOST") == ""
	}
	client := &http.Client{CheckRedirect: noRedirects}
	for _, c := range configs {
		r.add(c, client, opts.Getenv)
	}
	r.entries = append(r.entries, entry{name: demoName, kind: KindDemo, provider: demo{pause: opts.DemoPause}})
	if r.standard = opts.Default; r.standard == "" && len(configs) > 0 {
		r.standard = configs[0].Name
	}
	return r
}

// fromEnvironment is what the usual variables say; an Ollama at its usual address is
// always worth asking.
func fromEnvironment(getenv func(string) string) []ProviderConfig {
	var out []ProviderConfig
	if base, key := getenv("OPENAI_BASE_URL"), getenv("OPENAI_API_KEY"); base != "" || key != "" {
		c := ProviderConfig{Name: "openai", Kind: KindOpenAI, BaseURL: base}
		if key != "" {
			c.APIKeyEnv = "OPENAI_API_KEY"
		}
		out = append(out, c)
	}
	return append(out, ProviderConfig{Name: "ollama", Kind: KindOllama, BaseURL: ollamaHost(getenv("OLLAMA_HOST"))})
}

// ollamaHost reads OLLAMA_HOST, which may lack scheme and port, and may be the address
// that the server listens on.
func ollamaHost(host string) string {
	if host == "" {
		return ollamaAddress
	}
	if !strings.Contains(host, "://") {
		host = "http://" + host
	}
	u, err := url.Parse(host)
	if err != nil {
		return host // add says what is wrong with it
	}
	name, port := u.Hostname(), u.Port()
	if port == "" && u.Scheme == "http" {
		port = "11434"
	}
	if name == "0.0.0.0" || name == "::" || name == "" {
		name = "127.0.0.1"
	}
	if u.Host = name; port != "" {
		u.Host = net.JoinHostPort(name, port)
	}
	return u.String()
}

func (r *Registry) add(c ProviderConfig, client *http.Client, getenv func(string) string) {
	e := entry{name: c.Name, kind: c.Kind}
	bad := func(field, format string, args ...any) {
		e.problem = errcode.New(errcode.Validation, "the provider "+c.Name+" cannot be used: "+format, args...).
			With(errcode.KeyField, "providers."+c.Name+"."+field)
	}
	base, err := baseURL(c)
	switch {
	case c.Kind != KindOpenAI && c.Kind != KindOllama:
		bad("kind", "this version does not know the kind %q; it knows %s and %s", c.Kind, KindOpenAI, KindOllama)
	case c.Name == "" || strings.Contains(c.Name, "/") || c.Name == demoName:
		bad("name", "its name must not be empty, hold a slash, or be %q", demoName)
	case slices.ContainsFunc(r.entries, func(o entry) bool { return o.name == c.Name }):
		bad("name", "another provider has the same name")
	case err != nil:
		bad("baseUrl", "%s", err.Message)
	default:
		e.provider = &chatServer{
			name: c.Name, base: base, keyEnv: c.APIKeyEnv, http: client, wait: r.waits, tags: c.Kind == KindOllama,
			key: func() string { return strings.TrimSpace(getenv(c.APIKeyEnv)) },
		}
	}
	r.entries = append(r.entries, e)
}

func baseURL(c ProviderConfig) (string, *errcode.Error) {
	base := strings.TrimRight(c.BaseURL, "/")
	switch {
	case base == "" && c.Kind == KindOllama:
		base = ollamaAddress
	case base == "":
		base = openaiAddress
	}
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", errcode.New(errcode.Validation, "baseUrl must be an address such as https://host/v1")
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return "", errcode.New(errcode.Validation, "baseUrl must hold no user, password or query; put the key into an environment variable and name it in apiKeyEnv")
	}
	if c.Kind == KindOllama {
		return strings.TrimSuffix(base, "/v1") + "/v1", nil
	}
	return base, nil
}

// Default returns the name of the default provider, or "".
func (r *Registry) Default() string { return r.standard }

// find returns the provider of a model and the provider's own name of it.
func (r *Registry) find(m Model) (entry, string, error) {
	name, model := m.Split()
	if strings.TrimSpace(model) == "" {
		return entry{}, "", errcode.New(errcode.Validation, "no model is set. Set one such as ollama/qwen3, or %s/%s to try without a model", demoName, demoModel).
			With(errcode.KeyField, "model")
	}
	if name == "" {
		name = r.standard
	}
	for _, e := range r.entries {
		if e.name != name || name == demoName && e.problem != nil {
			continue // the demo cannot be configured away
		}
		if e.problem != nil {
			return entry{}, "", e.problem
		}
		return e, model, nil
	}
	return entry{}, "", errcode.New(errcode.NotFound, "no provider is called %q, which the model %q names. Configured are: %s", name, m, strings.Join(r.names(), ", ")).
		With(errcode.KeyField, "model")
}

func (r *Registry) names() []string {
	out := make([]string, 0, len(r.entries))
	for _, e := range r.entries {
		out = append(out, e.name)
	}
	return out
}

// Check reports why a model cannot be asked, as far as that shows without asking.
func (r *Registry) Check(m Model) error {
	_, _, err := r.find(m)
	return err
}

// Stream asks the model that the request names and hands over every piece of the answer
// as it comes. It tries again, three times at most, where the provider is overloaded,
// fails or takes too long, but never once a piece has come. When ctx ends, its cause is
// returned as it is, and so is an error of onDelta.
func (r *Registry) Stream(ctx context.Context, req Request, onDelta func(delta string) error) (Answer, error) {
	e, model, err := r.find(req.Model)
	if err != nil {
		return Answer{}, err
	}
	req.Model = Model(model)
	began, pauses := false, &pauses{first: r.waits.Retry}
	try := func() (Answer, error) {
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
	a, err := backoff.Retry(ctx, try, backoff.WithBackOff(pauses), backoff.WithMaxTries(maxTries), backoff.WithMaxElapsedTime(0))
	if err != nil {
		return a, r.explain(e, err)
	}
	a.Model = Model(e.name + "/" + model)
	return a, nil
}

// explain tells who never configured a provider how to.
func (r *Registry) explain(e entry, err error) error {
	if r.guessed && e.name == r.standard && errcode.Is(err, errcode.Unavailable) {
		return errcode.Wrap(errcode.Unavailable, err, "no model provider is configured, and no Ollama answers at %s. Start Ollama, set OPENAI_API_KEY or OPENAI_BASE_URL, or add a provider in the settings", ollamaAddress)
	}
	return err
}

// Offer is what one provider has.
type Offer struct {
	Provider string         `json:"provider"`
	Kind     string         `json:"kind"`
	Default  bool           `json:"default"`
	Models   []Model        `json:"models"`
	Error    *errcode.Error `json:"error,omitempty"` // why Models is empty
}

// Offers asks every provider, one after the other, for its models, and lists the default
// first. An Ollama that nobody configured and that does not answer is left out.
func (r *Registry) Offers(ctx context.Context) []Offer {
	out := make([]Offer, 0, len(r.entries))
	for _, e := range r.entries {
		o := Offer{Provider: e.name, Kind: e.kind, Default: e.name == r.standard, Models: []Model{}, Error: e.problem}
		if o.Error == nil {
			names, err := r.list(ctx, e)
			if err != nil && r.guessed && e.kind == KindOllama {
				continue
			}
			o.Error = errcode.From(err)
			for _, n := range names {
				o.Models = append(o.Models, Model(e.name+"/"+n))
			}
		}
		out = append(out, o)
	}
	slices.SortStableFunc(out, func(a, b Offer) int {
		switch {
		case a.Default == b.Default:
			return 0
		case a.Default:
			return -1
		}
		return 1
	})
	return out
}

func (r *Registry) list(ctx context.Context, e entry) ([]string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, 5*time.Second, context.DeadlineExceeded)
	defer cancel()
	return e.provider.Models(ctx)
}
