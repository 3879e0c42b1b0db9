package gatewaycmd

import (
	"bytes"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/cli/internal/term"
)

// TestGW6_NobodyAtTheDefaultAddress: who named no gateway learns where others are; who named one
// knows it.
func TestGW6_NobodyAtTheDefaultAddress(t *testing.T) {
	down := errcode.New(errcode.Gateway, "not there").With(errcode.KeyReason, errcode.ReasonLinkDown)
	for url, hint := range map[string]bool{defaultGateway: true, "ws://127.0.0.1:1": false} {
		var said bytes.Buffer
		p := program{&shell.Shell{Screen: term.NewScreen(term.Stdio{Err: &said}, func(string) string { return "" })}}
		if err := p.explain(down, &gatewayFlags{url: url}); err == nil {
			t.Error("the error is lost")
		}
		if got := strings.Contains(said.String(), "The built-in gateway of a hub is at ws://127.0.0.1:18800/gateway"); got != hint {
			t.Errorf("%s: %q", url, said.String())
		}
	}
}
