package doctor

import (
	"context"
	"errors"
	"fmt"

	"agentflow/backend/base/config"
	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/client"
	"agentflow/backend/model/llm"
)

func (o Options) gateways(ctx context.Context, s *config.Settings) []Check {
	var checks []Check
	list, chosen := s.Gateways()
	for _, g := range list {
		checks = append(checks, o.gateway(ctx, g))
	}
	if len(list) == 0 {
		c := o.gateway(ctx,
			config.Gateway{Name: "OpenClaw", URL: client.DefaultURL, TokenEnv: "AGENTFLOW_GATEWAY_TOKEN"})
		if c.Status == Error {
			c.Status, c.Message = Warning, "no gateway is configured, and "+client.DefaultURL+" isn't usable: "+c.Message
			c.Remedy = "to use another gateway than the built-in one, add it in Settings, or set AGENTFLOW_GATEWAY_URL"
		}
		checks = append(checks, c)
	}
	message := chosen
	if chosen == config.LocalGateway {
		message = chosen + ", the built-in gateway"
	}
	return append(checks, Check{Name: "default gateway", Status: OK, Message: message})
}

func (o Options) gateway(ctx context.Context, g config.Gateway) Check {
	c := Check{Name: "gateway " + g.Name, Status: Error}
	address, err := client.NormalizeURL(g.URL)
	if err != nil {
		c.Message, c.Remedy = words(err), "fix the URL in Settings"
		return c
	}
	token := ""
	if g.TokenEnv != "" {
		token = o.Env(g.TokenEnv)
	}
	if token == "" {
		if token, err = config.NewSecrets(o.Dir).Get(config.GatewayKey(address)); err != nil {
			c.Message, c.Remedy = words(err), "enter the token again in Settings"
			return c
		}
	}
	ctx, cancel := context.WithTimeout(ctx, each)
	defer cancel()
	dialect, err := o.Dial(ctx, g, token)
	if err == nil {
		return Check{Name: c.Name, Status: OK, Message: address + " responds (" + dialect + ")"}
	}
	c.Message, c.Remedy = words(err), "start the gateway, or fix its URL in Settings"
	switch {
	case errcode.HasReason(err, errcode.ReasonBadToken) && token == "":
		c.Remedy = "set the token in Settings or in the environment"
	case errcode.HasReason(err, errcode.ReasonBadToken):
		c.Remedy = "fix the token in Settings or in the environment"
	case errcode.HasReason(err, errcode.ReasonReadable):
		c.Remedy = "use a wss:// URL, or accept this with insecure: true for the gateway in the settings file"
	case causeOf(err) == client.CauseCertificate, causeOf(err) == client.CauseChanged:
		c.Remedy = "compare the fingerprint with the one of the gateway's owner, " +
			"then save it for this gateway in Settings"
	case errcode.HasReason(err, errcode.ReasonPairing):
		c.Remedy = "approve this device on the gateway's computer: openclaw devices approve"
	}
	return c
}

// causeOf returns the finer word for why a gateway isn't connected, or "".
func causeOf(err error) string {
	e, _ := errors.AsType[*errcode.Error](err)
	if e == nil {
		return ""
	}
	cause, _ := e.Details[errcode.KeyCause].(string)
	return cause
}

// providers asks each of them for its models, as the hub would.
func (o Options) providers(ctx context.Context) []Check {
	var checks []Check
	standard := ""
	for _, offer := range o.Offers(ctx) {
		if offer.Kind == llm.KindDemo {
			continue
		}
		if offer.Default {
			standard = offer.Provider
		}
		checks = append(checks, provider(offer))
	}
	if len(checks) == 0 {
		return append(
			checks,
			Check{Name: "models", Status: Warning,
				Message: "no model provider found. Only the demo model demo/echo responds",
				Remedy:  "set OPENAI_API_KEY, start Ollama, or add a provider in Settings"},
		)
	}
	if standard != "" {
		checks = append(checks, Check{Name: "default provider", Status: OK, Message: standard})
	}
	return checks
}

// remedies say what to do, by the reason of a provider's failure.
var remedies = map[string]string{
	llm.ReasonBadKey:       "fix the API key in Settings or in the environment",
	llm.ReasonNoKey:        "set it to the provider's API key before the hub starts, or enter the key in Settings",
	llm.ReasonNotRunning:   "start it, or fix the URL in Settings",
	llm.ReasonUnreachable:  "check the network, or fix the URL in Settings",
	llm.ReasonNotInstalled: "install it, or fix the provider in Settings",
	llm.ReasonWebPage:      "fix the URL in Settings. It usually ends in /v1",
	llm.ReasonRedirected:   "enter the URL it redirects to in Settings",
	llm.ReasonTooSlow:      "check that the server isn't overloaded, or fix the URL in Settings",
}

func provider(o llm.Offer) Check {
	c := Check{Name: "provider " + o.Provider, Status: OK}
	switch {
	case o.Error != nil:
		c.Status, c.Message = Error, words(o.Error)
		if c.Remedy = remedies[o.Error.Reason()]; c.Remedy == "" {
			c.Remedy = "fix the provider in Settings"
		}
	case len(o.Models) == 0:
		c.Status, c.Message, c.Remedy = Warning, o.Kind+", no models", "add a model, for Ollama with: ollama pull qwen3"
	case len(o.Models) == 1:
		c.Message = o.Kind + ", 1 model"
	default:
		c.Message = fmt.Sprintf("%s, %d models", o.Kind, len(o.Models))
	}
	return c
}
