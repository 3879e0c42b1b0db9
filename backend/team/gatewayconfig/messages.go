package gatewayconfig

import (
	"gopkg.in/yaml.v3"

	"agentflow/backend/base/docedit"
	"agentflow/backend/team/topology"
)

// keyMessages names the settings for messages between agents in a Loss.
const keyMessages = "messages"

// messageSettings are the places of Topology.Messages in tools, in the order of reading.
var messageSettings = []struct{ key, within, name string }{
	{topology.MessagesEnabled, "agentToAgent", "enabled"},
	{topology.MessagesAllow, "agentToAgent", "allow"},
	{topology.MessagesVisibility, "sessions", "visibility"},
}

// toolsAt returns what the config says of the tools of every agent; nil where it says nothing.
func (r *roster) toolsAt() *yaml.Node {
	if docedit.IsNull(r.doc.Root()) {
		return nil
	}
	if at := docedit.Get(r.doc.Root(), keyTools); !docedit.IsNull(at) {
		return at
	}
	return nil
}

// oddMessages returns the path of the first place that isn't a map; "" if messages can be read and written.
func oddMessages(tools *yaml.Node) (path string, at *yaml.Node) {
	if tools == nil {
		return "", nil
	}
	if !docedit.IsMap(tools) {
		return keyTools, tools
	}
	for _, s := range messageSettings {
		if at := docedit.Get(tools, s.within); !docedit.IsNull(at) && !docedit.IsMap(at) {
			return keyTools + "." + s.within, at
		}
	}
	return "", nil
}

// readMessages returns the settings for messages between agents. What isn't a map stays in the config.
func (r *roster) readMessages(out *Reading) {
	tools := r.toolsAt()
	if path, at := oddMessages(tools); path != "" {
		out.Warnings = append(out.Warnings, Finding{Path: path, Line: line(at),
			Message: "this isn't a map; the settings for messages between agents are not shown and stay in the config"})
		return
	}
	for _, s := range messageSettings {
		if v := docedit.Get(docedit.Get(tools, s.within), s.name); v != nil {
			f := topology.Field{Key: s.key, Value: docedit.AppendJSON(nil, v, "")}
			out.Topology.Messages = append(out.Topology.Messages, f)
		}
	}
}

// messages writes into doc what the draft changed of the settings for messages between agents, value by value. What
// neither draft nor base have came to the gateway since, and stays.
func (w *writer) messages(doc *docedit.Document, base, draft *topology.Topology) (*docedit.Document, error) {
	var was topology.Extra
	if base != nil {
		was = base.Messages
	}
	if draft.Messages.Equal(was) {
		return doc, nil
	}
	r, err := findRoster(doc)
	if err != nil {
		return nil, err
	}
	tools := r.toolsAt()
	if path, _ := oddMessages(tools); path != "" || w.limits.FullAgents {
		reason := LossShape
		if w.limits.FullAgents {
			reason = LossNoPlace
		}
		w.lose(Loss{Field: keyMessages, Reason: reason,
			Message: "the gateway's config can't hold settings for messages between agents. They stay in the team"})
		return doc, nil
	}
	before, _, err := inTools(was)
	if err != nil {
		return nil, err
	}
	want, left, err := inTools(draft.Messages)
	if err != nil {
		return nil, err
	}
	for _, key := range left {
		w.lose(Loss{Field: keyMessages + "." + key, Reason: LossNoPlace,
			Message: "the gateway has no setting of this name for messages between agents. It stays in the team"})
	}
	w.ed = doc.Edit()
	fresh := w.strip("", keyTools, want, nil)
	switch {
	case tools != nil && len(want.Content) == 0 && emptied(tools, before):
		w.ed.Remove(doc.Root(), keyTools)
	case tools != nil:
		w.inside(keyTools, tools, before, want)
	case fresh == nil || len(fresh.Content) == 0:
		return doc, nil
	case docedit.IsMap(doc.Root()):
		w.ed.Set(doc.Root(), keyTools, fresh)
	default:
		w.ed.SetRoot(docedit.Map(docedit.KV(keyTools, fresh)))
	}
	return w.ed.Apply()
}

// inTools returns the settings as they are in tools, and the keys that have no place there.
func inTools(settings topology.Extra) (tools *yaml.Node, left []string, err error) {
	tools = docedit.Map()
	parts := map[string]*yaml.Node{}
	for _, s := range messageSettings {
		raw, there := settings.Get(s.key)
		if !there {
			continue
		}
		v, err := docedit.FromRaw(OrNull(raw))
		if err != nil {
			return nil, nil, err
		}
		part := parts[s.within]
		if part == nil {
			part = docedit.Map()
			parts[s.within] = part
			tools.Content = append(tools.Content, docedit.String(s.within), part)
		}
		part.Content = append(part.Content, docedit.String(s.name), v)
	}
	for _, f := range settings {
		switch f.Key {
		case topology.MessagesEnabled, topology.MessagesAllow, topology.MessagesVisibility:
		default:
			left = append(left, f.Key)
		}
	}
	return tools, left, nil
}

// emptied reports whether nothing is left in tools without what it had of the settings.
func emptied(tools, before *yaml.Node) bool {
	if len(before.Content) == 0 || hasOther(tools, keysOf(before)...) {
		return false
	}
	for _, e := range docedit.Entries(before) {
		if hasOther(docedit.Get(tools, e.Key.Value), keysOf(e.Value)...) {
			return false
		}
	}
	return true
}
