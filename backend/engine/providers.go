package engine

import (
	"cmp"
	"context"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"agentflow/backend/base/config"
	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/client"
	"agentflow/backend/model/llm"
	"agentflow/backend/server/httpapi/providersapi"
)

// Providers is the model providers: their settings, their keys and the registry that
// asks them. Methods may be called from anywhere.
type Providers struct {
	settings *config.Settings
	secrets  *config.Secrets
	registry *llm.Registry
	record   func(llm.CallRecord) // nil: model calls aren't recorded
	changed  func()               // called after each change; nil: nobody waits for it
	probe    func(ctx context.Context, address string, wait time.Duration) (client.Found, bool)
}

var _ providersapi.Providers = (*Providers)(nil)

// NewProviders returns the providers of one data folder. record gets every model call
// once it is over, and must not block; nil: none is recorded.
func NewProviders(settings *config.Settings, secrets *config.Secrets, record func(llm.CallRecord)) *Providers {
	p := &Providers{settings: settings, secrets: secrets, probe: client.Probe, record: record}
	p.registry = llm.NewRegistry(p.options())
	return p
}

// Registry asks them.
func (p *Providers) Registry() *llm.Registry { return p.registry }

// configure has the registry use the settings as they are now.
func (p *Providers) configure() {
	p.registry.Configure(p.options())
	if p.changed != nil {
		p.changed()
	}
}

func (p *Providers) options() llm.Options {
	providers, def := p.settings.Providers()
	opts := llm.Options{
		Default:   def,
		Record:    p.record,
		Prices:    map[llm.Model]llm.Price{},
		Getenv:    os.Getenv,
		LookPath:  exec.LookPath,
		DemoPause: 40 * time.Millisecond,
		Secret: func(name, address string) string {
			key, _ := p.secrets.Get(config.ProviderKey(name, address)) // without one, the provider says what is missing
			return key
		},
	}
	for model, price := range p.settings.Prices() {
		opts.Prices[llm.Model(model)] = llm.Price(price)
	}
	for _, c := range providers {
		opts.Providers = append(opts.Providers, llm.ProviderConfig(c))
	}
	return opts
}

// Providers implements providersapi.Providers.
func (p *Providers) Providers() []providersapi.Provider {
	listed := p.registry.Providers()
	out := make([]providersapi.Provider, 0, len(listed))
	for _, l := range listed {
		out = append(out, p.view(l))
	}
	return out
}

func (p *Providers) view(l llm.Listed) providersapi.Provider {
	v := providersapi.Provider{
		Name: l.Name, Kind: l.Kind, BaseURL: l.BaseURL, Command: l.Command, APIKeyEnv: l.APIKeyEnv,
		Source: l.Source, Default: l.Default, Problem: l.Problem, AllowsInsecure: l.Insecure,
	}
	address, err := llm.Address(l.ProviderConfig)
	if err != nil {
		v.BaseURL = "" // it may hold a password
		return v
	}
	if l.Kind == llm.KindDemo || l.Kind == llm.KindCLI {
		return v
	}
	v.BaseURL = address
	if l.Kind == llm.KindOllama {
		v.BaseURL = strings.TrimSuffix(address, "/v1")
	}
	if l.APIKeyEnv != "" {
		v.HasKey = os.Getenv(l.APIKeyEnv) != ""
		return v
	}
	key, keyErr := p.secrets.Get(config.ProviderKey(l.Name, address))
	v.HasKey = keyErr == nil && key != ""
	return v
}

func (p *Providers) get(name string) (providersapi.Provider, error) {
	for _, v := range p.Providers() {
		if v.Name == name {
			return v, nil
		}
	}
	return providersapi.Provider{}, errcode.New(errcode.NotFound, "no provider is called %q", name)
}

// Offer implements providersapi.Providers.
func (p *Providers) Offer(ctx context.Context, name string) (llm.Offer, error) {
	return p.registry.Offer(ctx, name)
}

// written is what stands in the file of a provider, with the address complete.
func written(edit providersapi.ProviderEdit) config.Provider {
	c := config.Provider{Name: strings.TrimSpace(edit.Name), Kind: edit.Kind, BaseURL: strings.TrimSpace(edit.BaseURL)}
	if edit.Kind == llm.KindCLI {
		c.BaseURL, c.Command = "", strings.TrimSpace(edit.Command)
	}
	if u, err := url.Parse(c.BaseURL); edit.Kind == llm.KindOpenAI && err == nil && u.Host != "" && strings.Trim(u.Path, "/") == "" {
		c.BaseURL = strings.TrimRight(c.BaseURL, "/") + "/v1" // where all of them have it
	}
	return c
}

// PutProvider implements providersapi.Providers. Of a provider that stands in no file only
// whether it is the default can be changed.
func (p *Providers) PutProvider(
	_ context.Context,
	name string,
	edit providersapi.ProviderEdit,
) (providersapi.Provider, error) {
	next := written(edit)
	if name != "" {
		known, err := p.get(name)
		if err != nil {
			return known, err
		}
		if known.Source != llm.SourceFile {
			return p.onlyDefault(known, edit)
		}
	}
	if err := p.check(name, next); err != nil {
		return providersapi.Provider{}, err
	}
	address, _ := llm.Address(llm.ProviderConfig(next))
	old, moved := p.before(name, address)
	if edit.Key == nil && !moved {
		next.APIKeyEnv = old.APIKeyEnv // a key belongs to one address and never follows to another
	}
	if edit.Insecure != nil {
		next.Insecure = *edit.Insecure
	} else if !moved {
		next.Insecure = old.Insecure
	}
	if err := p.checkReadable(next, cmp.Or(name, next.Name), address, edit.Key); err != nil {
		return providersapi.Provider{}, err
	}
	if err := p.keepKey(old, next.Name, address, edit.Key, moved); err != nil {
		return providersapi.Provider{}, err
	}
	if err := p.settings.PutProvider(name, next, edit.Default); err != nil {
		return providersapi.Provider{}, err
	}
	p.configure()
	if old.Name != "" && (moved || old.Name != next.Name) {
		if err := p.forget(old); err != nil {
			return providersapi.Provider{}, err
		}
	}
	return p.get(next.Name)
}

// keepKey saves the key of a provider: the given one, or that of the provider under its old name. A key belongs to one
// provider at one address.
func (p *Providers) keepKey(old config.Provider, name, address string, given *string, moved bool) error {
	if address == "" || given == nil && (old.Name == "" || old.Name == name || moved) {
		return nil
	}
	if given == nil {
		key, err := p.secrets.Get(config.ProviderKey(old.Name, address))
		if err != nil || key == "" {
			return err
		}
		given = &key
	}
	return p.secrets.Set(config.ProviderKey(name, address), strings.TrimSpace(*given))
}

func (p *Providers) onlyDefault(
	known providersapi.Provider,
	edit providersapi.ProviderEdit,
) (providersapi.Provider, error) {
	if !edit.Default || edit.Name != known.Name {
		return known, errcode.New(errcode.Validation, "the provider %q does not stand in the settings file: it comes from the environment, and is changed there", known.Name).
			With(errcode.KeyField, "name").
			With(errcode.KeyReason, "not_in_file")
	}
	if err := p.settings.SetDefaultProvider(known.Name); err != nil {
		return known, err
	}
	p.configure()
	return p.get(known.Name)
}

// check refuses what the registry would not take. Nothing is asked.
func (p *Providers) check(old string, c config.Provider) error {
	file, _ := p.settings.Providers()
	switch {
	case c.Name == "" || strings.ContainsAny(c.Name, "/ ") || c.Name == llm.KindDemo:
		return errcode.New(errcode.Validation, "a provider's name must not be empty, hold a slash or a space, or be %q: models are named provider/model", llm.KindDemo).
			With(errcode.KeyField, "name")
	case c.Kind == llm.KindDemo:
		return errcode.New(errcode.Validation, "the demo is always there").With(errcode.KeyField, "kind")
	case c.Name != old && slices.ContainsFunc(file, func(x config.Provider) bool { return x.Name == c.Name }):
		return errcode.New(errcode.Conflict, "there is a provider named %q already", c.Name).
			With(errcode.KeyField, "name")
	}
	if _, err := llm.Address(llm.ProviderConfig(c)); err != nil {
		return err.With(errcode.KeyField, "baseUrl")
	}
	return nil
}

// checkReadable refuses a provider whose key others could read on the way, unless its entry accepts that.
func (p *Providers) checkReadable(c config.Provider, was, address string, given *string) error {
	refused := llm.Readable(c.Name, address)
	if refused == nil || c.Insecure {
		return nil
	}
	var key string
	switch {
	case given != nil:
		key = *given
	case c.APIKeyEnv != "":
		key = os.Getenv(c.APIKeyEnv)
	default:
		kept, err := p.secrets.Get(config.ProviderKey(was, address))
		if err != nil {
			return err
		}
		key = kept
	}
	if strings.TrimSpace(key) == "" {
		return nil
	}
	return refused
}

// before is the provider as it stands in the file, and whether its address is another.
func (p *Providers) before(name, address string) (old config.Provider, moved bool) {
	file, _ := p.settings.Providers()
	i := slices.IndexFunc(file, func(x config.Provider) bool { return x.Name == name })
	if name == "" || i < 0 {
		return config.Provider{}, false
	}
	was, err := llm.Address(llm.ProviderConfig(file[i]))
	return file[i], err == nil && was != address
}

// RemoveProvider implements providersapi.Providers. The key goes with the provider.
func (p *Providers) RemoveProvider(_ context.Context, name string) error {
	known, err := p.get(name)
	if err != nil {
		return err
	}
	if known.Source != llm.SourceFile {
		return errcode.New(errcode.Validation,
			"the provider %q does not stand in the settings file and cannot be removed from it", name).
			With(errcode.KeyReason, "not_in_file")
	}
	old, _ := p.before(name, "")
	if err := p.settings.RemoveProvider(name); err != nil {
		return err
	}
	p.configure()
	return p.forget(old)
}

// forget drops the key of a provider that isn't at its address any more.
func (p *Providers) forget(old config.Provider) error {
	address, err := llm.Address(llm.ProviderConfig(old))
	if err != nil || address == "" {
		return nil //nolint:nilerr // it had none
	}
	return p.secrets.Set(config.ProviderKey(old.Name, address), "")
}

// TryProvider implements providersapi.Providers. What went wrong stands in the answer.
func (p *Providers) TryProvider(
	ctx context.Context,
	edit providersapi.ProviderEdit,
	model string,
) (providersapi.Trial, error) {
	opts := p.options()
	c := written(edit)
	if known, err := p.get(c.Name); err == nil && edit.Key == nil {
		if address, _ := llm.Address(llm.ProviderConfig(c)); sameAddress(known, address) {
			c.APIKeyEnv, c.Insecure = known.APIKeyEnv, known.AllowsInsecure
		}
	}
	if edit.Insecure != nil {
		c.Insecure = *edit.Insecure
	}
	if edit.Key != nil {
		opts.Secret = func(_, _ string) string { return *edit.Key }
	}
	if c.Kind == llm.KindCLI {
		c.Command = cmp.Or(c.Command, "llm")
	}
	t, err := llm.TestProvider(ctx, llm.ProviderConfig(c), model, opts)
	if ctx.Err() != nil {
		return providersapi.Trial{}, context.Cause(ctx)
	}
	return providersapi.Trial{
		Model:   string(t.Model),
		Models:  t.Models,
		Answer:  t.Answer,
		TookMs:  t.Took.Milliseconds(),
		Failure: errcode.From(err),
	}, nil
}

func sameAddress(known providersapi.Provider, address string) bool {
	was, err := llm.Address(llm.ProviderConfig{Kind: known.Kind, BaseURL: known.BaseURL})
	return err == nil && was == address
}

// probeWithin is how long something on this computer may take to answer.
const probeWithin = 1500 * time.Millisecond

// Found implements providersapi.Providers. Nothing secret is sent to either.
func (p *Providers) Found(ctx context.Context) providersapi.Found {
	var out providersapi.Found
	list, _ := p.settings.Gateways()
	usual, _ := client.NormalizeURL(client.DefaultURL)
	known := slices.ContainsFunc(list, func(g config.Gateway) bool {
		address, err := client.NormalizeURL(g.URL)
		return err == nil && address == usual
	})
	if !known {
		if g, ok := p.probe(ctx, client.DefaultURL, probeWithin); ok {
			out.Gateway = &providersapi.FoundGateway{URL: client.DefaultURL, Dialect: string(g.Dialect)}
		}
	}
	if slices.ContainsFunc(p.registry.Providers(), func(l llm.Listed) bool { return l.Kind == llm.KindOllama && l.Source != llm.SourceFound }) {
		return out
	}
	ctx, cancel := context.WithTimeout(ctx, probeWithin)
	defer cancel()
	if models, err := llm.OllamaHere(ctx); err == nil {
		out.Ollama = &providersapi.FoundOllama{BaseURL: llm.OllamaAddress, Models: models}
	}
	return out
}
