package gatewayconfig

import (
	"encoding/json"
	"slices"

	"gopkg.in/yaml.v3"

	"agentflow/backend/base/docedit"
	"agentflow/backend/team/topology"
)

const keyBindings = "bindings"

// readBindings returns the rules for the messages of channels. What isn't a list stays in the config.
func (r *roster) readBindings(out *Reading) {
	if docedit.IsNull(r.doc.Root()) {
		return
	}
	at := docedit.Get(r.doc.Root(), keyBindings)
	if at != nil && !docedit.IsList(at) && !docedit.IsNull(at) {
		out.Warnings = append(out.Warnings, Finding{Path: keyBindings, Line: line(at),
			Message: "bindings isn't a list; its rules are not shown and stay in the config"})
	}
	for _, n := range docedit.Items(at) {
		out.Topology.Bindings = append(out.Topology.Bindings, docedit.AppendJSON(nil, n, ""))
	}
}

// bindings writes what the draft changed of the rules for messages. A rule that neither draft nor base have came to
// the gateway since and stays; one that the draft has as base had it, and the gateway no longer has, doesn't come back.
func (w *writer) bindings(draft, base *topology.Topology) error {
	var was topology.Bindings
	if base != nil {
		was = base.Bindings
	}
	at := docedit.Get(w.doc.Root(), keyBindings)
	if reason := w.bindingsBlocked(at); reason != "" {
		if !draft.Bindings.Equal(was) {
			w.lose(Loss{Field: keyBindings, Reason: reason,
				Message: "the gateway's config can't hold the team's bindings. They stay in the team"})
		}
		return nil
	}
	var now topology.Bindings
	items := docedit.Items(at)
	for _, n := range items {
		now = append(now, docedit.AppendJSON(nil, n, ""))
	}
	list, err := w.boundList(items, now, draft.Bindings, was)
	if err != nil {
		return err
	}
	if !list.moved && at != nil {
		list.edit(w.ed, at)
		return nil
	}
	if len(list.final) == 0 && len(items) == 0 {
		return nil
	}
	whole := docedit.List(false)
	for _, b := range list.final {
		whole.Content = append(whole.Content, b.node)
	}
	if root := w.doc.Root(); docedit.IsMap(root) {
		w.ed.Set(root, keyBindings, whole)
	} else {
		w.ed.SetRoot(docedit.Map(docedit.KV(keyBindings, whole)))
	}
	return nil
}

func (w *writer) bindingsBlocked(at *yaml.Node) string {
	switch {
	case w.limits.FullAgents:
		return LossNoPlace
	case at != nil && !docedit.IsList(at) && !docedit.IsNull(at):
		return LossShape
	}
	return ""
}

// bound is one binding of the list as it will be.
type bound struct {
	node *yaml.Node
	from int  // where it is in the config, or -1
	new  bool // its value isn't the config's
}

type boundList struct {
	final []bound
	moved bool // it isn't the config's list less some, with new ones at the end
	count int  // of the config's list
}

func (w *writer) boundList(items []*yaml.Node, now, want, was topology.Bindings) (boundList, error) {
	out := boundList{count: len(items)}
	nowKeys, wasKeys := now.Keys(), was.Keys()
	had := func(key string) json.RawMessage {
		if i := slices.Index(wasKeys, key); i >= 0 {
			return was[i]
		}
		return nil
	}
	put := func(raw json.RawMessage, from int) error {
		n, err := docedit.FromRaw(OrNull(raw))
		if err != nil {
			return err
		}
		out.final = append(out.final, bound{node: n, from: from, new: from < 0 || !docedit.Equal(n, items[from])})
		return nil
	}
	wanted := map[string]bool{}
	for i, key := range want.Keys() {
		wanted[key] = true
		from, before := slices.Index(nowKeys, key), had(key)
		unchanged := before != nil && topology.Bindings{before}.Equal(topology.Bindings{want[i]})
		switch {
		case from < 0 && unchanged:
			continue
		case from >= 0 && unchanged:
			if err := put(now[from], from); err != nil {
				return out, err
			}
		default:
			if err := put(want[i], from); err != nil {
				return out, err
			}
		}
	}
	for i, key := range nowKeys {
		if wanted[key] || had(key) != nil {
			continue
		}
		if err := put(now[i], i); err != nil {
			return out, err
		}
		settle(out.final)
	}
	out.moved = moved(out.final)
	return out, nil
}

// settle moves the last item, which came to the gateway since, to its place before the new ones.
func settle(list []bound) {
	for at := len(list) - 1; at > 0 && (list[at-1].from < 0 || list[at-1].from > list[at].from); at-- {
		list[at-1], list[at] = list[at], list[at-1]
	}
}

// moved reports whether the order differs from the config's. Deleted items and new ones at the end don't count.
func moved(list []bound) bool {
	last, ended := -1, false
	for _, b := range list {
		if b.from >= 0 && (b.from < last || ended) {
			return true
		}
		ended = ended || b.from < 0
		last = max(last, b.from)
	}
	return false
}

// edit changes the config's list item by item, so that the text of the others stays.
func (l boundList) edit(ed *docedit.Editor, at *yaml.Node) {
	items, stays := docedit.Items(at), make([]bool, l.count)
	for _, b := range l.final {
		switch {
		case b.from < 0:
			ed.Append(at, b.node)
			continue
		case b.new:
			change(ed, items[b.from], b.node)
		}
		stays[b.from] = true
	}
	for i, stay := range stays {
		if !stay {
			ed.RemoveItem(at, i)
		}
	}
}

// change edits a map key by key; anything else is replaced.
func change(ed *docedit.Editor, now, want *yaml.Node) {
	if !docedit.IsMap(now) || !docedit.IsMap(want) {
		ed.Replace(now, want)
		return
	}
	for _, e := range docedit.Entries(want) {
		if old := docedit.Get(now, e.Key.Value); old == nil || !docedit.Equal(old, e.Value) {
			ed.Set(now, e.Key.Value, e.Value)
		}
	}
	for _, e := range docedit.Entries(now) {
		if docedit.Get(want, e.Key.Value) == nil {
			ed.Remove(now, e.Key.Value)
		}
	}
}
