package topology

import (
	"encoding/json"
	"slices"

	"agentflow/backend/team/topology/internal/changeid"
	"agentflow/backend/team/topology/internal/ordered"
	"agentflow/backend/team/topology/internal/rawjson"
)

// BroadcastStrategy is the key of Topology.Broadcast that isn't a group: in which order the agents of a group answer.
const BroadcastStrategy = "strategy"

// groupAgents is the key of a group that has other settings beside its agents.
const groupAgents = "agents"

// BroadcastTo returns the agents of a broadcast group, or nil for what isn't one.
func BroadcastTo(key string, group json.RawMessage) []AgentID {
	var out []AgentID
	mapGroup(key, group, func(id AgentID) (AgentID, bool) {
		out = append(out, id)
		return id, true
	})
	return out
}

func broadcastPlace(key string) string { return changeid.ID(string(SubjectBroadcast), key, "") }

// broadcast reports each group, and the strategy, as a change.
func (d *differ) broadcast(base, draft Extra) {
	draft.Diff(base, func(key string, before, after json.RawMessage) {
		op := Changed
		switch {
		case before == nil:
			op = Added
		case after == nil:
			op = Removed
		}
		d.add(Change{ID: broadcastPlace(key), Op: op, Subject: SubjectBroadcast, Field: key,
			Before: before, After: after})
	})
}

func (a *applier) broadcast(cs ChangeSet) error {
	for _, c := range cs {
		if c.Subject != SubjectBroadcast {
			continue
		}
		if c.Field == "" {
			return c.Refuse("a broadcast group needs a conversation")
		}
		if c.Op != Removed && !json.Valid(c.After) {
			return c.Refuse("its value cannot be read")
		}
		a.t.Broadcast = a.t.Broadcast.With(c.Field, c.After)
	}
	return nil
}

// broadcast merges the groups one by one, and the agents of a list that both sides changed.
func (m *merger) broadcast() {
	out := slices.Clone(m.mine.Broadcast)
	for _, key := range extraKeys(m.base.Broadcast, m.mine.Broadcast, m.theirs.Broadcast) {
		c := Conflict{ID: broadcastPlace(key), Subject: SubjectBroadcast, Field: key,
			Base:   m.base.Broadcast.Value(key),
			Mine:   m.mine.Broadcast.Value(key),
			Theirs: m.theirs.Broadcast.Value(key),
		}
		c.Reason = reasonOf(c)
		value, merged := mergedList(c)
		if !merged {
			value = m.field(c)
		}
		out = out.With(key, value)
	}
	m.out.Broadcast = out
}

// renameBroadcast returns the groups with the new IDs of agents. A group that is in base as well stays as it is: it
// means other agents.
func renameBroadcast(e, base Extra, to map[AgentID]AgentID) Extra {
	return mapBroadcast(e, func(key string, group json.RawMessage, id AgentID) (AgentID, bool) {
		if now := to[id]; now != "" && !ordered.SameValue(base.Value(key), group) {
			return now, true
		}
		return id, true
	})
}

// WithoutBroadcast returns the groups without some agents, as a gateway leaves them when it deletes the agents. A group
// that has no agents goes.
func WithoutBroadcast(e Extra, gone []AgentID) Extra {
	out := mapBroadcast(e, func(_ string, _ json.RawMessage, id AgentID) (AgentID, bool) {
		return id, !slices.Contains(gone, id)
	})
	return slices.DeleteFunc(slices.Clone(out), func(f Field) bool {
		return f.Key != BroadcastStrategy && isGroup(f.Value) && len(BroadcastTo(f.Key, f.Value)) == 0
	})
}

func isGroup(value json.RawMessage) bool {
	_, _, ok := agentsIn(value)
	return ok
}

// agentsIn returns the list of a group, and the group if it has other settings beside the list.
func agentsIn(group json.RawMessage) (list []json.RawMessage, settings Extra, ok bool) {
	if json.Unmarshal(group, &list) == nil {
		return list, nil, list != nil
	}
	if json.Unmarshal(group, &settings) != nil || json.Unmarshal(settings.Value(groupAgents), &list) != nil {
		return nil, nil, false
	}
	return list, settings, true
}

func mapBroadcast(e Extra, each func(key string, group json.RawMessage, id AgentID) (AgentID, bool)) Extra {
	out := slices.Clone(e)
	for _, f := range e {
		one := func(id AgentID) (AgentID, bool) { return each(f.Key, f.Value, id) }
		if value, changed := mapGroup(f.Key, f.Value, one); changed {
			out = out.With(f.Key, value)
		}
	}
	return out
}

// mapGroup returns a group with its agents changed. What isn't the ID of an agent stays.
func mapGroup(key string, group json.RawMessage, each func(AgentID) (AgentID, bool)) (json.RawMessage, bool) {
	list, settings, ok := agentsIn(group)
	if key == BroadcastStrategy || !ok {
		return group, false
	}
	out, changed := mapIDs(list, each)
	switch {
	case !changed:
		return group, false
	case settings != nil:
		return rawjson.Of(settings.With(groupAgents, rawjson.Of(out))), true
	}
	return rawjson.Of(out), true
}
