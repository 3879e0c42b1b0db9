package gatewayconfig

import (
	"slices"

	"gopkg.in/yaml.v3"

	"agentflow/backend/base/docedit"
	"agentflow/backend/team/topology"
)

// Keys of one agent that a config writes in another way than the table of fields, or that limits name. Any other field
// has its own name as its key.
const (
	keyName        = "name"
	keyModel       = "model"
	keyPrimary     = "primary"
	keyFallbacks   = "fallbacks"
	keyWorkspace   = "workspace"
	keyDescription = "description"
	keySubagents   = "subagents"
	keyAllowAgents = "allowAgents"
	keyTools       = "tools"
	keyProfile     = "profile"
	keyAllow       = "allow"
	keyDeny        = "deny"
	keyAllowAny    = "allowAny" // of a team; a config says "*"
	anyAgent       = "*"

	keyConnections = "connections"
	keyTargetID    = "targetId"
	keyType        = "type"
	keyLabel       = "label"
)

// agentReader reads one agent. What it does not understand goes to Extra, so that a
// copy of the agent has it too; in the document it is never touched.
type agentReader struct {
	*roster
	out   *Reading
	agent *topology.Agent       // room for all of them is made beforehand
	drawn []topology.Connection // from connections, which tells more than allowAgents
	ids   []string              // of allowAgents, while they are read
	buf   []byte                // see json
	links []topology.Connection // see carve
	extra []topology.Field
}

func (r *agentReader) read(n *yaml.Node) {
	r.drawn = nil
	for k, v := range docedit.All(n) {
		if !r.field(k.Value, v) {
			r.unknown(k.Value, v)
		}
	}
	r.join()
}

func (r *agentReader) field(key string, v *yaml.Node) bool {
	switch key {
	case keyID:
		return r.shape == List
	case keyModel:
		return r.model(v)
	case keySubagents:
		return r.subagents(v)
	case keyTools:
		return r.tools(v)
	case keyConnections:
		return r.connections(v)
	}
	f, ok := topology.FieldNamed(key)
	if !ok {
		return false
	}
	switch x := f.At(r.agent).(type) {
	case *string:
		return r.text(key, v, x)
	case **float64:
		n, ok := docedit.Float(v)
		if ok {
			*x = &n
		}
		return ok
	case **int:
		n, ok := docedit.Int(v)
		if ok {
			*x = &n
		}
		return ok
	}
	return false // fallbacks and allowAny are written within model and subagents
}

// unknown keeps a key that we don't know, or whose value has an unexpected form.
func (r *agentReader) unknown(key string, v *yaml.Node) {
	if r.agent.Extra == nil {
		r.agent.Extra = carve(&r.extra, 1, len(r.places))
	}
	r.agent.Extra = append(r.agent.Extra, topology.Field{Key: key, Value: r.json(v)})
	if len(r.out.Unknown) < maxFindings {
		r.out.Unknown = append(r.out.Unknown, Finding{Agent: r.agent.ID, Path: r.path(r.agent.ID, key), Line: line(v)})
	}
}

// carve returns an empty list with room for n, cut off a piece of memory that many of
// the agents share.
func carve[T any](from *[]T, n, agents int) []T {
	const most = 1024
	if len(*from) < n {
		*from = make([]T, max(n, min(agents, most)))
	}
	list := (*from)[:0:n]
	*from = (*from)[n:]
	return list
}

// json writes a value as JSON, many of them into one piece of memory.
func (r *agentReader) json(v *yaml.Node) []byte {
	const chunk, spare = 64 << 10, 256
	if cap(r.buf)-len(r.buf) < spare {
		r.buf = make([]byte, 0, chunk)
	}
	from := len(r.buf)
	r.buf = docedit.AppendJSON(r.buf, v, "")
	return r.buf[from:len(r.buf):len(r.buf)]
}

func (r *agentReader) warn(key string, v *yaml.Node, message string) {
	if len(r.out.Warnings) < maxFindings {
		r.out.Warnings = append(r.out.Warnings,
			Finding{Agent: r.agent.ID, Path: r.path(r.agent.ID, key), Line: line(v), Message: message})
	}
}

// text takes a text; a number or a boolean counts as the text it is written with.
func (r *agentReader) text(key string, v *yaml.Node, to *string) bool {
	if docedit.IsNull(v) {
		return true
	}
	s, ok := docedit.Scalar(v)
	if !ok {
		r.warn(key, v, key+" is not a text; it stays in the config as it is")
		return false
	}
	*to = s
	return true
}

func (r *agentReader) model(v *yaml.Node) bool {
	if !docedit.IsMap(v) && !docedit.IsList(v) {
		return r.text(keyModel, v, &r.agent.Model)
	}
	if docedit.IsList(v) {
		r.warn(keyModel, v, "model is neither a text nor a map with primary; it stays in the config as it is")
		return false
	}
	r.parts(keyModel, v, func(key string, v *yaml.Node) bool {
		switch key {
		case keyPrimary:
			return r.text(keyModel+"."+key, v, &r.agent.Model)
		case keyFallbacks:
			return r.list(keyModel+"."+key, v, &r.agent.Fallbacks)
		}
		return false
	})
	return true
}

func (r *agentReader) subagents(v *yaml.Node) bool {
	if !docedit.IsMap(v) {
		return false
	}
	r.parts(keySubagents, v, func(key string, v *yaml.Node) bool {
		if key != keyAllowAgents {
			return false
		}
		r.ids = r.ids[:0]
		if !r.list(keySubagents+"."+key, v, &r.ids) {
			return false
		}
		r.allow(r.ids, v)
		return true
	})
	return true
}

func (r *agentReader) allow(ids []string, v *yaml.Node) {
	if len(ids) > 0 {
		r.agent.Connections = carve(&r.links, len(ids), len(r.places))
	}
	var seen map[string]bool
	if len(ids) > 8 {
		seen = make(map[string]bool, len(ids))
	}
	for i, id := range ids {
		if id == anyAgent {
			r.agent.AllowAny = true
			continue
		}
		if seen[id] || seen == nil && slices.Contains(ids[:i], id) {
			r.warn(keySubagents+"."+keyAllowAgents, v, "the id "+id+" stands twice; it is drawn once")
			continue
		}
		if seen != nil {
			seen[id] = true
		}
		r.agent.Connections = append(r.agent.Connections,
			topology.Connection{TargetID: topology.AgentID(id), Type: topology.Command})
	}
}

func (r *agentReader) tools(v *yaml.Node) bool {
	if !docedit.IsMap(v) {
		return false
	}
	var t topology.Tools
	known := len(docedit.Resolve(v).Content) == 0
	r.parts(keyTools, v, func(key string, v *yaml.Node) (ok bool) {
		switch key {
		case keyProfile:
			ok = r.text(keyTools+"."+key, v, &t.Profile)
		case keyAllow:
			ok = r.list(keyTools+"."+key, v, &t.Allow)
		case keyDeny:
			ok = r.list(keyTools+"."+key, v, &t.Deny)
		}
		known = known || ok
		return ok
	})
	if known {
		r.agent.Tools = &t
	}
	return true
}

// parts reads a map of which only some keys are known; the rest goes to Extra under
// the map's own key.
func (r *agentReader) parts(key string, m *yaml.Node, take func(string, *yaml.Node) bool) {
	var rest []docedit.Entry
	for k, v := range docedit.All(m) {
		if !take(k.Value, v) {
			rest = append(rest, docedit.Entry{Key: k, Value: v})
		}
	}
	if len(rest) > 0 {
		r.unknown(key, docedit.Map(rest...))
		if n := len(r.out.Unknown); n > 0 && n < maxFindings {
			r.out.Unknown[n-1].Line = rest[0].Key.Line
		}
	}
}

// list takes a list of texts.
func (r *agentReader) list(key string, v *yaml.Node, to *[]string) bool {
	if docedit.IsNull(v) {
		return true
	}
	items := docedit.Items(v)
	out := slices.Grow((*to)[:0], len(items))
	for _, n := range items {
		s, ok := docedit.Text(n)
		if !ok {
			r.warn(key, n, "an item of "+key+" is not a text; the list stays in the config as it is")
			return false
		}
		out = append(out, s)
	}
	if !docedit.IsList(v) {
		r.warn(key, v, key+" is not a list; it stays in the config as it is")
		return false
	}
	*to = out
	return true
}

// connections reads what our own local gateway keeps beside allowAgents.
func (r *agentReader) connections(v *yaml.Node) bool {
	var out []topology.Connection
	for _, n := range docedit.Items(v) {
		c, ok := ReadConnection(n)
		if !ok {
			r.warn(keyConnections, n, "a connection needs targetId and type; the list stays in the config as it is")
			return false
		}
		out = append(out, c)
	}
	r.drawn = out
	return docedit.IsList(v)
}

// ReadConnection reads {targetId, type, label} with what else stands there.
func ReadConnection(n *yaml.Node) (topology.Connection, bool) {
	var c topology.Connection
	for _, e := range docedit.Entries(n) {
		s, isText := docedit.Scalar(e.Value)
		switch {
		case e.Key.Value == keyTargetID && isText:
			c.TargetID = topology.AgentID(s)
		case e.Key.Value == keyType && isText:
			c.Type = topology.Kind(s)
		case e.Key.Value == keyLabel && isText:
			c.Label = s
		default:
			c.Extra = append(c.Extra, topology.Field{Key: e.Key.Value, Value: docedit.AppendJSON(nil, e.Value, "")})
		}
	}
	return c, c.TargetID != "" && c.Type != ""
}

// join brings allowAgents and connections together: allowAgents says which command
// connections there are, connections their labels and all the others.
func (r *agentReader) join() {
	for _, d := range r.drawn {
		if d.Type != topology.Command {
			r.agent.Connections = append(r.agent.Connections, d)
			continue
		}
		i := slices.IndexFunc(r.agent.Connections, func(c topology.Connection) bool {
			return c.Type == topology.Command && c.TargetID == d.TargetID
		})
		if i >= 0 {
			r.agent.Connections[i] = d
		}
	}
}
