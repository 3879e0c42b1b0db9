package chatagent

import (
	"cmp"
	"encoding/json"
	"fmt"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/model/llm"
	"agentflow/backend/model/tool"
	"agentflow/backend/model/tool/mcp"
	"agentflow/backend/talk/room"
	"agentflow/backend/team/teamfile"
	"agentflow/backend/team/topology"
)

// File is an agents.yml.
type File struct {
	Agents  []Config
	Lines   []int              // where each of them stands
	Unknown []teamfile.Unknown // keys that mean nothing here
}

// settings are common to the agents of a file.
type settings struct {
	History int `json:"chat_history_limit"`
	DelayMs int `json:"response_delay_ms"`
}

// ReadFile reads an agents.yml. An error names file and line, and what to do.
func ReadFile(data []byte, file string) (File, error) {
	read, err := teamfile.ReadRooms(data, file)
	if err != nil {
		return File{}, err
	}
	var common settings
	if raw, has := read.Team.Extra.Get("common_settings"); has {
		if err := json.Unmarshal(raw, &common); err != nil {
			return File{}, errcode.Wrap(errcode.Validation, err, "%s: common_settings cannot be read", file).
				With(errcode.KeyFile, file)
		}
	}
	out := File{Unknown: read.Unknown}
	for i := range read.Team.Agents {
		a := &read.Team.Agents[i]
		line := read.Lines[a.ID]
		c, err := ConfigOf(a)
		if err == nil {
			err = c.equip(a)
		}
		if err != nil {
			return File{}, at(file, line, err)
		}
		c.AgentID = "" // it is of no team
		c.History, c.Delay = cmp.Or(common.History, DefaultHistory), time.Duration(common.DelayMs)*time.Millisecond
		out.Agents, out.Lines = append(out.Agents, c), append(out.Lines, line)
	}
	return out, nil
}

// equip reads which MCP servers the agent has, and what it may do unasked. That counts in a
// file that a person starts agents from, and not in a team, which may come from elsewhere.
func (c *Config) equip(a *topology.Agent) error {
	if raw, has := a.Extra.Get("mcpServers"); has {
		if err := tool.Decode([]byte(`{"list":`+string(raw)+`}`), &struct {
			List *[]mcp.Entry `json:"list"`
		}{&c.Servers}); err != nil {
			return errcode.New(errcode.Validation, "mcpServers of %s: %s", c.Name, errcode.From(err).Message)
		}
	}
	for _, e := range c.Servers {
		if err := e.Check(); err != nil {
			return err
		}
	}
	if raw, has := a.Extra.Get("mcpPolicy"); has {
		if err := tool.Decode(raw, &c.Policies); err != nil {
			return errcode.New(errcode.Validation, "mcpPolicy of %s: %s", c.Name, errcode.From(err).Message)
		}
	}
	return c.Policies.Check()
}

// Check says which agent's model cannot be asked, as far as that shows without asking.
func (f File) Check(file string, check func(llm.Model) error) error {
	for i, c := range f.Agents {
		if err := check(c.Model); err != nil {
			return at(file, f.Lines[i], fmt.Errorf("%s cannot speak: %w", c.Name, err))
		}
	}
	return nil
}

func at(file string, line int, err error) error {
	return errcode.New(errcode.Validation, "%s:%d: %s", file, line, err).
		With(errcode.KeyFile, file).
		With(errcode.KeyLine, line)
}

// ConfigOf is an agent of a team, or of a file, as one that talks.
func ConfigOf(a *topology.Agent) (Config, error) {
	name, err := room.Name("name", cmp.Or(a.Name, string(a.ID)))
	if err != nil {
		return Config{}, err
	}
	c := Config{
		Name:        name,
		AgentID:     string(a.ID),
		Model:       llm.Model(a.Model),
		Role:        a.Role,
		Persona:     cmp.Or(a.Persona, a.Description),
		Workspace:   a.Workspace,
		Temperature: a.Temperature,
	}
	if a.MaxTokens != nil {
		c.MaxTokens = *a.MaxTokens
	}
	if a.Tools != nil {
		c.Tools = a.Tools.Allow
	}
	if raw, has := a.Extra.Get("options"); has {
		if err := json.Unmarshal(raw, &c.Options); err != nil {
			return c, errcode.Wrap(errcode.Validation, err, "the options of %s are no map", name)
		}
	}
	return c, nil
}
