package topology

import (
	"encoding/json"
	"slices"

	"agentflow/backend/team/topology/internal/changeid"
	"agentflow/backend/team/topology/internal/ordered"
	"agentflow/backend/team/topology/internal/rawjson"
)

// Keys of Topology.Messages, and the fields of its changes.
const (
	MessagesEnabled    = "enabled"    // tools.agentToAgent.enabled
	MessagesAllow      = "allow"      // tools.agentToAgent.allow: agents and patterns; none means every agent
	MessagesVisibility = "visibility" // tools.sessions.visibility
)

func messagePlace(field string) string { return changeid.ID(string(SubjectMessages), field, "") }

// messages reports each setting for messages between agents as a change.
func (d *differ) messages(base, draft Extra) {
	draft.Diff(base, func(key string, before, after json.RawMessage) {
		d.add(Change{ID: messagePlace(key), Op: Changed, Subject: SubjectMessages, Field: key,
			Before: before, After: after})
	})
}

func (a *applier) messages(cs ChangeSet) error {
	for _, c := range cs {
		if c.Subject != SubjectMessages {
			continue
		}
		if c.Field == "" {
			return c.Refuse("a setting for messages between agents needs a name")
		}
		a.t.Messages = a.t.Messages.With(c.Field, c.After)
	}
	return nil
}

// messages merges the settings for messages between agents: the list agent by agent, the others as wholes.
func (m *merger) messages() {
	out := slices.Clone(m.mine.Messages)
	for _, key := range extraKeys(m.base.Messages, m.mine.Messages, m.theirs.Messages) {
		c := Conflict{ID: messagePlace(key), Reason: ReasonBothChanged, Subject: SubjectMessages, Field: key,
			Base:   m.base.Messages.Value(key),
			Mine:   m.mine.Messages.Value(key),
			Theirs: m.theirs.Messages.Value(key),
		}
		var value json.RawMessage
		merged := false
		if key == MessagesAllow {
			value, merged = mergedList(c)
		}
		if !merged {
			value = m.field(c)
		}
		out = out.With(key, value)
	}
	m.out.Messages = out
}

// mergedList merges a list of agents. It doesn't where one side has no list: of those that can message each other, that
// means every agent, as does a list that the two would empty together.
func mergedList(c Conflict) (json.RawMessage, bool) {
	if ordered.SameValue(c.Base, c.Mine) || ordered.SameValue(c.Base, c.Theirs) {
		return nil, false
	}
	base, mine, theirs := agentList(c.Base), agentList(c.Mine), agentList(c.Theirs)
	if base == nil || mine == nil || theirs == nil {
		return nil, false
	}
	var out []string
	for _, id := range ordered.Merge(base, mine, theirs) {
		if here, there := slices.Contains(mine, id), slices.Contains(theirs, id); here && there ||
			here != there && !slices.Contains(base, id) {
			out = append(out, id)
		}
	}
	if len(out) == 0 {
		return nil, false
	}
	return rawjson.Of(out), true
}

// agentList returns a list of agents and patterns; nil if it is empty, in another form, or has one of them twice.
func agentList(raw json.RawMessage) []string {
	var list []string
	if json.Unmarshal(raw, &list) != nil || len(list) == 0 {
		return nil
	}
	for i, id := range list {
		if slices.Contains(list[:i], id) {
			return nil
		}
	}
	return list
}

// renameAllowed returns the settings with the new IDs of agents in the list. Patterns stay as they are.
func renameAllowed(e Extra, to map[AgentID]AgentID) Extra {
	return mapAllowed(e, func(id AgentID) (AgentID, bool) {
		if now, moved := to[id]; moved && now != "" {
			return now, true
		}
		return id, true
	})
}

// WithoutAllowed returns the settings for messages without some agents in the list, as a gateway leaves them when it
// deletes the agents. A list that had no others goes.
func WithoutAllowed(e Extra, gone []AgentID) Extra {
	return mapAllowed(e, func(id AgentID) (AgentID, bool) { return id, !slices.Contains(gone, id) })
}

func mapAllowed(e Extra, each func(AgentID) (AgentID, bool)) Extra {
	raw, there := e.Get(MessagesAllow)
	var list []json.RawMessage
	if !there || json.Unmarshal(raw, &list) != nil {
		return e
	}
	out, changed := mapIDs(list, each)
	switch {
	case !changed:
		return e
	case len(out) == 0:
		return slices.Clone(e).With(MessagesAllow, nil)
	}
	return slices.Clone(e).With(MessagesAllow, rawjson.Of(out))
}

// mapIDs returns a list of agents changed, and whether it is. What isn't the ID of an agent stays.
func mapIDs(list []json.RawMessage, each func(AgentID) (AgentID, bool)) (out []json.RawMessage, changed bool) {
	out = make([]json.RawMessage, 0, len(list))
	for _, item := range list {
		var id AgentID
		if json.Unmarshal(item, &id) != nil {
			out = append(out, item)
			continue
		}
		now, stays := each(id)
		changed = changed || !stays || now != id
		if stays && now != id {
			item = rawjson.Of(now)
		}
		if stays {
			out = append(out, item)
		}
	}
	return out, changed
}
