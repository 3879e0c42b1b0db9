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

// TestGW6_TheHintNamesTheHubThatIsMeant: a hub need not listen at the default port.
func TestGW6_TheHintNamesTheHubThatIsMeant(t *testing.T) {
	for hub, want := range map[string]string{
		"": "ws://127.0.0.1:18800/gateway", "http://127.0.0.1:19870": "ws://127.0.0.1:19870/gateway",
		"https://hub.example/": "wss://hub.example/gateway",
	} {
		t.Setenv("AGENTFLOW_URL", hub)
		if got := hubGateway(); got != want {
			t.Errorf("%q: %s", hub, got)
		}
	}
}

// TestGW6_ARejectedTokenNamesItsSource: the command line has no settings page; the error
// names what the command read.
func TestGW6_ARejectedTokenNamesItsSource(t *testing.T) {
	rejected := errcode.New(errcode.Unauthorized, "Set the right one in the gateway's settings").
		With(errcode.KeyReason, errcode.ReasonBadToken)
	for name, tc := range map[string]struct{ env, file, want string }{"variable": {"x", "", envToken}, "file": {"", "token.txt", "token.txt"}} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(envToken, tc.env)
			var said bytes.Buffer
			p := program{
				&shell.Shell{Screen: term.NewScreen(term.Stdio{Err: &said}, func(string) string { return "" })},
			}
			err := p.explain(rejected, &gatewayFlags{url: "ws://127.0.0.1:1", tokenFile: tc.file})
			if !errcode.HasReason(err, errcode.ReasonBadToken) || !strings.HasSuffix(err.Error(), tc.want) {
				t.Errorf("%v", err)
			}
		})
	}
}

// TestGW6_TheCommandToRollBackNamesTheSameGateway: it is pasted into another shell.
func TestGW6_TheCommandToRollBackNamesTheSameGateway(t *testing.T) {
	f := &gatewayFlags{tokenFile: "my token"}
	if got, want := f.again("ws://10.0.0.5:18789", "/srv/it's"), ` --gateway ws://10.0.0.5:18789 --gateway-token-file 'my token' --data '/srv/it'\''s'`; got != want {
		t.Errorf("%s", got)
	}
}
