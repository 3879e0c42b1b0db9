// Package providersapi serves what a person sets up on this computer besides gateways: the
// model providers and what was found here. It translates and holds nothing.
package providersapi

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/base/errcode"
	"agentflow/backend/model/llm"
	"agentflow/backend/model/usage"
	"agentflow/backend/server/httperr"
)

// Machines are what the routes serve.
type Machines struct {
	Providers Providers
	Ledger    *usage.Ledger
	// Elsewhere reports whether an agent in a room is run by another process.
	Elsewhere func(room, agent string) bool
}

// Providers is the model providers that the hub knows.
type Providers interface {
	Providers() []Provider
	// Offer asks one of them for its models.
	Offer(ctx context.Context, name string) (llm.Offer, error)
	// PutProvider adds one, or changes the one called name.
	PutProvider(ctx context.Context, name string, edit ProviderEdit) (Provider, error)
	RemoveProvider(ctx context.Context, name string) error
	// TryProvider asks one question; the provider need not be known yet.
	TryProvider(ctx context.Context, edit ProviderEdit, model string) (Trial, error)
	// Prices are what models cost, as far as it is known.
	Prices() []ModelPrice
	// Price is what a model costs, also by the price of its whole provider.
	Price(m llm.Model) (p llm.Price, known bool)
	PutPrice(ctx context.Context, p ModelPrice) error
	RemovePrice(ctx context.Context, m llm.Model) error
	// Found looks for what runs on this computer at its usual address.
	Found(ctx context.Context) Found
}

// Provider is where models are asked.
type Provider struct {
	Name      string         `json:"name"`
	Kind      string         `json:"kind" enum:"openai,ollama,llm-cli,demo" doc:"Protocol of the provider."`
	BaseURL   string         `json:"baseUrl,omitempty"`
	Command   string         `json:"command,omitempty"`
	APIKeyEnv string         `json:"apiKeyEnv,omitempty" doc:"Environment variable that holds the API key."`
	HasKey    bool           `json:"hasKey" doc:"An API key is stored, or its environment variable is set."`
	Source    string         `json:"source" enum:"file,environment,found,builtin" doc:"Origin: settings file, environment, found on this computer or built in."`
	Default   bool           `json:"default"`
	Problem   *errcode.Error `json:"problem,omitempty" doc:"Why it can't be used."`
	// AllowsInsecure says that the owner lets its key go to another computer without TLS.
	AllowsInsecure bool `json:"allowsInsecure,omitempty" doc:"The owner lets its API key go to another computer without TLS."`
}

// ProviderEdit is what a person sets about a provider. A nil key leaves the one that is
// kept; an empty one forgets it. A nil Insecure stays as it is at the same address, and is
// false at another.
type ProviderEdit struct {
	Name    string  `json:"name" minLength:"1" maxLength:"100" doc:"Name of the provider, at most 100 characters."`
	Kind    string  `json:"kind" enum:"openai,ollama,llm-cli,demo" doc:"Protocol of the provider."`
	BaseURL string  `json:"baseUrl,omitempty" maxLength:"2000" doc:"Base URL, at most 2000 characters. Default: the usual one of the kind."`
	Command string  `json:"command,omitempty" maxLength:"2000" doc:"Command, at most 2000 characters. Only for the kind llm-cli. Default: llm."`
	Key     *string `json:"key,omitempty" maxLength:"20000" doc:"API key, at most 20000 characters. An empty one deletes the stored key. Default: unchanged."`
	Default bool    `json:"default,omitempty" doc:"Make it the default provider. Default: false."`
	// Insecure sends the key to another computer without TLS, where others can read it.
	Insecure *bool `json:"insecure,omitempty" doc:"Send the API key to another computer without TLS, where others can read it. Default: unchanged for the same URL, otherwise false."`
}

// Trial is how one question to a provider went.
type Trial struct {
	Model   string         `json:"model,omitempty"`
	Models  int            `json:"models" doc:"Number of models that the provider offers."`
	Answer  string         `json:"answer,omitempty" doc:"Answer of the model."`
	TookMs  int64          `json:"tookMs"`
	Failure *errcode.Error `json:"error,omitempty" doc:"Why the test failed."`
}

// Found is what answers on this computer and is not set up yet.
type Found struct {
	Gateway *FoundGateway `json:"gateway,omitempty"`
	Ollama  *FoundOllama  `json:"ollama,omitempty"`
}

// FoundGateway is an OpenClaw gateway at its usual address.
type FoundGateway struct {
	URL     string `json:"url"`
	Dialect string `json:"dialect" enum:",jsonrpc,framed" doc:"Protocol of the gateway. Empty: unknown."`
}

// FoundOllama is an Ollama at its usual address.
type FoundOllama struct {
	BaseURL string   `json:"baseUrl"`
	Models  []string `json:"models"`
}

type providersBody struct {
	Body struct {
		Providers []Provider `json:"providers"`
	}
}

type providerBody struct{ Body Provider }

// ProviderPath names a provider.
type ProviderPath struct {
	Name string `path:"name" maxLength:"100" doc:"Name of the provider."`
}

type addProvider struct{ Body ProviderEdit }

type putProvider struct {
	ProviderPath
	Body ProviderEdit
}

type tryProvider struct {
	Body struct {
		Provider ProviderEdit `json:"provider" doc:"Settings of the provider to test."`
		Model    string       `json:"model,omitempty" maxLength:"200" doc:"Provider's own name of the model, at most 200 characters. Default: the first one."`
	}
}

type trialBody struct{ Body Trial }

type offerBody struct{ Body llm.Offer }

type foundBody struct{ Body Found }

// Register adds the routes.
func Register(api huma.API, log *slog.Logger, m Machines) {
	const tag = "models"
	p := m.Providers
	huma.Register(api, httperr.Route(http.MethodGet, "/api/providers", "listProviders", "List providers\n"+
		"API keys are never returned.", tag), httperr.Handler(log, func(context.Context, *struct{}) (*providersBody, error) {
		out := new(providersBody)
		out.Body.Providers = p.Providers()
		return out, nil
	}))
	add := httperr.Route(http.MethodPost, "/api/providers", "addProvider", "Add a provider\n"+
		"The API key is stored in the keyring and never returned.", tag)
	add.DefaultStatus = http.StatusCreated
	huma.Register(api, add, httperr.Handler(log, func(ctx context.Context, in *addProvider) (*providerBody, error) {
		made, err := p.PutProvider(ctx, "", in.Body)
		return &providerBody{made}, err
	}))
	huma.Register(api, httperr.Route(http.MethodPut, "/api/providers/{name}", "putProvider", "Update a provider\n"+
		"Without `key`, the stored API key stays.", tag), httperr.Handler(log, func(ctx context.Context, in *putProvider) (*providerBody, error) {
		made, err := p.PutProvider(ctx, in.Name, in.Body)
		return &providerBody{made}, err
	}))
	remove := httperr.Route(http.MethodDelete, "/api/providers/{name}", "removeProvider", "Delete a provider\n"+
		"Deletes its settings and its API key.", tag)
	remove.DefaultStatus = http.StatusNoContent
	huma.Register(api, remove, httperr.Handler(log, func(ctx context.Context, in *ProviderPath) (*struct{}, error) {
		return nil, p.RemoveProvider(ctx, in.Name)
	}))
	huma.Register(api, httperr.Route(http.MethodGet, "/api/providers/{name}/models", "listProviderModels", "List a provider's models\n"+
		"Asks the provider. If that fails, `models` is empty and `error` says why.", tag), httperr.Handler(log, func(ctx context.Context, in *ProviderPath) (*offerBody, error) {
		offer, err := p.Offer(ctx, in.Name)
		return &offerBody{offer}, err
	}))
	huma.Register(api, httperr.Route(http.MethodPost, "/api/provider-test", "testProvider", "Test a provider\n"+
		"Sends one short question to the model. Nothing is saved.", tag), httperr.Handler(log, func(ctx context.Context, in *tryProvider) (*trialBody, error) {
		trial, err := p.TryProvider(ctx, in.Body.Provider, in.Body.Model)
		return &trialBody{trial}, err
	}))
	registerPrices(api, log, p)
	registerCalls(api, log, m)
	huma.Register(api, httperr.Route(http.MethodGet, "/api/found", "findHere", "Find local services\n"+
		"Looks for a gateway and for Ollama at their default addresses on the hub's computer.", tag), httperr.Handler(log, func(ctx context.Context, _ *struct{}) (*foundBody, error) {
		return &foundBody{p.Found(ctx)}, nil
	}))
}
