package routes

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"agentflow/backend/team/topology"
)

// Channel is a service that brings messages, as the gateway's config has it.
type Channel struct {
	ID       string    `json:"id" doc:"Name of the channel, such as telegram."`
	Enabled  bool      `json:"enabled"`
	Accounts []Account `json:"accounts" doc:"Accounts of the channel. One without its own list has the account default."`
	Notes    []Remark  `json:"notes,omitempty" doc:"Hints."`
}

// Account is one login of a channel.
type Account struct {
	ID      string `json:"id"`
	Name    string `json:"name,omitempty"`
	Enabled bool   `json:"enabled"`
}

// config is the part of a gateway's config that routes depend on.
type config struct {
	Agents struct {
		Ownership string                     `json:"ownership"`
		List      json.RawMessage            `json:"list"`
		Entries   map[string]json.RawMessage `json:"entries"`
		Defaults  struct {
			SystemAgent struct {
				AgentID string `json:"agentId"`
			} `json:"systemAgent"`
		} `json:"defaults"`
	} `json:"agents"`
	Channels  map[string]json.RawMessage `json:"channels"`
	Bindings  []json.RawMessage          `json:"bindings"`
	Broadcast map[string]json.RawMessage `json:"broadcast"`
}

// readConfig reads the parts one by one, so that one in an unknown form doesn't hide the others.
func readConfig(raw json.RawMessage) *config {
	var parts map[string]json.RawMessage
	if json.Unmarshal(raw, &parts) != nil || parts == nil {
		return nil
	}
	c := new(config)
	for key, into := range map[string]any{
		"agents": &c.Agents, "channels": &c.Channels, "bindings": &c.Bindings, "broadcast": &c.Broadcast,
	} {
		_ = json.Unmarshal(parts[key], into) // what it doesn't understand isn't there
	}
	return c
}

// notChannels are keys of channels that aren't a channel.
var notChannels = []string{"defaults", "modelByChannel"}

func (c *config) channels() []Channel {
	out := []Channel{}
	for _, id := range slices.Sorted(maps.Keys(c.Channels)) {
		if slices.Contains(notChannels, id) {
			continue
		}
		var v struct {
			Enabled  *bool                      `json:"enabled"`
			Accounts map[string]json.RawMessage `json:"accounts"`
		}
		_ = json.Unmarshal(c.Channels[id], &v)
		ch := Channel{ID: normal(id), Enabled: v.Enabled == nil || *v.Enabled, Accounts: []Account{}}
		for _, name := range slices.Sorted(maps.Keys(v.Accounts)) {
			var a struct {
				Name    string `json:"name"`
				Enabled *bool  `json:"enabled"`
			}
			_ = json.Unmarshal(v.Accounts[name], &a)
			ch.Accounts = append(
				ch.Accounts,
				Account{ID: name, Name: a.Name, Enabled: a.Enabled == nil || *a.Enabled},
			)
		}
		isDefault := func(a Account) bool { return account(a.ID) == DefaultAccount }
		if len(v.Accounts) == 0 || hasLogin(c.Channels[id]) && !slices.ContainsFunc(ch.Accounts, isDefault) {
			ch.Accounts = append(ch.Accounts, Account{ID: DefaultAccount, Enabled: ch.Enabled})
		}
		out = append(out, ch)
	}
	return out
}

// hasLogin reports whether a channel has a token beside its accounts, which is the account default.
func hasLogin(channel json.RawMessage) bool {
	var keys map[string]json.RawMessage
	_ = json.Unmarshal(channel, &keys)
	for key := range keys {
		if k := strings.ToLower(key); strings.HasSuffix(k, "token") || strings.HasSuffix(k, "tokenfile") {
			return true
		}
	}
	return false
}

// lenient reports whether the gateway is one from before 2026.8, which keeps its agents in a list: it gives messages
// without an owner to the first agent, has no rules about all peers of a kind, and tells groups from channels.
func (c *config) lenient() bool { return len(c.Agents.List) > 0 }

// owner returns the agent that answers where no rule matches, or "".
func (t *Table) owner(team *topology.Topology, c *config) topology.AgentID {
	if len(team.Agents) == 0 {
		return ""
	}
	var marked []topology.AgentID
	for _, a := range team.Agents {
		if v, _ := a.Extra.Get("default"); string(v) == "true" {
			marked = append(marked, a.ID)
		}
	}
	explicit := c != nil && c.Agents.Ownership == "explicit"
	switch {
	case t.lenient && len(marked) > 0:
		return marked[0]
	case t.lenient:
		return team.Agents[0].ID
	case explicit && c.Agents.Defaults.SystemAgent.AgentID != "":
		if id, ok := t.agents[normal(c.Agents.Defaults.SystemAgent.AgentID)]; ok {
			return id
		}
	case !explicit && len(marked) == 1:
		return marked[0]
	}
	if len(team.Agents) == 1 {
		return team.Agents[0].ID
	}
	return t.agents[c.sole()]
}

// implicitAgent is the agent of a gateway whose config names none.
const implicitAgent = "main"

// sole returns the only agent of the gateway, or "". When others join it, a gateway since 2026.8 names it as its
// agents.defaults.systemAgent, so that it keeps the messages that no rule is about.
func (c *config) sole() string {
	switch {
	case c == nil || len(c.Agents.Entries) > 1 || c.Agents.Defaults.SystemAgent.AgentID != "":
		return ""
	case len(c.Agents.Entries) == 0:
		return implicitAgent
	}
	for id := range c.Agents.Entries {
		return normal(id)
	}
	return ""
}
