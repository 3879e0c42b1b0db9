package agentprocess_test

import (
	"net"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/work/agentprocess"
)

func TestCO2_SecretsComeFromTheEnvironmentOnly(t *testing.T) {
	for _, c := range []struct {
		text, says string
		line       any
	}{
		{"", "empty", nil},
		{"agent: [", "not YAML", nil},
		{"agent: {name: a}\n\tb: 1\n", "this is not YAML: found character that cannot start any token", 2},
		{"agnt:\n  name: a\n", "the key agnt isn't known. Did you mean agent?", 1},
		{"agent:\n  name: a\n  modell: x\n", "the key modell isn't known. Did you mean model?", 3},
		{"agent:\n  role: x\n", "no name", 1},
		{"agent:\n  name: a\n  shoesize: 4\n", "shoesize", 3},
		{"agent:\n  name: a\ncallers:\n  - name: c\n    role: r\n    secret: hunter2\n", "secretEnv", 6},
		{"agent:\n  name: a\n  targetAgents: [{name: b, token: x}]\n", "secretEnv", 3},
		{"agent:\n  name: a\ncallers: [{name: c}]\n", "callers[0]", nil},
		{"agent:\n  name: a\n  security: {allowedAddresses: [nowhere]}\n", "nowhere", nil},
	} {
		_, err := agentprocess.ReadConfig([]byte(c.text), "agent-config.yaml")
		e := errcode.From(err)
		if err == nil || e.Code != errcode.Validation || !strings.Contains(e.Message, c.says) || e.Details[errcode.KeyFile] != "agent-config.yaml" || c.line != nil && e.Details[errcode.KeyLine] != c.line {
			t.Errorf("%q: %v %v, want %q at line %v", c.text, err, e, c.says, c.line)
		}
	}
	l := listen(t)
	defer func() { _ = l.Close() }()
	c, err := agentprocess.ReadConfig([]byte(config), "f")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := agentprocess.New(agentprocess.Options{Config: c, Listener: l, Getenv: func(string) string { return "" }}); err == nil || !strings.Contains(err.Error(), "COORDINATOR_SECRET") {
		t.Error(err)
	}
	c.Callers = nil
	p, err := agentprocess.New(agentprocess.Options{Config: c, Listener: l, Getenv: func(string) string { return "" }})
	if err != nil || len(p.MadeSecret()) < 20 {
		t.Errorf("on loopback a secret is generated: %v", err)
	}
	wide, err := net.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = wide.Close() }()
	if _, err := agentprocess.New(agentprocess.Options{Config: c, Listener: wide, Getenv: func(string) string { return "" }}); err == nil || !strings.Contains(err.Error(), "AGENTFLOW_AGENT_SECRET") {
		t.Error(err)
	}
	if _, err := agentprocess.New(agentprocess.Options{Config: c, Listener: l, Coordinator: "http://192.0.2.1", Secret: "s", Getenv: func(string) string { return "" }}); err == nil {
		t.Error("a secret would go over plain HTTP")
	}
}
