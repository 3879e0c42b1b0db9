package gatewaycmd_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentflow/backend/cli"
	"agentflow/backend/engine"
	"agentflow/backend/engine/enginetest"
)

// command runs the program and checks its exit code, and that its output has a text.
func command(t *testing.T, want int, says string, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	code := cli.Main(context.Background(), args, cli.Stdio{In: strings.NewReader(""), Out: &out, Err: &out}, nil)
	if code != want || !strings.Contains(out.String(), says) {
		t.Errorf("%v: exit %d, want %d and %q:\n%s", args, code, want, says, out.String())
	}
	return out.String()
}

// selfSigned starts a hub whose certificate no authority signed, and returns the URL of its
// built-in gateway and the certificate's fingerprint.
func selfSigned(t *testing.T) (gateway, fingerprint string) {
	t.Helper()
	h := enginetest.Start(t, engine.Options{TLSSelfSigned: true})
	t.Setenv("AGENTFLOW_GATEWAY_TOKEN", h.Token())
	t.Setenv("AGENTFLOW_DATA", t.TempDir())
	return "wss" + strings.TrimPrefix(h.URL(), "https") + "/gateway", h.Exposed().Fingerprint()
}

// A hub with a self-signed certificate is a gateway, too: its certificate is trusted by the fingerprint
// in the flag, in either variable, or in the settings file for this URL.
func TestGW1_AGatewayWithASelfSignedCertificate(t *testing.T) {
	gateway, pin := selfSigned(t)
	file := filepath.Join(t.TempDir(), "team.agentflow.yaml")
	asks := "agentflow: 1\nagents:\n  - {id: a, name: A, model: demo/echo, " +
		"mcpServers: [{name: helper, command: [npx, handy]}]}\n"
	if err := os.WriteFile(file, []byte(asks), 0o600); err != nil {
		t.Fatal(err)
	}
	command(t, 6, "its certificate ("+pin+") isn't trusted. If it is the right one, "+
		"pass its fingerprint with --fingerprint", "gateway", "get", "--gateway", gateway)
	said := command(t, 0, "allowed: a", "gateway", "apply", file, "--yes", "--delete-agents", "--trust",
		"--gateway", gateway, "--fingerprint", pin)
	if !strings.Contains(said, "--fingerprint "+pin) {
		t.Errorf("the command to roll back lacks the fingerprint:\n%s", said)
	}
	command(t, 2, "isn't a certificate fingerprint",
		"gateway", "get", "--gateway", gateway, "--fingerprint", "sha256:abc")
	command(t, 2, "has no certificate to compare with a fingerprint. Use a wss URL",
		"gateway", "get", "--gateway", "ws://127.0.0.1:1", "--fingerprint", pin)
	for _, name := range []string{"AGENTFLOW_FINGERPRINT", "AGENTFLOW_GATEWAY_FINGERPRINT"} {
		t.Setenv(name, pin)
		command(t, 0, "id: a", "gateway", "get", "--gateway", gateway)
		t.Setenv(name, "")
	}
	settings := fmt.Sprintf("gateways:\n"+
		"  - {name: own, url: %q, tokenEnv: AGENTFLOW_GATEWAY_TOKEN, fingerprint: %q}\n",
		strings.ToUpper(gateway[:12])+gateway[12:], pin)
	path := filepath.Join(os.Getenv("AGENTFLOW_DATA"), "agentflow.yaml")
	if err := os.WriteFile(path, []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	command(t, 0, "id: a", "gateway", "get", "--gateway", gateway)
	command(t, 0, gateway+" responds", "doctor")
}

// A gateway with another certificate than the trusted one gets no token, and the command says why.
func TestGW1_AReplacedCertificateIsRefused(t *testing.T) {
	gateway, pin := selfSigned(t)
	other := "sha256:" + strings.Repeat("0", 64)
	command(t, 3, "the certificate ("+pin+") doesn't match the fingerprint. "+
		"It was replaced, or someone intercepts the connection",
		"gateway", "get", "--gateway", gateway, "--fingerprint", other)
}

// AGENTFLOW_FINGERPRINT is about hubs: it keeps nobody from a gateway that is none.
func TestGW1_TheHubsFingerprintIsNoOtherGateways(t *testing.T) {
	gateway, _ := selfSigned(t)
	t.Setenv("AGENTFLOW_FINGERPRINT", "sha256:"+strings.Repeat("0", 64))
	command(t, 6, "isn't trusted", "gateway", "get", "--gateway", strings.TrimSuffix(gateway, "/gateway"))
}
