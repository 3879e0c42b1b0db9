package client

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/client/internal/dialect"
)

const (
	methodTools     = "tools.catalog"
	methodEffective = "tools.effective"
	methodSkills    = "skills.status"
)

// What is read of a gateway's tools and skills at most.
const (
	maxCatalog     = 2000 // tools, or skills
	maxProfiles    = 50
	maxMissing     = 20
	maxCatalogName = 200 // bytes
	maxCatalogText = 300 // bytes
	maxOwnSessions = 50
)

// AgentTools is what a gateway says of the tools and skills that an agent can be given.
type AgentTools struct {
	Catalog   *ToolCatalog    `json:"catalog,omitempty" doc:"Tools that the gateway knows. Absent: unknown."`
	Skills    *SkillCatalog   `json:"skills,omitempty" doc:"Skills that the gateway knows. Absent: unknown."`
	Effective *EffectiveTools `json:"effective,omitempty" doc:"Tools that the agent can use now. Absent: unknown."`
}

// ToolCatalog is the tools that a gateway knows.
type ToolCatalog struct {
	Profiles []string      `json:"profiles" doc:"Values for the profile of an agent."`
	Tools    []GatewayTool `json:"tools" doc:"Tools in the order of the gateway, group by group."`
	Partial  bool          `json:"partial,omitempty" doc:"The gateway has more than is listed."`
}

// GatewayTool is a tool that a gateway knows.
type GatewayTool struct {
	Name        string `json:"name" doc:"Name in the lists of allowed and denied tools."`
	Description string `json:"description,omitempty" doc:"What it does, on one line."`
	Group       string `json:"group,omitempty" doc:"Label of the tool's group, for people."`
	Plugin      string `json:"plugin,omitempty" doc:"ID of the plugin that it is from. A list can also have this ID."`
}

// SkillCatalog is the skills that a gateway knows.
type SkillCatalog struct {
	Skills  []GatewaySkill `json:"skills" doc:"Skills in the order of the gateway."`
	Partial bool           `json:"partial,omitempty" doc:"The gateway has more than is listed."`
}

// GatewaySkill is a skill that a gateway knows.
type GatewaySkill struct {
	Name        string   `json:"name" doc:"Name in the setting skills."`
	Description string   `json:"description,omitempty" doc:"What it is for, on one line."`
	Ready       bool     `json:"ready" doc:"An agent that is given the skill can use it."`
	Disabled    bool     `json:"disabled,omitempty" doc:"The gateway's config disables it."`
	Missing     []string `json:"missing" doc:"Programs, variables, settings and systems that the gateway lacks for it."`
}

// EffectiveTools is the tools that an agent can use now.
type EffectiveTools struct {
	Session string   `json:"session" doc:"Session that the gateway was asked about."`
	Profile string   `json:"profile,omitempty" doc:"Profile that applies."`
	Tools   []string `json:"tools" doc:"Names of the tools."`
	Partial bool     `json:"partial,omitempty" doc:"There are more than are listed."`
}

// AgentTools asks the gateway about the tools and skills of an agent, which it may not know yet. Each part that the
// gateway doesn't offer is left out. So is one that it can't be asked about, and the error says why.
func (c *Client) AgentTools(ctx context.Context, agent string) (AgentTools, error) {
	var out AgentTools
	var failed error
	for _, part := range []struct {
		method string
		ask    func() error
	}{
		{methodTools, func() (err error) { out.Catalog, err = c.toolCatalog(ctx, agent); return err }},
		{methodSkills, func() (err error) { out.Skills, err = c.skillCatalog(ctx, agent); return err }},
		{methodEffective, func() (err error) { out.Effective, err = c.effectiveTools(ctx, agent); return err }},
	} {
		if !c.Features().Has(part.method) {
			continue
		}
		err := part.ask()
		failed = cmp.Or(failed, err)
		if err != nil && !errcode.HasReason(err, errcode.ReasonRejected) {
			break // without an answer to one, nobody waits for the next
		}
	}
	return out, failed
}

// askOfAgent asks about an agent. A gateway refuses one that it doesn't know, and is then asked about any.
func (c *Client) askOfAgent(ctx context.Context, method, agent string) (json.RawMessage, error) {
	ask := func(agent string) (json.RawMessage, error) {
		return c.call(ctx, request{
			method: method, timeout: c.timing.Call,
			params: struct {
				AgentID string `json:"agentId,omitempty"`
			}{agent},
			able: func(f Features) bool { return f.Has(method) },
		})
	}
	raw, err := ask(agent)
	if agent != "" && errcode.HasReason(err, errcode.ReasonRejected) {
		raw, err = ask("")
	}
	if errcode.HasReason(err, errcode.ReasonRejected) {
		if first := c.firstAgent(ctx); first != "" && first != agent {
			raw, err = ask(first)
		}
	}
	return raw, err
}

// toolGroup is a group of tools.catalog and of tools.effective.
type toolGroup struct {
	Label    loose   `json:"label"`
	PluginID loose   `json:"pluginId"`
	Tools    rowList `json:"tools"`
}

type toolRow struct {
	ID          loose `json:"id"`
	Description loose `json:"description"`
	PluginID    loose `json:"pluginId"`
}

func (c *Client) toolCatalog(ctx context.Context, agent string) (*ToolCatalog, error) {
	raw, err := c.askOfAgent(ctx, methodTools, agent)
	if err != nil {
		return nil, err
	}
	var answer struct {
		Profiles rowList `json:"profiles"`
		Groups   rowList `json:"groups"`
	}
	if err := decodeResult(methodTools, raw, &answer); err != nil {
		return nil, err
	}
	out := &ToolCatalog{Profiles: []string{}, Tools: []GatewayTool{}}
	for _, one := range answer.Profiles {
		var row toolRow
		name := row.read(one)
		if name != "" && len(out.Profiles) < maxProfiles && !slices.Contains(out.Profiles, name) {
			out.Profiles = append(out.Profiles, name)
		}
	}
	out.Partial = eachTool(answer.Groups, func(group toolGroup, name string, row toolRow) {
		tool := GatewayTool{
			Name: name, Description: lineOf(row.Description), Group: lineOf(group.Label), Plugin: nameOf(row.PluginID),
		}
		if tool.Plugin == "" {
			tool.Plugin = nameOf(group.PluginID)
		}
		out.Tools = append(out.Tools, tool)
	})
	if len(out.Tools) == 0 {
		return nil, badAnswer(nil, methodTools, "it lists no tool")
	}
	return out, nil
}

// eachTool gives each tool of the groups once. It returns whether it left any out.
func eachTool(groups rowList, tell func(group toolGroup, name string, row toolRow)) (partial bool) {
	told := map[string]bool{}
	for _, one := range groups {
		var group toolGroup
		if json.Unmarshal(one, &group) != nil {
			partial = true
			continue
		}
		for _, of := range group.Tools {
			var row toolRow
			name := row.read(of)
			if name == "" || len(told) == maxCatalog {
				partial = true
			} else if !told[name] {
				told[name] = true
				tell(group, name, row)
			}
		}
	}
	return partial
}

// read returns the name of the row; "" where it has none.
func (r *toolRow) read(raw json.RawMessage) string {
	if json.Unmarshal(raw, r) != nil {
		return ""
	}
	return nameOf(r.ID)
}

type skillRow struct {
	Name          loose              `json:"name"`
	Description   loose              `json:"description"`
	Eligible      bool               `json:"eligible"`
	Disabled      bool               `json:"disabled"`
	Blocked       bool               `json:"blockedByAllowlist"`
	Filtered      bool               `json:"blockedByAgentFilter"`
	WrongPlatform bool               `json:"platformIncompatible"`
	Missing       map[string]rowList `json:"missing"`
}

func (c *Client) skillCatalog(ctx context.Context, agent string) (*SkillCatalog, error) {
	raw, err := c.askOfAgent(ctx, methodSkills, agent)
	if err != nil {
		return nil, err
	}
	var answer struct {
		Skills rowList `json:"skills"`
	}
	if err := decodeResult(methodSkills, raw, &answer); err != nil {
		return nil, err
	}
	if answer.Skills == nil {
		return nil, badAnswer(nil, methodSkills, "it has no list of skills")
	}
	out, told := &SkillCatalog{Skills: []GatewaySkill{}}, map[string]bool{}
	for _, one := range answer.Skills {
		var row skillRow
		name := ""
		if json.Unmarshal(one, &row) == nil {
			name = nameOf(row.Name)
		}
		if name == "" || len(told) == maxCatalog {
			out.Partial = true
		} else if !told[name] {
			told[name] = true
			out.Skills = append(out.Skills, row.skill(name))
		}
	}
	return out, nil
}

func (r skillRow) skill(name string) GatewaySkill {
	s := GatewaySkill{
		Name: name, Description: lineOf(r.Description), Disabled: r.Disabled || r.Blocked, Missing: []string{},
	}
	kinds := make([]string, 0, len(r.Missing))
	for kind := range r.Missing {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	for _, kind := range kinds {
		for _, one := range r.Missing[kind] {
			var text loose
			_ = json.Unmarshal(one, &text) // loose fits everything
			if what := lineOf(text); what != "" && len(s.Missing) < maxMissing {
				s.Missing = append(s.Missing, what)
			}
		}
	}
	// A skill that only the agent's own list leaves out is ready as soon as the list has it.
	s.Ready = !s.Disabled && !r.WrongPlatform && len(s.Missing) == 0 && (r.Eligible || r.Filtered)
	return s
}

// ownSession returns a session of the agent, its main one if it has that; "" if it has none. Those of subagents and of
// cron jobs have rules of their own.
func (c *Client) ownSession(ctx context.Context, agent string) (string, error) {
	const method = "sessions.list"
	raw, err := c.call(ctx, request{
		method: method, timeout: c.timing.Call, params: map[string]any{"agentId": agent, "limit": maxOwnSessions},
	})
	if err != nil {
		return "", err
	}
	var answer struct {
		Sessions rowList `json:"sessions"`
	}
	if err := decodeResult(method, raw, &answer); err != nil {
		return "", err
	}
	key := ""
	for _, one := range answer.Sessions {
		var row sessionRow
		if json.Unmarshal(one, &row) != nil {
			continue
		}
		s := row.session()
		_, rest, _ := agentOfKey(s.SessionKey)
		if s.AgentID != agent || s.Parent != "" || strings.HasPrefix(rest, "cron:") {
			continue
		}
		if key == "" || rest == "main" {
			key = s.SessionKey
		}
	}
	return key, nil
}

// effectiveTools asks about a session that the agent has, because a gateway knows the tools of those only. Without one
// it returns nil.
func (c *Client) effectiveTools(ctx context.Context, agent string) (*EffectiveTools, error) {
	key, err := c.ownSession(ctx, agent)
	if err != nil || key == "" {
		return nil, err
	}
	raw, err := c.call(ctx, request{
		method: methodEffective, timeout: c.timing.Call, params: map[string]any{"agentId": agent, "sessionKey": key},
		able: func(f Features) bool { return f.Has(methodEffective) },
	})
	if err != nil {
		return nil, err
	}
	var answer struct {
		AgentID loose   `json:"agentId"`
		Profile loose   `json:"profile"`
		Groups  rowList `json:"groups"`
	}
	if err := decodeResult(methodEffective, raw, &answer); err != nil {
		return nil, err
	}
	if answer.Groups == nil || string(answer.AgentID) != agent {
		return nil, badAnswer(nil, methodEffective, "it isn't about the agent's tools")
	}
	out := &EffectiveTools{Session: key, Profile: nameOf(answer.Profile), Tools: []string{}}
	out.Partial = eachTool(answer.Groups, func(_ toolGroup, name string, _ toolRow) {
		out.Tools = append(out.Tools, name)
	})
	return out, nil
}

// rowList is a list whose rows are read one by one: nil if it is none.
type rowList []json.RawMessage

// UnmarshalJSON implements json.Unmarshaler.
func (l *rowList) UnmarshalJSON(raw []byte) error {
	var rows []json.RawMessage
	if json.Unmarshal(raw, &rows) == nil {
		*l = rows
	}
	return nil
}

// loose is a text, and "" where the gateway has something else.
type loose string

// UnmarshalJSON implements json.Unmarshaler.
func (l *loose) UnmarshalJSON(raw []byte) error {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		*l = loose(text)
	}
	return nil
}

// nameOf returns a name that can be in a list with one name per line. A shorter one would be another name, so what is
// too long is no name.
func nameOf(text loose) string {
	name := string(text)
	if len(name) > maxCatalogName || strings.ContainsFunc(name, func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r)
	}) {
		return ""
	}
	return name
}

// lineOf returns the text on one line, as long as a description can be.
func lineOf(text loose) string {
	line := strings.Join(strings.Fields(dialect.Clean(cutText(string(text), 4*maxCatalogText))), " ")
	if short := cutText(line, maxCatalogText); short != line {
		return short + "…"
	}
	return line
}
