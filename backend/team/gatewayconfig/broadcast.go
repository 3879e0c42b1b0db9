package gatewayconfig

import (
	"agentflow/backend/base/docedit"
	"agentflow/backend/team/topology"
)

const keyBroadcast = "broadcast"

// readBroadcast returns the groups of agents that answer one conversation. What isn't a map stays in the config.
func (r *roster) readBroadcast(out *Reading) {
	if docedit.IsNull(r.doc.Root()) {
		return
	}
	at := docedit.Get(r.doc.Root(), keyBroadcast)
	if at != nil && !docedit.IsMap(at) && !docedit.IsNull(at) {
		out.Warnings = append(out.Warnings, Finding{Path: keyBroadcast, Line: line(at),
			Message: "broadcast isn't a map; its groups are not shown and stay in the config"})
		return
	}
	for _, e := range docedit.Entries(at) {
		f := topology.Field{Key: e.Key.Value, Value: docedit.AppendJSON(nil, e.Value, "")}
		out.Topology.Broadcast = append(out.Topology.Broadcast, f)
	}
}

// broadcast writes into doc what the draft changed of the groups, one by one. A group that neither draft nor base have
// came to the gateway since, and stays.
func (w *writer) broadcast(doc *docedit.Document, base, draft *topology.Topology) (*docedit.Document, error) {
	var was topology.Extra
	if base != nil {
		was = base.Broadcast
	}
	if draft.Broadcast.Equal(was) {
		return doc, nil
	}
	root := doc.Root()
	at := docedit.Get(root, keyBroadcast)
	odd := !docedit.IsNull(at) && !docedit.IsMap(at)
	if odd || w.limits.FullAgents {
		reason := LossShape
		if w.limits.FullAgents {
			reason = LossNoPlace
		}
		w.lose(Loss{Field: keyBroadcast, Reason: reason,
			Message: "the gateway's config can't hold the team's broadcast groups. They stay in the team"})
		return doc, nil
	}
	before, err := mapOf(was)
	if err != nil {
		return nil, err
	}
	want, err := mapOf(draft.Broadcast)
	if err != nil {
		return nil, err
	}
	w.ed = doc.Edit()
	fresh := w.strip("", keyBroadcast, want, nil)
	switch {
	case docedit.IsMap(at) && len(want.Content) == 0 && !hasOther(at, keysOf(before)...):
		w.ed.Remove(root, keyBroadcast)
	case docedit.IsMap(at):
		w.inside(keyBroadcast, at, before, want)
	case fresh == nil || len(fresh.Content) == 0:
		return doc, nil
	case docedit.IsMap(root):
		w.ed.Set(root, keyBroadcast, fresh)
	default:
		w.ed.SetRoot(docedit.Map(docedit.KV(keyBroadcast, fresh)))
	}
	return w.ed.Apply()
}
