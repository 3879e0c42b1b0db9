package agentcmd_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"agentflow/backend/cli"
	"agentflow/backend/engine"
	"agentflow/backend/engine/enginetest"
	"agentflow/backend/model/usage"
)

const asProgram = "AGENTFLOW_TEST_AS_PROGRAM"

// TestMain is the program itself where a test started it as a child.
func TestMain(m *testing.M) {
	if os.Getenv(asServer) != "" {
		serveTools()
		return
	}
	if os.Getenv(asProgram) != "" {
		os.Exit(cli.Main(context.Background(), os.Args[1:], cli.Stdio{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, nil)) //nolint:forbidigo // this is the main of the program under test
	}
	os.Exit(m.Run()) //nolint:forbidigo // as every TestMain
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// child is the program in a separate process.
type child struct {
	*exec.Cmd
	t      *testing.T
	out    *bufio.Reader
	errs   bytes.Buffer
	waited bool
}

func start(t *testing.T, env []string, args ...string) *child {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := &child{Cmd: exec.CommandContext(t.Context(), self, args...), t: t}
	c.Env = append(append(os.Environ(), asProgram+"=1", "AGENTFLOW_DATA="+t.TempDir()), env...)
	c.Stderr = &c.errs
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.out = bufio.NewReader(out)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if !c.waited {
			_ = c.Process.Kill()
			_ = c.Wait()
		}
	})
	return c
}

// line is the next line of its standard output.
func (c *child) line() string {
	c.t.Helper()
	text, err := c.out.ReadString('\n')
	if err != nil {
		_ = c.Wait()
		c.waited = true
		c.t.Fatalf("the program ended: %v\n%s", err, c.errs.String())
	}
	return strings.TrimSpace(text)
}

func (c *child) exit(signal syscall.Signal) int {
	c.t.Helper()
	if err := c.Process.Signal(signal); err != nil {
		c.t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, c.out)
	_ = c.Wait()
	c.waited = true
	return c.ProcessState.ExitCode()
}

const config = `agent:
  name: far-1
  role: Developer
  model: demo/echo
callers:
  - {name: hub, role: Coordinator, secretEnv: HUB_SECRET}
`

// TestCO1_AnAgentProcessWorksForAHub starts the real program as an agent, draws it into
// the team of a real hub, and has it do a task of the command line.
func TestCO1_AnAgentProcessWorksForAHub(t *testing.T) {
	h := enginetest.Start(t, engine.Options{})
	works(t, h, false)
}

// TestAG7_AHubIsKnownByItsFingerprint is the same over TLS with a certificate that nobody
// signed: the agent's reports and the command line trust it by its fingerprint alone.
func TestAG7_AHubIsKnownByItsFingerprint(t *testing.T) {
	h := enginetest.Start(t, engine.Options{TLSSelfSigned: true})
	if !strings.HasPrefix(h.URL(), "https://") {
		t.Fatal(h.URL())
	}
	t.Setenv("AGENTFLOW_TOKEN", h.Token())
	t.Setenv("AGENTFLOW_URL", h.URL())
	if code, _, errs := run(t, "task", "list"); code != 6 || !strings.Contains(errs, "--fingerprint") {
		t.Errorf("without a fingerprint: exit %d: %s", code, errs)
	}
	if code, _, errs := run(t, "task", "list", "--fingerprint", "sha256:"+strings.Repeat("0", 64)); code != 3 || !strings.Contains(errs, h.Exposed().Fingerprint()) {
		t.Errorf("another's fingerprint: exit %d: %s", code, errs)
	}
	t.Setenv("AGENTFLOW_FINGERPRINT", h.Exposed().Fingerprint())
	works(t, h, true)
}

func run(t *testing.T, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	code = cli.Main(t.Context(), args, cli.Stdio{In: strings.NewReader(""), Out: &o, Err: &e}, nil)
	return code, o.String(), e.String()
}

// works has an agent in a separate process do a task for the hub.
func works(t *testing.T, h *enginetest.Hub, secure bool) {
	t.Setenv("AGENTFLOW_AGENT_FAR", "far-secret-of-24-bytes-or-more")
	args := []string{"agent", "start", "--json", "--port", "0", "--config", write(t, "agent-config.yaml", config),
		"--coordinator", h.URL(), "--prompt", "Introduce yourself"}
	scheme := "http"
	if secure {
		args, scheme = append(args, "--tls-self-signed"), "https"
	}
	a := start(
		t,
		[]string{"HUB_SECRET=far-secret-of-24-bytes-or-more", "AGENTFLOW_AGENT_SECRET=far-secret-of-24-bytes-or-more"},
		args...)
	var about struct{ URL, Fingerprint string }
	if err := json.Unmarshal([]byte(a.line()), &about); err != nil || !strings.HasPrefix(about.URL, scheme+"://127.0.0.1:") || secure == (about.Fingerprint == "") {
		t.Fatalf("%+v %v", about, err)
	}
	if first := a.line(); !strings.Contains(first, "Introduce yourself") {
		t.Errorf("the first prompt: %q", first)
	}
	h.Apply(`agents:
  pm-1: {name: PM, role: Coordinator, subagents: {allowAgents: [far-1]}}
  far-1: {name: Far, role: Developer, url: "` + about.URL + `", secretEnv: AGENTFLOW_AGENT_FAR, fingerprint: "` + about.Fingerprint + `"}
`)
	h.Trust()
	t.Setenv("AGENTFLOW_TOKEN", h.Token())
	t.Setenv("AGENTFLOW_URL", h.URL())
	code, out, errs := run(t, "task", "submit", "--wait", "Tell me about queues")
	if code != 0 || !strings.Contains(out, "Tell me about queues") || !strings.Contains(out, "demo answer") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	if code := a.exit(syscall.SIGTERM); code != 0 {
		t.Errorf("SIGTERM: exit %d: %s", code, a.errs.String())
	}
	var told struct{ Calls []usage.ModelCall } // by then the hub has been told what it asked its model
	if err := h.Client().Call(t.Context(), "GET", "/api/llm-calls?agent=far-1", nil, &told); err != nil || len(told.Calls) == 0 || !told.Calls[0].Elsewhere || told.Calls[0].Model != "demo/echo" || !strings.HasPrefix(told.Calls[0].For, "task:") {
		t.Errorf("the hub was told of the calls %+v", told.Calls)
	}
	if log := a.errs.String(); strings.Contains(log, "far-secret-of-24-bytes-or-more") || strings.Contains(log, "queues") || !strings.Contains(log, `"caller":"hub"`) {
		t.Errorf("the audit log: %s", log)
	}
}

func TestCO2_WhatIsMissingIsSaidAtTheStart(t *testing.T) {
	good := write(t, "agent-config.yaml", config)
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{2, "--config is missing", nil},
		{4, "no such file", []string{"--config", "/no/such/file"}},
		{2, "agent-config.yaml:3", []string{"--config", write(t, "agent-config.yaml", "agent:\n  name: a\n  secret: s\n")}},
		{2, "HUB_SECRET", []string{"--config", good, "--port", "0"}},
		{2, "can't run tasks", []string{"--config", write(t, "agent-config.yaml", "agent: {name: a}\n")}},
		{2, "--tls-cert", []string{"--config", good, "--listen", "0.0.0.0:0"}},
		{2, "ADDRESS:PORT", []string{"--config", good, "--listen", "nonsense"}},
	} {
		t.Setenv("AGENTFLOW_DATA", t.TempDir())
		code, out, errs := run(t, append([]string{"agent", "start"}, c.args...)...)
		if code != c.code || !strings.Contains(errs, c.says) || out != "" {
			t.Errorf("%v: exit %d, want %d and a word of %q: %s", c.args, code, c.code, c.says, errs)
		}
	}
}
