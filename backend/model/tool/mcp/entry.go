package mcp

import "agentflow/backend/base/errcode"

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
			return c, errcode.New(errcode.Validation, "the environment variable %s, which holds the token of the MCP server %s, is not set", e.TokenEnv, e.Name).
				With(errcode.KeyField, "mcpServers")
		}
	}
	return c, nil
}

// Check returns what is wrong with the entry, as far as can be seen without its token.
func (e Entry) Check() error {
	_, err := New(Config{Name: e.Name, Command: e.Command, URL: e.URL})
	return err
}
