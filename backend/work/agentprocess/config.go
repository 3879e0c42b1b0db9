// Package agentprocess runs one agent as its own process. It accepts tasks over HTTP, calls its model and reports to
// the coordinator (requirements CO-1, CO-2, AG-1 to AG-7).
package agentprocess

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"agentflow/backend/base/docedit"
	"agentflow/backend/base/errcode"
	"agentflow/backend/model/tool"
	"agentflow/backend/model/tool/mcp"
)

// Config is an agent-config.yaml.
type Config struct {
	Agent   Agent    `yaml:"agent"`
	Callers []Caller `yaml:"callers"`
}

// Agent describes the agent.
type Agent struct {
	Name         string        `yaml:"name"`
	Role         string        `yaml:"role"`
	Description  string        `yaml:"description"`
	Model        string        `yaml:"model"`
	Persona      string        `yaml:"persona"`
	Temperature  *float64      `yaml:"temperature"`
	MaxTokens    int           `yaml:"maxTokens"`
	TargetAgents []Target      `yaml:"targetAgents"`
	MCPServers   []mcp.Entry   `yaml:"mcpServers"`
	MCPPolicy    tool.Policies `yaml:"mcpPolicy"`
	Security     Security      `yaml:"security"`
}

// Target is an agent that a Coordinator can delegate to.
type Target struct {
	Name      string `yaml:"name"`
	URL       string `yaml:"url"`
	SecretEnv string `yaml:"secretEnv"`

	Fingerprint string `yaml:"fingerprint"` // of its certificate, unless a known authority signed it
}

// Security limits what an agent can do, and who can call it.
type Security struct {
	AllowedPaths            []string       `yaml:"allowedPaths"` // for file tools and commands; none: the agent has neither
	BlockedCommands         []string       `yaml:"blockedCommands"`
	AskConfirmationCommands []string       `yaml:"askConfirmationCommands"`
	AllowedAddresses        []netip.Prefix `yaml:"allowedAddresses"` // empty: no limit
}

// Caller can call the agent; its secret identifies it.
type Caller struct {
	Name      string `yaml:"name"`
	Role      string `yaml:"role"`
	SecretEnv string `yaml:"secretEnv"`
}

const maxConfig = 1 << 20

var atLine = regexp.MustCompile(`line (\d+)`)

// ReadConfig reads an agent-config.yaml. Errors, including a secret in the file, are VALIDATION_ERROR with
// details.file and details.line.
func ReadConfig(data []byte, file string) (*Config, error) {
	bad := func(line int, format string, a ...any) (*Config, error) {
		e := errcode.New(errcode.Validation, format, a...).With(errcode.KeyFile, file)
		if line > 0 {
			e = e.With(errcode.KeyLine, line)
		}
		return nil, e
	}
	if len(data) > maxConfig {
		return bad(0, "the file is larger than 1 MiB")
	}
	var root yaml.Node
	if err := yaml.Unmarshal(data, &root); err != nil {
		return bad(lineOf(err), "this is not YAML: %s", plain(err))
	}
	if n := secretIn(&root); n != nil {
		return bad(n.Line, "a secret stands in the file. Put it into an environment variable and name that: secretEnv")
	}
	var c Config
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	for i, n := range items(&root, "agent", "security", "allowedAddresses") {
		if _, err := netip.ParsePrefix(n.Value); err != nil {
			return bad(n.Line, "agent.security.allowedAddresses[%d] is %q, which isn't a network. Write an address and its length, for example 192.168.1.0/24 or 10.0.0.5/32", i, n.Value)
		}
	}
	if err := dec.Decode(&c); err != nil {
		if errors.Is(err, io.EOF) {
			return bad(0, "the file is empty")
		}
		return bad(lineOf(err), "%s", unknownKey(err))
	}
	if c.Agent.Name == "" {
		return bad(1, "the agent has no name: set agent.name")
	}
	if c.Agent.Role == "" {
		c.Agent.Role = "Worker"
	}
	if err := c.Agent.MCPPolicy.Check(); err != nil {
		return bad(0, "agent.mcpPolicy: %s", errcode.From(err).Message)
	}
	for i, caller := range c.Callers {
		if caller.Name == "" || caller.Role == "" || caller.SecretEnv == "" {
			return bad(
				lineAt(&root, "callers", i),
				"callers[%d] needs name, role and secretEnv. secretEnv names the environment variable that holds the caller's secret",
				i,
			)
		}
	}
	return &c, nil
}

// items returns the items of a list in the document.
func items(n *yaml.Node, path ...string) []*yaml.Node {
	if n.Kind == yaml.DocumentNode && len(n.Content) > 0 {
		n = n.Content[0]
	}
	for _, key := range path {
		var value *yaml.Node
		for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == key {
				value = n.Content[i+1]
			}
		}
		if value == nil {
			return nil
		}
		n = value
	}
	if n.Kind != yaml.SequenceNode {
		return nil
	}
	return n.Content
}

// lineAt returns the line of a list item, or 0.
func lineAt(n *yaml.Node, key string, i int) int {
	if list := items(n, key); i < len(list) {
		return list[i].Line
	}
	return 0
}

func lineOf(err error) int {
	if m := atLine.FindStringSubmatch(err.Error()); m != nil {
		n, _ := strconv.Atoi(m[1])
		return n
	}
	return 0
}

// plain is what the parser says, without the line, which the error has beside it.
func plain(err error) string {
	text := strings.ReplaceAll(strings.TrimPrefix(err.Error(), "yaml: "), "\n", " ")
	text = strings.TrimSpace(strings.ReplaceAll(text, "unmarshal errors:", ""))
	return beforeLine.ReplaceAllString(text, "")
}

var (
	beforeLine = regexp.MustCompile(`^line \d+: `)
	noField    = regexp.MustCompile(`^field (\S+) not found in type (\S+)`)
)

// unknownKey says which key isn't known, and which was probably meant.
func unknownKey(err error) string {
	text := plain(err)
	m := noField.FindStringSubmatch(text)
	if m == nil {
		return text
	}
	known := keysOf(reflect.TypeFor[Config]())
	if meant := docedit.Nearest(m[1], known[m[2]]); meant != "" {
		return fmt.Sprintf("the key %s isn't known. Did you mean %s?", m[1], meant)
	}
	return fmt.Sprintf("the key %s isn't known. Check its spelling, or remove it.", m[1])
}

// keysOf are the keys of a type and of those in it, by the type's name.
func keysOf(t reflect.Type) map[string][]string {
	out := map[string][]string{}
	var visit func(t reflect.Type)
	visit = func(t reflect.Type) {
		for t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if t.Kind() != reflect.Struct || out[t.String()] != nil {
			return
		}
		for i := range t.NumField() {
			key, _, _ := strings.Cut(t.Field(i).Tag.Get("yaml"), ",")
			out[t.String()] = append(out[t.String()], key)
			visit(t.Field(i).Type)
		}
	}
	visit(t)
	return out
}

// secretIn finds a key that contains a secret itself.
func secretIn(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(n.Content); i += 2 {
			switch strings.ToLower(n.Content[i].Value) {
			case "secret", "token", "apikey", "api_key", "password":
				return n.Content[i]
			}
		}
	}
	for _, c := range n.Content {
		if found := secretIn(c); found != nil {
			return found
		}
	}
	return nil
}
