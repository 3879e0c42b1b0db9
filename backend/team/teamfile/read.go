package teamfile

import (
	"gopkg.in/yaml.v3"

	"agentflow/backend/base/docedit"
	"agentflow/backend/base/errcode"
	"agentflow/backend/team/topology"
)

const (
	keyVersion = "agentflow"
	keyBase    = "base"
	keyAgents  = "agents"
	keyLayout  = "layout"
	keyGroups  = "groups"
	keyNotes   = "notes"

	keyBindings  = "bindings"
	keyBroadcast = "broadcast"
	keyDefaults  = "defaults"
	keyMessages  = "messages"

	keyID          = "id"
	keyConnections = "connections"

	version = 1
)

// fileKeys and agentKeys are the orders in which keys are written.
var (
	fileKeys = []string{
		keyVersion, "name", keyBase, keyAgents, keyLayout, keyGroups, keyNotes, keyBindings, keyBroadcast,
		keyDefaults, keyMessages,
	}
	agentKeys = append(append([]string{keyID}, fieldKeys()...), keyConnections)
)

func fieldKeys() []string {
	var keys []string
	for _, f := range topology.FileFields() {
		keys = append(keys, f.Name)
	}
	return keys
}

// team reads a team file.
func (r *reader) team() {
	t := &r.out.Team
	for _, e := range docedit.Entries(r.doc.Root()) {
		v := e.Value
		switch e.Key.Value {
		case keyVersion:
			if n, ok := docedit.Int(v); !ok || n != version {
				r.take(r.doc.Fail(v, "agentflow must be %d. This program doesn't support other versions of the team "+
					"file. Update AgentFlow, or fix the number", version).With(errcode.KeyReason, ReasonVersion))
			}
		case "name":
			t.Name = r.text(v, "name")
		case keyBase:
			r.base(v)
		case keyAgents:
			r.agents(v)
		case keyLayout:
			r.layout(v)
		case keyGroups:
			r.groups(v)
		case keyNotes:
			r.notes(v)
		case keyBindings:
			r.bindings(e)
		case keyBroadcast:
			r.settings(e, &t.Broadcast)
		case keyDefaults:
			r.settings(e, &t.Defaults)
		case keyMessages:
			r.settings(e, &t.Messages)
		default:
			t.Extra = append(t.Extra, extraField(e))
			r.unknown(e.Key.Value, e.Key)
		}
	}
}

func extraField(e docedit.Entry) topology.Field {
	return topology.Field{Key: e.Key.Value, Value: docedit.AppendJSON(nil, e.Value, "")}
}

// text takes a text; null is none, a number counts as it is written.
func (r *reader) text(v *yaml.Node, what string) string {
	if docedit.IsNull(v) {
		return ""
	}
	s, ok := docedit.Scalar(v)
	if !ok {
		r.mustBe(v, what, "text")
	}
	return s
}

func (r *reader) texts(v *yaml.Node, what string) []string {
	items := r.list(v, what)
	if items == nil {
		return nil
	}
	out := make([]string, len(items))
	for i, n := range items {
		out[i] = r.text(n, everyItem+what)
	}
	return out
}

func (r *reader) list(v *yaml.Node, what string) []*yaml.Node {
	if !docedit.IsList(v) && !docedit.IsNull(v) {
		r.mustBe(v, what, "list")
	}
	return docedit.Items(v)
}

func (r *reader) entries(v *yaml.Node, what string) []docedit.Entry {
	if !docedit.IsMap(v) && !docedit.IsNull(v) {
		r.mustBe(v, what, "map")
	}
	return docedit.Entries(v)
}

func (r *reader) number(v *yaml.Node, what string) float64 {
	f, ok := docedit.Float(v)
	if !ok && !docedit.IsNull(v) {
		r.mustBe(v, what, "number")
	}
	return f
}

func (r *reader) whole(v *yaml.Node, what string) int {
	i, ok := docedit.Int(v)
	if !ok && !docedit.IsNull(v) {
		r.mustBe(v, what, "whole")
	}
	return i
}

func (r *reader) flag(v *yaml.Node, what string) bool {
	s, ok := docedit.Scalar(v)
	if v := docedit.Resolve(v); ok && v.Tag == "!!bool" {
		return s[0] == 't' || s[0] == 'T' || s[0] == 'y' || s[0] == 'o' && len(s) == 2
	}
	if !docedit.IsNull(v) {
		r.mustBe(v, what, "flag")
	}
	return false
}

func (r *reader) base(v *yaml.Node) {
	if docedit.IsNull(v) {
		return
	}
	b := &Base{}
	for _, e := range r.entries(v, keyBase) {
		switch e.Key.Value {
		case "hash":
			b.Hash = r.text(e.Value, "base.hash")
		case "gateway":
			b.Gateway = r.text(e.Value, "base.gateway")
		default:
			r.unknown(keyBase+"."+e.Key.Value, e.Key)
		}
	}
	r.out.Base = b
}

func (r *reader) agents(v *yaml.Node) {
	items := r.list(v, keyAgents)
	r.out.Team.Agents = make([]topology.Agent, 0, len(items))
	for _, n := range items {
		a := r.agent(n)
		r.add(a, n)
		if r.err != nil {
			return
		}
	}
}

// add takes an agent in; ids are unique in a file.
func (r *reader) add(a topology.Agent, n *yaml.Node) {
	if first, ok := r.out.Lines[a.ID]; ok {
		r.twice(n, a.ID, first)
		return
	}
	r.out.Lines[a.ID] = n.Line
	r.out.Team.Agents = append(r.out.Team.Agents, a)
}

func (r *reader) agent(n *yaml.Node) topology.Agent {
	var a topology.Agent
	if !docedit.IsMap(n) {
		r.take(r.doc.Fail(n, "an agent must be a map with an id").With(errcode.KeyReason, ReasonType).
			With(errcode.KeyField, keyAgents).With(keyKind, "map_items"))
		return a
	}
	for _, e := range docedit.Entries(n) {
		if !r.agentField(&a, e) {
			a.Extra = append(a.Extra, extraField(e))
			r.unknown(keyAgents+"."+string(a.ID)+"."+e.Key.Value, e.Key)
		}
	}
	if a.ID == "" {
		r.noID(n, "agent")
	}
	return a
}

// agentField reads a key of an agent and reports whether it is known.
func (r *reader) agentField(a *topology.Agent, e docedit.Entry) bool {
	key, v := e.Key.Value, e.Value
	switch key {
	case keyID:
		a.ID = topology.AgentID(r.text(v, key))
		return true
	case keyConnections:
		r.connections(a, v)
		return true
	}
	f, ok := topology.FieldNamed(key)
	if !ok {
		return false
	}
	switch x := f.At(a).(type) {
	case *string:
		*x = r.text(v, key)
	case *[]string:
		*x = r.texts(v, key)
	case *bool:
		*x = r.flag(v, key)
	case **float64:
		*x = new(r.number(v, key))
	case **int:
		*x = new(r.whole(v, key))
	case **topology.Tools:
		r.tools(a, v)
	case *topology.Files:
		*x = r.files(a.ID, v)
	default:
		return false
	}
	return true
}

// files reads workspace files: a map of names and texts.
func (r *reader) files(of topology.AgentID, v *yaml.Node) topology.Files {
	var out topology.Files
	for _, e := range r.entries(v, topology.FieldFiles) {
		name := e.Key.Value
		content := r.text(e.Value, topology.FieldFiles+"."+name)
		if err := topology.CheckFile(name, content); err != nil {
			r.fail(e.Key, "the file %s of the agent %q %s", name, of, errcode.From(err).Message)
		}
		if out == nil {
			out = topology.Files{}
		}
		out[name] = topology.AgentFile{Content: content}
	}
	return out
}

// tools reads what is known of tools; other keys go to Extra under "tools".
func (r *reader) tools(a *topology.Agent, v *yaml.Node) {
	t := &topology.Tools{}
	var rest []docedit.Entry
	known := false
	for _, e := range r.entries(v, "tools") {
		switch e.Key.Value {
		case "profile":
			t.Profile = r.text(e.Value, "tools.profile")
		case "allow":
			t.Allow = r.texts(e.Value, "tools.allow")
		case "deny":
			t.Deny = r.texts(e.Value, "tools.deny")
		default:
			rest = append(rest, e)
			continue
		}
		known = true
	}
	if len(rest) > 0 {
		a.Extra = append(a.Extra, extraField(docedit.KV("tools", docedit.Map(rest...))))
		r.unknown(keyAgents+"."+string(a.ID)+".tools."+rest[0].Key.Value, rest[0].Key)
	}
	if known || len(rest) == 0 && docedit.IsMap(v) {
		a.Tools = t
	}
}

func (r *reader) connections(a *topology.Agent, v *yaml.Node) {
	items := r.list(v, "connections")
	if len(items) > 0 {
		a.Connections = make([]topology.Connection, 0, len(items))
	}
	for _, n := range items {
		c := r.connection(n)
		if c.TargetID == "" || c.Type == "" {
			r.take(r.doc.Fail(n, "a connection needs targetId and type, as in {targetId: dev-1, type: command}").
				With(errcode.KeyReason, ReasonConnection))
		}
		a.Connections = append(a.Connections, c)
	}
}

func (r *reader) connection(n *yaml.Node) (c topology.Connection) {
	for _, e := range r.entries(n, everyItem+keyConnections) {
		switch e.Key.Value {
		case "targetId":
			c.TargetID = topology.AgentID(r.text(e.Value, "targetId"))
		case "type":
			c.Type = topology.Kind(r.text(e.Value, "type"))
		case "label":
			c.Label = r.text(e.Value, "label")
		default:
			c.Extra = append(c.Extra, extraField(e))
		}
	}
	return c
}
