package llm

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"agentflow/backend/base/errcode"
)

const (
	listWithin = 5 * time.Second
	askWithin  = time.Minute
)

// Listed is a provider as it is configured, and where that stands.
type Listed struct {
	ProviderConfig
	Source  string
	Default bool
	Problem *errcode.Error // why it cannot be used; nil as far as shows without asking it
}

// Providers lists all of them in their order, the demo last. An Ollama that nobody
// configured is among them, and can be the default, only while it is there.
func (r *Registry) Providers() []Listed {
	entries, chosen := r.now()
	standard, there := chosen(), r.ollamaHere()
	out := make([]Listed, 0, len(entries))
	for _, e := range entries {
		if e.source == SourceFound && e.kind == KindOllama && !there() {
			continue
		}
		c := e.config
		c.Name, c.Kind = e.name, e.kind
		out = append(out, Listed{ProviderConfig: c, Source: e.source, Default: e.name == standard, Problem: e.problem})
	}
	return out
}

// Offer is what one provider has.
type Offer struct {
	Provider string         `json:"provider"`
	Kind     string         `json:"kind"`
	Default  bool           `json:"default"`
	Models   []Model        `json:"models"`
	Error    *errcode.Error `json:"error,omitempty" doc:"Why models is empty."`
}

// Offers asks every provider, one after the other, for its models, and lists the default
// first. An Ollama that nobody configured and that does not answer is left out.
func (r *Registry) Offers(ctx context.Context) []Offer {
	entries, chosen := r.now()
	standard := chosen()
	out := make([]Offer, 0, len(entries))
	for _, e := range entries {
		o := e.offer(ctx)
		if o.Default = e.name == standard; o.Error != nil && e.source == SourceFound && e.kind == KindOllama {
			continue
		}
		r.keepOffered(o)
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

// Offer asks one provider for its models; NOT_FOUND is nobody of that name.
func (r *Registry) Offer(ctx context.Context, name string) (Offer, error) {
	entries, standard := r.now()
	i := slices.IndexFunc(entries, func(e entry) bool { return e.name == name })
	if i < 0 {
		return Offer{}, errcode.New(errcode.NotFound, "no provider is called %q", name)
	}
	e := entries[i]
	o := e.offer(ctx)
	o.Default = e.name == standard()
	r.keepOffered(o)
	return o, nil
}

// keepOffered remembers a provider's list, for Offered.
func (r *Registry) keepOffered(o Offer) {
	if o.Error != nil {
		return
	}
	names := make([]string, 0, len(o.Models))
	for _, m := range o.Models {
		_, name := m.Split()
		names = append(names, name)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.offered == nil {
		r.offered = map[string][]string{}
	}
	r.offered[o.Provider] = names
}

// Offered returns the models that each provider listed when it was last asked, by provider,
// and the name of the default provider. It asks no provider: one that hasn't been asked
// since the configuration changed isn't in the map.
func (r *Registry) Offered() (models map[string][]string, standard string) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return maps.Clone(r.offered), r.standard
}

func (e entry) offer(ctx context.Context) Offer {
	o := Offer{Provider: e.name, Kind: e.kind, Models: []Model{}, Error: e.problem}
	if o.Error != nil {
		return o
	}
	ctx, cancel := context.WithTimeoutCause(ctx, listWithin, context.DeadlineExceeded)
	defer cancel()
	names, err := e.provider.Models(ctx)
	o.Error = errcode.From(err)
	for _, n := range names {
		o.Models = append(o.Models, Model(e.name+"/"+n))
	}
	return o
}

// ProviderTest is how asking a provider one question went.
type ProviderTest struct {
	Model  Model // that was asked, with the provider's name; "" when it did not come to that
	Models int   // how many it offers
	Answer string
	Took   time.Duration // from the question to the end of the answer
}

// tryQuestion asks for as little as a model can say.
const tryQuestion = "Answer with one word only: ready"

// TestProvider asks a provider that need not be configured one short question, once: the given
// model, or, for "", the first that looks as if it could chat.
func TestProvider(ctx context.Context, c ProviderConfig, model string, opts Options) (ProviderTest, error) {
	if opts.Getenv == nil {
		opts.Getenv = func(string) string { return "" }
	}
	if opts.Secret == nil {
		opts.Secret = func(_, _ string) string { return "" }
	}
	var t ProviderTest
	e := newEntry(c, SourceFile, opts, opts.Waits.orDefaults())
	if c.Kind == KindDemo {
		e = entry{name: demoName, kind: KindDemo, provider: demo{pause: opts.DemoPause}}
	}
	o := e.offer(ctx)
	if t.Models = len(o.Models); model == "" {
		if o.Error != nil {
			return t, o.Error
		}
		if model = chatModel(o.Models); model == "" {
			return t, refuse(errcode.NotFound, ReasonNoModel, "the provider %s answers, but has no model yet", c.Name)
		}
	}
	if e.problem != nil {
		return t, e.problem
	}
	t.Model = Model(e.name + "/" + model)
	ctx, cancel := context.WithTimeoutCause(ctx, askWithin, context.DeadlineExceeded)
	defer cancel()
	began := time.Now()
	a, err := e.provider.Stream(ctx,
		Request{Model: Model(model), Messages: []Message{{Role: RoleUser, Text: tryQuestion}}},
		func(string) error { return nil })
	t.Took, t.Answer = time.Since(began), shown(strings.TrimSpace(a.Text))
	return t, err
}

// notForChat are words in the names of models that cannot answer a question.
var notForChat = []string{"embed", "whisper", "tts", "dall-e", "image", "moderation", "audio", "realtime", "transcribe",
	"rerank", "sora", "babbage", "davinci"}

func chatModel(models []Model) string {
	for _, m := range models {
		_, name := m.Split()
		if !slices.ContainsFunc(notForChat, func(w string) bool { return strings.Contains(strings.ToLower(name), w) }) {
			return name
		}
	}
	return ""
}

// OllamaHere lists the models of an Ollama at its usual address; no key is sent.
func OllamaHere(ctx context.Context) ([]string, error) {
	e := newEntry(ProviderConfig{Name: "ollama", Kind: KindOllama}, SourceFound,
		Options{Secret: func(_, _ string) string { return "" }}, Waits{}.orDefaults())
	return e.provider.Models(ctx)
}
