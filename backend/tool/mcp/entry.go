package mcp

import "agentflow/backend/errcode"

// Entry is a server as a file names it: the environment variable with its token stands
// there, never the token.
type Entry struct {
	Name     string   `yaml:"name" json:"name"`
	Command  []string `yaml:"command" json:"command,omitempty"`
	Env      []string `yaml:"env" json:"env,omitempty"`           // names of environment variables that the program gets besides the usual ones
	URL      string   `yaml:"url" json:"url,omitempty"`           // streamable HTTP, instead of a command
	TokenEnv string   `yaml:"tokenEnv" json:"tokenEnv,omitempty"` // the environment variable with its bearer token
}

// Config is the server's, with its token; Env is left to the caller.
func (e Entry) Config(getenv func(string) string) (Config, error) {
	c := Config{Name: e.Name, Command: e.Command, URL: e.URL}
	if e.TokenEnv != "" {
		if c.Token = getenv(e.TokenEnv); c.Token == "" {
			return c, errcode.New(errcode.Validation, "the environment variable %s, which holds the token of the MCP server %s, is not set", e.TokenEnv, e.Name).With(errcode.KeyField, "mcpServers")
		}
	}
	return c, nil
}

// Check says what is wrong with the entry, as far as that shows without its token.
func (e Entry) Check() error {
	_, err := New(Config{Name: e.Name, Command: e.Command, URL: e.URL})
	return err
}
