package mcp

import "agentflow/backend/base/errcode"

// CauseUnset is the cause of a failure because the variable of a server's token has no value.
const CauseUnset = "token_unset"

const (
	keyServer   = "server"
	keyVariable = "variable"
)

// Entry is a server in a file. The file contains the name of the token's environment variable, never the token.
type Entry struct {
	Name     string   `yaml:"name" json:"name"`
	Command  []string `yaml:"command" json:"command,omitempty"`
	Env      []string `yaml:"env" json:"env,omitempty"`           // additional environment variables for the program
	URL      string   `yaml:"url" json:"url,omitempty"`           // streamable HTTP, instead of a command
	TokenEnv string   `yaml:"tokenEnv" json:"tokenEnv,omitempty"` // the environment variable with its bearer token
}

// Config returns the server's config with its token. The caller sets Env.
func (e Entry) Config(getenv func(string) string) (Config, error) {
	c := Config{Name: e.Name, Command: e.Command, URL: e.URL}
	if e.TokenEnv != "" {
		if c.Token = getenv(e.TokenEnv); c.Token == "" {
			return c, errcode.New(errcode.Validation, "the token of the MCP server %s isn't set. "+
				"Set the environment variable %s where AgentFlow is started, and restart it.", e.Name, e.TokenEnv).
				With(errcode.KeyField, "mcpServers").With(errcode.KeyCause, CauseUnset).
				With(keyServer, e.Name).With(keyVariable, e.TokenEnv)
		}
	}
	return c, nil
}

// Check returns what is wrong with the entry, as far as can be seen without its token.
func (e Entry) Check() error {
	_, err := New(Config{Name: e.Name, Command: e.Command, URL: e.URL})
	return err
}
