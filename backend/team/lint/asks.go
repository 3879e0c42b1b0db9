package lint

import (
	"slices"
	"strings"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/topology"
	"agentflow/backend/team/trust"
)

// expected shows how the keys are written that this program reads itself.
var expected = map[string]string{
	"extra.mcpServers": "[{name: files, command: [npx, files-server]}]",
	"extra.mcpPolicy":  "{default: ask, tools: {file_read: auto}}",
	"extra.security":   "{allowedPaths: [/srv/project]}",
}

// asks reports what an agent asks of the computer that runs it. The owner decides about that;
// variables that no team can name stop the apply.
func (c *checker) asks(a *topology.Agent, secrets map[string][]topology.AgentID) {
	asked, is := trust.One(a, c.rules.Trust, secrets)
	if !is {
		return
	}
	if asked.Err != nil {
		if field, _ := errcode.From(asked.Err).Details[errcode.KeyField].(string); expected[field] != "" {
			c.at(a, topology.SeverityWarning, UnreadableKey, field, "key", strings.TrimPrefix(field, "extra."),
				"expected", expected[field])
			return
		}
	}
	refused := map[string]bool{} // what no team can name isn't sent either: to allow it is no choice
	for _, err := range c.rules.Trust.Variables.Refused(asked.Request) {
		name, _ := errcode.From(err).Details[trust.KeyVariable].(string)
		refused[name] = true
		if !variable.MatchString(name) { // it is reported as a secret in the file
			continue
		}
		c.at(a, topology.SeverityError, RefusedVariable, "secretEnv", "variable", name)
	}
	for _, other := range secrets[a.SecretEnv] {
		if a.SecretEnv != "" && other != a.ID {
			c.at(a, topology.SeverityError, SharedSecret, "secretEnv", "variable", a.SecretEnv, "other", string(other))
			break
		}
	}
	for _, ask := range asked.Request.Asks() {
		ask.Variables = slices.DeleteFunc(slices.Clone(ask.Variables), func(name string) bool { return refused[name] })
		switch {
		case ask.Kind == trust.Runs:
			c.at(a, topology.SeverityWarning, RunsCommands, "extra.mcpServers", "command",
				trust.Words(ask.Command))
		case ask.Kind == trust.Sends && len(ask.Variables) > 0:
			c.at(a, topology.SeverityWarning, SendsSecret, "url", "variable", trust.Names(ask.Variables), "host",
				ask.Origin)
		case ask.Kind == trust.Reaches && len(ask.Variables) > 0:
			c.at(a, topology.SeverityWarning, SendsToken, "extra.mcpServers", "variable",
				trust.Names(ask.Variables), "host", ask.Origin)
		case ask.Kind == trust.Unasked && asked.Request.Unasked():
			c.at(a, topology.SeverityWarning, ActsUnasked, "extra.mcpPolicy")
		case ask.Kind == trust.Writes:
			field := "workspace"
			if asked.Request.Workspace == "" || ask.Folders[0] != asked.Request.Workspace {
				field = "extra.security"
			}
			c.at(a, topology.SeverityWarning, WritesOutside, field, "folder", trust.Names(ask.Folders))
		}
	}
}
