package doctor

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"os/exec"
	"strings"

	"agentflow/backend/config"
	"agentflow/backend/errcode"
	"agentflow/backend/gateway"
)

// defaultOpenClaw is where an OpenClaw gateway listens if nobody said otherwise.
const defaultOpenClaw = "ws://127.0.0.1:18789"

func (o Options) gateways(ctx context.Context, s *config.Settings) []Check {
	var checks []Check
	list, chosen := s.Gateways()
	for _, g := range list {
		checks = append(checks, o.gateway(ctx, g))
	}
	if len(list) == 0 {
		c := o.gateway(ctx, config.Gateway{Name: "OpenClaw", URL: defaultOpenClaw, TokenEnv: "AGENTFLOW_GATEWAY_TOKEN"})
		if c.Status == Error {
			c.Status, c.Message = Warning, "none is configured, and none can be used at "+defaultOpenClaw+": "+c.Message
			c.Remedy = "AgentFlow works with its own local gateway; add another in Settings, or set AGENTFLOW_GATEWAY_URL"
		}
		checks = append(checks, c)
	}
	return append(checks, Check{Name: "default gateway", Status: OK, Message: chosen})
}

func (o Options) gateway(ctx context.Context, g config.Gateway) Check {
	c := Check{Name: "gateway " + g.Name, Status: Error}
	address, err := gateway.NormalizeURL(g.URL)
	if err != nil {
		c.Message, c.Remedy = words(err), "correct the address in Settings"
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
	dialect, err := o.Dial(ctx, address, token)
	if err == nil {
		return Check{Name: c.Name, Status: OK, Message: address + " answers (" + dialect + ")"}
	}
	c.Message, c.Remedy = words(err), "start the gateway, or correct its address in Settings"
	switch {
	case errcode.HasReason(err, errcode.ReasonBadToken) && token == "":
		c.Remedy = "give it the token: in Settings, or in the environment"
	case errcode.HasReason(err, errcode.ReasonBadToken):
		c.Remedy = "correct the token in Settings, or in the environment"
	case errcode.HasReason(err, errcode.ReasonPairing):
		c.Remedy = "approve this device on the gateway's computer: openclaw devices approve"
	}
	return c
}

func (o Options) providers(ctx context.Context, s *config.Settings) []Check {
	list, chosen := s.Providers()
	if len(list) == 0 {
		list = o.found(ctx)
	}
	var checks []Check
	for _, p := range list {
		checks = append(checks, o.provider(ctx, p))
	}
	if len(list) == 0 {
		return append(checks, Check{"models", Warning, "no provider was found; only demo/echo answers, and says that it is a demo",
			"set OPENAI_API_KEY, start Ollama, or add a provider in Settings"})
	}
	if chosen == "" {
		chosen = list[0].Name
	}
	return append(checks, Check{Name: "default provider", Status: OK, Message: chosen})
}

const ollamaDefault = "http://127.0.0.1:11434"

// found are the providers that need no file.
func (o Options) found(ctx context.Context) []config.Provider {
	var list []config.Provider
	if o.Env("OPENAI_API_KEY") != "" || o.Env("OPENAI_BASE_URL") != "" {
		list = append(list, config.Provider{Name: "openai", Kind: "openai", BaseURL: o.Env("OPENAI_BASE_URL"), APIKeyEnv: "OPENAI_API_KEY"})
	}
	if host := o.Env("OLLAMA_HOST"); host != "" {
		if !strings.Contains(host, "://") {
			host = "http://" + host
		}
		list = append(list, config.Provider{Name: "ollama", Kind: "ollama", BaseURL: host})
	} else if answers(ctx, ollamaDefault+"/api/tags") == nil {
		list = append(list, config.Provider{Name: "ollama", Kind: "ollama", BaseURL: ollamaDefault})
	}
	if _, err := exec.LookPath("llm"); err == nil {
		list = append(list, config.Provider{Name: "llm", Kind: "llm-cli", Command: "llm"})
	}
	return list
}

func (o Options) provider(ctx context.Context, p config.Provider) Check {
	c := Check{Name: "provider " + p.Name, Status: OK, Message: p.Kind}
	switch p.Kind {
	case "openai":
		if p.APIKeyEnv != "" && o.Env(p.APIKeyEnv) == "" {
			return Check{c.Name, Error, "the environment variable " + p.APIKeyEnv + " is empty", "set it to the provider's key before the hub starts"}
		}
		if p.BaseURL != "" {
			c.Message = p.BaseURL
			return reached(c, answers(ctx, p.BaseURL))
		}
	case "ollama":
		c.Message = p.BaseURL
		return reached(c, answers(ctx, strings.TrimSuffix(p.BaseURL, "/")+"/api/tags"))
	case "llm-cli":
		if path, err := exec.LookPath(p.Command); err == nil {
			c.Message = path
		} else {
			return Check{c.Name, Error, "the command " + p.Command + " was not found", "install it, or correct the provider in Settings"}
		}
	default:
		return Check{c.Name, Error, "the kind " + p.Kind + " is not known", "say openai, ollama or llm-cli"}
	}
	return c
}

func reached(c Check, err error) Check {
	if err != nil {
		c.Status, c.Message, c.Remedy = Error, c.Message+" does not answer: "+err.Error(), "start it, or correct the address in Settings"
	}
	return c
}

// answers asks a server for anything at all; any HTTP answer will do. No secret is sent.
func answers(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, each)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		if urlErr, ok := errors.AsType[*url.Error](err); ok {
			return urlErr.Err
		}
		return err
	}
	return res.Body.Close()
}
