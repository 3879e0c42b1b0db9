package agentprocess_test

import (
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/work/agentprocess"
)

// An error in a list of the file names the line and how to fix it.
func TestReadConfig_NamesTheLineInAList(t *testing.T) {
	for text, want := range map[string]struct {
		line int
		says string
	}{
		"agent:\n  name: A\ncallers:\n  - {name: P, role: Coordinator, secretEnv: S}\n  - {name: Q, role: Worker}\n": {5, "secretEnv names the environment variable"},
		"agent:\n  name: A\n  security:\n    allowedAddresses:\n      - 10.0.0.0/8\n      - not-a-cidr\n":            {6, "agent.security.allowedAddresses[1] is \"not-a-cidr\", which isn't a network. Write an address and its length, for example 192.168.1.0/24"},
	} {
		_, err := agentprocess.ReadConfig([]byte(text), "agent-config.yaml")
		e := errcode.From(err)
		if line, _ := e.Details[errcode.KeyLine].(int); line != want.line || !strings.Contains(e.Message, want.says) || e.Details[errcode.KeyFile] != "agent-config.yaml" {
			t.Errorf("%+v", e)
		}
	}
}
