package engine

import (
	"cmp"
	"runtime"

	"agentflow/backend/base/config"
	"agentflow/backend/base/sandbox"
	"agentflow/backend/gateway/client"
	"agentflow/backend/model/llm"
	"agentflow/backend/server/httpapi"
)

func (e *Engine) about() httpapi.About {
	return httpapi.About{
		Version: config.Version, Commit: config.Commit, BuiltAt: config.BuiltAt, Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH,
		DataDir: e.opts.DataDir, Database: e.store.Path(), Settings: e.settings.Path(),
		Sandbox: sandboxed(e.settings.Sandbox(), sandbox.Here()),
	}
}

// secretsPlace returns where the tokens of the gateways and the keys of the providers are saved.
func (e *Engine) secretsPlace(secrets *config.Secrets, providers *Providers) (place config.SecretsPlace, file string) {
	keys := []string{config.PushKey}
	gateways, _ := e.settings.Gateways()
	for _, g := range gateways {
		if address, err := client.NormalizeURL(g.URL); err == nil && g.TokenEnv == "" {
			keys = append(keys, config.GatewayKey(address))
		}
	}
	for _, p := range providers.registry.Providers() {
		if address, err := llm.Address(p.ProviderConfig); err == nil && address != "" && p.APIKeyEnv == "" {
			keys = append(keys, config.ProviderKey(p.Name, address))
		}
	}
	return secrets.Place(keys...)
}

// sandboxed says in what commands run with these settings.
func sandboxed(s sandbox.Settings, here sandbox.State) httpapi.Sandbox {
	told := httpapi.Sandbox{
		Active: s.Active(),
		Mode:   string(cmp.Or(s.Mode, sandbox.Auto)),
		Name:   here.Name,
		Gaps:   []httpapi.SandboxFact{},
	}
	for _, gap := range here.Gaps {
		told.Gaps = append(told.Gaps, httpapi.SandboxFact(gap))
	}
	if here.Name == "" {
		why := httpapi.SandboxFact(here.Why)
		told.Why = &why
	}
	return told
}
