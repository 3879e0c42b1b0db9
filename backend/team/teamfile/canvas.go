package teamfile

import (
	"gopkg.in/yaml.v3"

	"agentflow/backend/base/docedit"
	"agentflow/backend/team/topology"
)

func (r *reader) layout(v *yaml.Node) {
	es := r.entries(v, keyLayout)
	if len(es) > 0 {
		r.out.Team.Layout = make(map[topology.AgentID]topology.Point, len(es))
	}
	for _, e := range es {
		var p topology.Point
		for _, f := range r.entries(e.Value, "a place, as in {x: 0, y: 0},") {
			switch f.Key.Value {
			case "x":
				p.X = r.number(f.Value, "x")
			case "y":
				p.Y = r.number(f.Value, "y")
			case "locked":
				p.Locked = r.flag(f.Value, "locked")
			default:
				r.unknown(keyLayout+"."+e.Key.Value+"."+f.Key.Value, f.Key)
			}
		}
		r.out.Team.Layout[topology.AgentID(e.Key.Value)] = p
	}
}

func (r *reader) groups(v *yaml.Node) {
	for _, n := range r.list(v, keyGroups) {
		var g topology.Group
		for _, e := range r.entries(n, everyItem+keyGroups) {
			switch e.Key.Value {
			case "id":
				g.ID = r.text(e.Value, "id")
			case "name":
				g.Name = r.text(e.Value, "name")
			case "color":
				g.Color = r.whole(e.Value, "color")
			case "members":
				for _, id := range r.texts(e.Value, "members") {
					g.Members = append(g.Members, topology.AgentID(id))
				}
			case "parent":
				g.Parent = r.text(e.Value, "parent")
			case "collapsed":
				g.Collapsed = r.flag(e.Value, "collapsed")
			case "locked":
				g.Locked = r.flag(e.Value, "locked")
			default:
				g.Extra = append(g.Extra, extraField(e))
			}
		}
		if g.ID == "" {
			r.noID(n, "group")
		}
		r.out.Team.Groups = append(r.out.Team.Groups, g)
	}
}

func (r *reader) notes(v *yaml.Node) {
	for _, n := range r.list(v, keyNotes) {
		var o topology.Note
		for _, e := range r.entries(n, everyItem+keyNotes) {
			switch e.Key.Value {
			case "id":
				o.ID = r.text(e.Value, "id")
			case "text":
				o.Text = r.text(e.Value, "text")
			case "x":
				o.X = r.number(e.Value, "x")
			case "y":
				o.Y = r.number(e.Value, "y")
			case "width":
				o.Width = r.number(e.Value, "width")
			case "height":
				o.Height = r.number(e.Value, "height")
			case "color":
				o.Color = r.whole(e.Value, "color")
			case "locked":
				o.Locked = r.flag(e.Value, "locked")
			default:
				o.Extra = append(o.Extra, extraField(e))
			}
		}
		if o.ID == "" {
			r.noID(n, "note")
		}
		r.out.Team.Notes = append(r.out.Team.Notes, o)
	}
}

func (w *writer) groupNode(g topology.Group) *yaml.Node {
	m := newMap()
	m.text("id", g.ID)
	m.text("name", g.Name)
	m.number("color", float64(g.Color))
	if len(g.Members) > 0 {
		ids := docedit.List(true)
		for _, id := range g.Members {
			ids.Content = append(ids.Content, docedit.String(string(id)))
		}
		m.add("members", ids)
	}
	m.text("parent", g.Parent)
	m.flag("collapsed", g.Collapsed)
	m.flag("locked", g.Locked)
	w.extras(m.Node, "", g.Extra, nil)
	return m.Node
}

func (w *writer) noteNode(o topology.Note) *yaml.Node {
	m := newMap()
	m.text("id", o.ID)
	m.add("text", docedit.String(o.Text))
	m.add("x", docedit.Number(o.X))
	m.add("y", docedit.Number(o.Y))
	m.number("width", o.Width)
	m.number("height", o.Height)
	m.number("color", float64(o.Color))
	m.flag("locked", o.Locked)
	w.extras(m.Node, "", o.Extra, nil)
	return m.Node
}

func point(p topology.Point) *yaml.Node {
	m := docedit.Map(docedit.KV("x", docedit.Number(p.X)), docedit.KV("y", docedit.Number(p.Y)))
	if p.Locked {
		m.Content = append(m.Content, docedit.String("locked"), docedit.Bool(true))
	}
	return docedit.Flow(m)
}

// canvas edits layout, groups and notes.
func (w *writer) canvas(old, want *topology.Topology) {
	w.layout(old, want)
	items(w, keyGroups, old.Groups, want.Groups, func(g topology.Group) string { return g.ID }, topology.Group.Equal, w.groupNode)
	if !old.Bindings.Equal(want.Bindings) {
		at := docedit.Get(w.doc.Root(), keyBindings)
		w.whole(keyBindings, w.bindings(want.Bindings, at), len(want.Bindings) > 0)
	}
	if !old.Broadcast.Equal(want.Broadcast) {
		w.whole(keyBroadcast, w.settings(want.Broadcast), len(want.Broadcast) > 0)
	}
	if !old.Defaults.Equal(want.Defaults) {
		w.whole(keyDefaults, w.settings(want.Defaults), len(want.Defaults) > 0)
	}
	if !old.Messages.Equal(want.Messages) {
		w.whole(keyMessages, w.settings(want.Messages), len(want.Messages) > 0)
	}
	items(w, keyNotes, old.Notes, want.Notes, func(o topology.Note) string { return o.ID }, topology.Note.Equal, w.noteNode)
}

// bindings takes the rules for messages as they are written; what isn't a list is a key like any unknown one.
func (r *reader) bindings(e docedit.Entry) {
	if !docedit.IsList(e.Value) {
		r.out.Team.Extra = append(r.out.Team.Extra, extraField(e))
		r.unknown(e.Key.Value, e.Key)
		return
	}
	for _, n := range docedit.Items(e.Value) {
		r.out.Team.Bindings = append(r.out.Team.Bindings, docedit.AppendJSON(nil, n, ""))
	}
}

// bindings returns the list of rules for messages without secrets.
func (w *writer) bindings(list topology.Bindings, old *yaml.Node) *yaml.Node {
	out := docedit.List(false)
	for i, raw := range list {
		v, err := docedit.FromRaw(orNull(raw))
		if err != nil {
			w.err = err
			return out
		}
		var was *yaml.Node
		if items := docedit.Items(old); i < len(items) {
			was = items[i]
		}
		if v = w.clean("", keyBindings, "", v, was); v != nil {
			out.Content = append(out.Content, v)
		}
	}
	return out
}

// settings takes settings of the gateway that aren't an agent's; what isn't a map is a key like any unknown one.
func (r *reader) settings(e docedit.Entry, to *topology.Extra) {
	if !docedit.IsMap(e.Value) {
		r.out.Team.Extra = append(r.out.Team.Extra, extraField(e))
		r.unknown(e.Key.Value, e.Key)
		return
	}
	for _, e := range docedit.Entries(e.Value) {
		*to = append(*to, extraField(e))
	}
}

// settings returns settings of the gateway without secrets.
func (w *writer) settings(settings topology.Extra) *yaml.Node {
	out := docedit.Map()
	w.extras(out, "", settings, nil)
	return out
}

// layout writes places in the order of the agents.
func (w *writer) layout(old, want *topology.Topology) {
	m := docedit.Get(w.doc.Root(), keyLayout)
	if !docedit.IsMap(m) || len(want.Layout) == 0 {
		fresh := docedit.Map()
		for _, id := range layoutOrder(want) {
			fresh.Content = append(fresh.Content, docedit.String(string(id)), point(want.Layout[id]))
		}
		w.whole(keyLayout, fresh, len(want.Layout) > 0)
		return
	}
	for id := range old.Layout {
		if _, stays := want.Layout[id]; !stays {
			w.ed.Remove(m, string(id))
		}
	}
	for _, id := range layoutOrder(want) {
		p := want.Layout[id]
		was, there := old.Layout[id]
		switch {
		case !there:
			w.ed.Set(m, string(id), point(p))
		case was != p:
			at := docedit.Get(m, string(id))
			if !docedit.IsMap(at) {
				w.ed.Replace(at, point(p))
				continue
			}
			if was.X != p.X {
				w.ed.Set(at, "x", docedit.Number(p.X))
			}
			if was.Y != p.Y {
				w.ed.Set(at, "y", docedit.Number(p.Y))
			}
			if p.Locked && !was.Locked {
				w.ed.Set(at, "locked", docedit.Bool(true))
			} else if was.Locked && !p.Locked {
				w.ed.Remove(at, "locked")
			}
		}
	}
}

// items edits a list of groups or notes: it rewrites the changed items and leaves the rest.
func items[T any](w *writer, key string, old, want []T, id func(T) string, equal func(T, T) bool, node func(T) *yaml.Node) {
	list := docedit.Get(w.doc.Root(), key)
	if !docedit.IsList(list) || len(want) == 0 || !sameOrder(old, want, id) {
		if len(old) == len(want) && len(want) == 0 {
			return
		}
		fresh := docedit.List(false)
		for _, x := range want {
			fresh.Content = append(fresh.Content, node(x))
		}
		w.whole(key, fresh, len(want) > 0)
		return
	}
	next := map[string]T{}
	for _, x := range want {
		next[id(x)] = x
	}
	for i, n := range docedit.Items(list) {
		x, stays := next[id(old[i])]
		delete(next, id(old[i]))
		if !stays {
			w.ed.RemoveItem(list, i)
		} else if !equal(old[i], x) {
			w.ed.Replace(n, node(x))
		}
	}
	for _, x := range want {
		if _, fresh := next[id(x)]; fresh {
			w.ed.Append(list, node(x))
		}
	}
}

// sameOrder reports whether want is old, less some, with new ones at the end.
func sameOrder[T any](old, want []T, id func(T) string) bool {
	at := map[string]int{}
	for i, x := range old {
		if _, double := at[id(x)]; double {
			return false
		}
		at[id(x)] = i
	}
	last, ended := -1, false
	for _, x := range want {
		i, there := at[id(x)]
		if there && (i <= last || ended) {
			return false
		}
		if !there {
			ended = true
			continue
		}
		last = i
	}
	return true
}
