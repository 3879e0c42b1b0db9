package gatewayconfig

import (
	"cmp"
	"regexp"
	"strings"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/topology"
)

const (
	entriesIDPattern = `^[a-z0-9_][a-z0-9_-]{0,63}$`
	implicitAgent    = "main"

	restartSecondsOld = 8
	restartSecondsNew = 12
)

// CapabilitiesFor turns what is known of a gateway into what it can hold and how it
// behaves.
func CapabilitiesFor(f Features) Capabilities {
	c := Capabilities{DeleteAgents: f.AgentsDelete, HotApply: f.HotApply, RestartSeconds: restartSecondsOld,
		ReadOnly: f.ReadOnly}
	c.ApplyFormat = "yaml"
	switch {
	case f.Local:
		c.Roster, c.FullAgents, c.KeepsText, c.HotApply = Map, true, true, true
		c.Home = f.Home
	case f.Framed:
		c.framed(f)
	default:
		c.Roster, c.KeepsText, c.Home = Map, true, cmp.Or(f.Home, "~") // it tells nobody where its home is, and knows it itself
	}
	c.RosterGuard, c.Files = f.RosterGuard, f.AgentFiles
	if f.ApplyFormat == "json" || f.ApplyFormat == "json5" {
		c.ApplyFormat = "json"
	}
	return c
}

func (c *Capabilities) framed(f Features) {
	c.ApplyFormat = "json"
	c.DefaultAgent = implicitAgent
	c.Roster = List
	if f.Protocol >= 4 {
		c.RestartSeconds = restartSecondsNew
		c.Roster, c.IDPattern, c.Ownership = Entries, entriesIDPattern, true
	}
}

// In returns the limits for a config of a shape: a roster that is still a list takes
// what lists take, on whichever gateway.
func (l Limits) In(shape Shape) Limits {
	if shape == List {
		l.IDPattern, l.Ownership = "", false
	}
	return l
}

// Holds reports whether a gateway with a config of the shape has a place for a field of an agent.
func (l Limits) Holds(shape Shape, field string) bool {
	if _, isFile := topology.FileOf(field); isFile || field == topology.FieldFiles {
		return l.Files
	}
	if l.FullAgents {
		return true
	}
	switch field {
	case keyName, keyModel, keyWorkspace, keyAllowAny:
		return true
	case keyFallbacks, keyTools:
		return shape == List || shape == Entries
	case keyDescription:
		// A gateway with entries reads an older list as entries, and writes it so.
		return shape == Entries || shape == List && l.Roster == Entries
	}
	return false
}

// checkIDs refuses a draft that no config can hold.
func checkIDs(draft *topology.Topology, known map[topology.AgentID]bool, l Limits) error {
	var pattern *regexp.Regexp
	if l.IDPattern != "" {
		p, err := regexp.Compile(l.IDPattern)
		if err != nil {
			return errcode.Wrap(errcode.Internal, err, "the rule for ids cannot be understood")
		}
		pattern = p
	}
	seen := make(map[topology.AgentID]bool, len(draft.Agents))
	for i := range draft.Agents {
		id := draft.Agents[i].ID
		bad := func(format string, args ...any) error {
			return errcode.New(errcode.Validation, format, args...).With(errcode.KeyField, "agents").With("agent", id)
		}
		switch {
		case id == "":
			return bad("agent %d of the team has no id. Give it one", i+1)
		case seen[id]:
			return bad("two agents of the team have the id %q. Give one of them another id", id)
		case id.IsPath() && !known[id]:
			return bad("the id %q leads to another folder. Change the id", id)
		case pattern != nil && !known[id] && !pattern.MatchString(string(id)):
			return bad("the gateway does not take the id %q: it must match %s. Change the id", id, l.IDPattern)
		}
		seen[id] = true
	}
	return nil
}

// Sends reports whether an apply to a gateway with these limits would send the change;
// what it would not stays in the team. It goes by the gateway's kind alone, where a
// Preview also looks at the config.
func (l Limits) Sends(ch topology.Change) bool {
	switch ch.Subject {
	case topology.SubjectAgent:
		return ch.Field == "" || strings.HasPrefix(ch.Field, "extra.") ||
			ch.Op != topology.Moved && l.Holds(l.Roster, ch.Field)
	case topology.SubjectBinding, topology.SubjectBroadcast, topology.SubjectDefaults, topology.SubjectMessages:
		return !l.FullAgents
	case topology.SubjectConnection:
		return ch.Field == "" && topology.KindOf(ch.Kind).Everywhere || l.Holds(l.Roster, keyConnections)
	}
	return false
}

// Held says what a config of the shape can hold, for topology.Adopt. Workspace files are read beside it.
func (l Limits) Held(s Shape) topology.Held {
	channels := !l.FullAgents
	h := topology.Held{Bindings: channels, Broadcast: channels, Defaults: channels, Messages: channels}
	for _, f := range topology.FieldNames() {
		if f != topology.FieldFiles && l.Holds(s, f) {
			h.Fields = append(h.Fields, f)
		}
	}
	for _, k := range topology.Kinds() {
		if k.Everywhere || l.FullAgents {
			h.Kinds = append(h.Kinds, k.Kind)
		}
	}
	return h
}

// Adopt returns the team after an import over it, see topology.Adopt. Base is what
// was last read from the gateway, or nil.
func Adopt(reading Reading, team, base *topology.Topology, limits Limits) *topology.Topology {
	return topology.Adopt(team, &reading.Topology, base, limits.Held(reading.Shape))
}
