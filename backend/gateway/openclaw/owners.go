package openclaw

import (
	"path"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"agentflow/backend/base/docedit"
	"agentflow/backend/team/gatewayconfig"
	"agentflow/backend/team/topology"
)

// withOwners is a kept config that marks its default agent, in the form in which a gateway
// since 2026.8 names that agent. The gateway replaces the mark with the first config that
// is written. Sent the mark again, it drops it and names no agent instead: nobody acts
// where a request names no agent. A gateway that still has the mark itself replaces it.
func withOwners(to, now state, c Capabilities) (state, error) {
	id := markedDefault(to)
	if !c.RosterGuard || id == "" || markedDefault(now) == id {
		return to, nil
	}
	root := docedit.Copy(to.doc.Root())
	entries := entriesOf(docedit.Get(root, "agents"))
	for _, e := range docedit.Entries(entries) {
		unset(e.Value, gatewayconfig.KeyDefault)
	}
	return to.owned(root, entries, now, id)
}

// withDefaultAgent is a kept config with the agent that the gateway doesn't let go, as the gateway has it now, and
// whether the config lacked it. A gateway that lost its whole roster runs that agent by default.
func withDefaultAgent(to, now state, c Capabilities) (state, bool, error) {
	id := c.DefaultAgent
	kept := gatewayconfig.ByID(to.reading.Topology.Agents)
	if !c.RosterGuard || id == "" || kept[id] != nil || gatewayconfig.ByID(now.reading.Topology.Agents)[id] == nil {
		return to, false, nil
	}
	root := docedit.Copy(to.doc.Root())
	agents := docedit.Get(root, "agents")
	entries := entriesOf(agents)
	if len(docedit.Entries(entries)) == 0 {
		return to, false, nil // the gateway runs the agent by default again
	}
	entry := docedit.Flow(docedit.Map())
	for _, p := range gatewayconfig.Places(now.doc) {
		if p.ID == id {
			entry = docedit.Copy(p.Node)
			unset(entry, "id")
		}
	}
	// The gateway has it first, too.
	entries.Content = append([]*yaml.Node{docedit.String(string(id)), entry}, entries.Content...)
	var out state
	var err error
	if only := to.reading.Topology.Agents; len(only) == 1 && !gatewayconfig.Explicit(agents) {
		out, err = to.owned(root, entries, now, only[0].ID) // until now it was the only one, and so the default
	} else {
		out, err = to.with(root)
	}
	return out, true, err
}

// owned names the agent that acts where a request names none, in a config whose roster is entries.
func (to state) owned(root, entries *yaml.Node, now state, id topology.AgentID) (state, error) {
	held := now.doc.Root()
	agents := docedit.Get(root, "agents")
	put(agents, "ownership", docedit.String("explicit"))
	defaults := child(agents, "defaults")
	if docedit.Get(defaults, "heartbeat") == nil && !slices.ContainsFunc(docedit.Entries(entries), hasHeartbeat) {
		nameOwner(defaults, "heartbeat", string(id))
	}
	nameOwner(defaults, "systemAgent", string(id))
	for _, place := range []string{"authInheritance", "sessionStore"} { // where stored data lies stays as it is
		if owner, ok := docedit.Text(docedit.Get(docedit.Get(docedit.Get(docedit.Get(held, "agents"), "defaults"), place), "agentId")); ok {
			nameOwner(defaults, place, owner)
		}
	}
	nameOwner(root, "talk", string(id))
	keepWorkspace(docedit.Get(entries, string(id)), held, id)
	keepBindings(root, held, string(id))
	return to.with(root)
}

// with is the state with another config.
func (to state) with(root *yaml.Node) (state, error) {
	doc, err := docedit.FromValue(root, docedit.JSON, gatewayConfig)
	if err != nil {
		return state{}, err
	}
	reading, err := to.snap.reading(doc)
	return state{to.snap, doc, reading}, err
}

// markedDefault is the one agent of several that is marked as the default, if the config
// does not say otherwise who owns the roster.
func markedDefault(s state) (id topology.AgentID) {
	places := gatewayconfig.Places(s.doc)
	if len(places) < 2 || gatewayconfig.Explicit(docedit.Get(s.doc.Root(), "agents")) {
		return ""
	}
	for _, p := range places {
		if v, _ := docedit.Scalar(docedit.Get(p.Node, gatewayconfig.KeyDefault)); v != "true" {
			continue
		}
		if id != "" {
			return ""
		}
		id = p.ID
	}
	return id
}

// entriesOf returns the roster, made out of an older list where that is what is kept.
func entriesOf(agents *yaml.Node) *yaml.Node {
	list := docedit.Get(agents, "list")
	if list == nil {
		return docedit.Get(agents, "entries")
	}
	entries := docedit.Map()
	for _, item := range docedit.Items(list) {
		if id, ok := docedit.Scalar(docedit.Get(item, "id")); ok {
			unset(item, "id")
			put(entries, id, item)
		}
	}
	unset(agents, "list")
	put(agents, "entries", entries)
	return entries
}

func hasHeartbeat(e docedit.Entry) bool { return docedit.Get(e.Value, "heartbeat") != nil }

// nameOwner names the agent of one place, unless the place names one.
func nameOwner(m *yaml.Node, place, id string) {
	if at := child(m, place); docedit.IsMap(at) && docedit.Get(at, "agentId") == nil {
		put(at, "agentId", docedit.String(id))
	}
}

// keepWorkspace keeps the folder that the gateway wrote down for the agent: it is the one
// that the default agent works in, and without the mark the agent would get another.
func keepWorkspace(agent, held *yaml.Node, id topology.AgentID) {
	if docedit.Get(agent, "workspace") != nil {
		return
	}
	entry := docedit.Get(docedit.Get(docedit.Get(held, "agents"), "entries"), string(id))
	folder, ok := docedit.Text(docedit.Get(entry, "workspace"))
	name := path.Base(strings.ReplaceAll(folder, `\`, "/"))
	if ok && strings.HasPrefix(name, "workspace") && name != "workspace-"+string(id) {
		put(agent, "workspace", docedit.String(folder))
	}
}

// keepBindings keeps the channels that the gateway gave to the default agent.
func keepBindings(root, held *yaml.Node, id string) {
	for _, b := range docedit.Items(docedit.Get(held, "bindings")) {
		agent, _ := docedit.Text(docedit.Get(b, "agentId"))
		match := docedit.Get(b, "match")
		account, _ := docedit.Text(docedit.Get(match, "accountId"))
		if agent != id || account != "*" || len(docedit.Entries(match)) != 2 || docedit.Get(match, "channel") == nil {
			continue
		}
		list := docedit.Get(root, "bindings")
		if list == nil {
			list = docedit.List(false)
			put(root, "bindings", list)
		}
		if !slices.ContainsFunc(docedit.Items(list), func(n *yaml.Node) bool { return docedit.Equal(n, b) }) {
			list.Content = append(list.Content, docedit.Copy(b))
		}
	}
}

// child returns the map at a key, put there if there is none.
func child(m *yaml.Node, key string) *yaml.Node {
	at := docedit.Get(m, key)
	if docedit.IsNull(at) {
		at = docedit.Map()
		put(m, key, at)
	}
	return at
}

// put and unset change a value that belongs to nobody else.
func put(m *yaml.Node, key string, v *yaml.Node) {
	unset(m, key)
	m.Content = append(m.Content, docedit.String(key), v)
}

func unset(m *yaml.Node, key string) {
	for i := 0; m != nil && i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value == key {
			m.Content = slices.Delete(m.Content, i, i+2)
			return
		}
	}
}
