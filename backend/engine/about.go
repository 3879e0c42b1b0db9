package engine

import (
	"cmp"
	"runtime"

	"agentflow/backend/base/config"
	"agentflow/backend/base/sandbox"
	"agentflow/backend/server/httpapi"
)

func (e *Engine) about() httpapi.About {
	return httpapi.About{
		Version: config.Version, Commit: config.Commit, BuiltAt: config.BuiltAt, Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH,
		DataDir: e.opts.DataDir, Database: e.store.Path(), Settings: e.settings.Path(), Secrets: config.NewSecrets(e.opts.DataDir).File(),
		Sandbox: sandboxed(e.settings.Sandbox(), sandbox.Here()),
	}
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
