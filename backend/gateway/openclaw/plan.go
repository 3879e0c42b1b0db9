package openclaw

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"agentflow/backend/base/docedit"
	"agentflow/backend/base/errcode"
	"agentflow/backend/team/gatewayconfig"
	"agentflow/backend/team/topology"
)

// state is a gateway's config, read and understood.
type state struct {
	snap    Snapshot
	doc     *docedit.Document
	reading Reading
}

func understand(s Snapshot) (state, error) {
	doc, err := s.Document()
	if err != nil {
		return state{}, err
	}
	r, err := s.reading(doc)
	return state{s, doc, r}, err
}

// plan is what is to be done to a config.
type plan struct {
	target  *docedit.Document  // the config to reach
	removed []topology.AgentID // agents that go
	first   []topology.AgentID // those of them that the gateway itself must delete first
	losses  []Loss
	files   []FileWrite
}

// planner makes the plan for a config as it stands; a push asks again after deletions.
type planner func(now state, c Capabilities) (plan, error)

// drawn plans towards a draft.
func drawn(base, draft *topology.Topology) planner {
	return func(now state, c Capabilities) (plan, error) {
		if now.snap.Broken { // what an apply doesn't draw would be lost for good
			return plan{}, errcode.New(errcode.Gateway, "the gateway's config file is no valid JSON. Nothing was "+
				"written. Roll back to a snapshot, or repair the file").
				With(errcode.KeyReason, errcode.ReasonConfigBroken)
		}
		limits := limitsOf(now.reading, c.Limits)
		target, losses, err := Write(now.doc, base, draft, limits)
		if err != nil {
			return plan{}, err
		}
		p := plan{target: target, losses: losses}
		wanted := gatewayconfig.ByID(draft.Agents)
		var had map[topology.AgentID]*topology.Agent
		if base != nil {
			had = gatewayconfig.ByID(base.Agents)
		}
		for _, a := range now.reading.Topology.Agents {
			if wanted[a.ID] == nil && (base == nil || had[a.ID] != nil) {
				p.removed = append(p.removed, a.ID)
			}
		}
		p.first = deleteFirst(now, p.removed, c)
		return p, nil
	}
}

// deleteFirst says which agents a config write cannot remove: all of them on a gateway
// that guards its roster; in a list, those before an agent with a stored secret,
// because the secret is kept by its place.
func deleteFirst(now state, removed []topology.AgentID, c Capabilities) []topology.AgentID {
	if c.RosterGuard {
		return removed
	}
	if now.reading.Shape != ShapeList || !c.DeleteAgents || len(removed) == 0 {
		return nil
	}
	gone := false
	for _, p := range gatewayconfig.Places(now.doc) {
		if slices.Contains(removed, p.ID) {
			gone = true
		} else if gone && holdsRedacted(p.Node) {
			return removed
		}
	}
	return nil
}

func holdsRedacted(n *yaml.Node) bool {
	n = docedit.Resolve(n)
	if n == nil {
		return false
	}
	return n.Kind == yaml.ScalarNode && strings.Contains(n.Value, Redacted) ||
		slices.ContainsFunc(n.Content, holdsRedacted)
}

// Secret is a value that the gateway lost, as a person enters it again. Agent and Field are those of the Loss that
// names it.
type Secret struct {
	Agent topology.AgentID `json:"agent,omitempty" doc:"Agent that the secret belongs to. Default: none."`
	Field string           `json:"field" maxLength:"1000" doc:"Path of the secret, as losses of the preview name it."`
	Value string           `json:"value" minLength:"1" maxLength:"20000" doc:"The secret, 1 to 20000 characters."`
}

// comingBack is a kept config as the gateway accepts it today, and whether its default agent was missing.
func comingBack(to, now state, c Capabilities) (state, bool, error) {
	to, err := withOwners(to, now, c)
	if err != nil {
		return to, false, err
	}
	return withDefaultAgent(to, now, c)
}

// kept plans towards a config that was kept earlier. Secrets are put where the gateway lost its own.
func kept(to state, secrets []Secret) planner {
	return func(now state, c Capabilities) (plan, error) {
		to, lacked, err := comingBack(to, now, c)
		if err != nil {
			return plan{}, err
		}
		p := plan{target: to.doc}
		roster := gatewayconfig.ByID(to.reading.Topology.Agents)
		for _, a := range now.reading.Topology.Agents {
			if roster[a.ID] == nil {
				p.removed = append(p.removed, a.ID)
			}
		}
		p.first = deleteFirst(now, p.removed, c)
		ed := to.doc.Edit()
		p.losses = lostSecrets(ed, now.doc.Root(), to.doc.Root(), secrets)
		if lacked {
			p.losses = append(p.losses, Loss{
				Agent:   c.DefaultAgent,
				Reason:  LossDefault,
				Message: "the gateway does not let its default agent be deleted: " + string(c.DefaultAgent) + " stays",
			})
		}
		if c.RosterGuard {
			nameImplicit(ed, now, to)
		}
		keepMeta(ed, now.doc.Root(), to.doc.Root())
		target, err := ed.Apply()
		p.target = target
		return p, err
	}
}

// keepMeta leaves what a gateway notes about its own writes as it is. A config that differs in nothing else isn't sent.
func keepMeta(ed *docedit.Editor, now, to *yaml.Node) {
	const key = "meta"
	held, old := docedit.Get(now, key), docedit.Get(to, key)
	switch {
	case docedit.Equal(held, old) || !docedit.IsMap(to):
	case held == nil:
		ed.Remove(to, key)
	default:
		ed.Set(to, key, docedit.Copy(held))
	}
}

// nameImplicit keeps an agent named that the kept config only implied: a gateway
// that guards its roster takes its entry going away for a deletion.
func nameImplicit(ed *docedit.Editor, now, to state) {
	box := docedit.Map()
	for _, id := range to.reading.Implicit {
		if !slices.Contains(now.reading.Implicit, id) {
			box.Content = append(box.Content, docedit.String(string(id)), docedit.Flow(docedit.Map()))
		}
	}
	if len(box.Content) == 0 || now.reading.Shape != ShapeEntries {
		return
	}
	root := to.doc.Root()
	if agents := docedit.Get(root, "agents"); docedit.IsMap(agents) {
		ed.Set(agents, "entries", box)
	} else if docedit.IsMap(root) {
		ed.Set(root, "agents", docedit.Map(docedit.KV("entries", box)))
	}
}

// lostSecrets puts the secrets that a person entered again into a kept config, where the gateway no longer stores its
// own. What stands for the others is taken out, because the gateway would refuse it.
func lostSecrets(ed *docedit.Editor, now, to *yaml.Node, entered []Secret) (losses []Loss) {
	var walk func(path string, agent topology.AgentID, now, to *yaml.Node)
	walk = func(path string, agent topology.AgentID, now, to *yaml.Node) {
		for _, e := range docedit.Entries(to) {
			at := strings.TrimPrefix(path+"."+e.Key.Value, ".")
			who := agent
			if path == "agents.entries" {
				who = topology.AgentID(e.Key.Value)
			}
			old := docedit.Get(now, e.Key.Value)
			if s, ok := docedit.Text(e.Value); ok && strings.Contains(s, Redacted) {
				if value, ok := secretOf(entered, who, at); ok && docedit.IsNull(old) {
					ed.Set(to, e.Key.Value, docedit.String(value))
				} else if docedit.IsNull(old) {
					ed.Remove(to, e.Key.Value)
					losses = append(losses, Loss{
						Agent:   who,
						Field:   at,
						Reason:  LossSecret,
						Message: "the gateway no longer stores the secret at " + at + "; it is left out. Set it on the gateway again",
					})
				}
				continue
			}
			walk(at, who, old, e.Value)
		}
		for i, item := range docedit.Items(to) {
			id, _ := docedit.Scalar(docedit.Get(item, "id"))
			walk(path, topology.AgentID(id), sameItem(now, i, id), item)
		}
	}
	walk("", "", now, to)
	return losses
}

func secretOf(entered []Secret, agent topology.AgentID, field string) (string, bool) {
	for _, s := range entered {
		if s.Agent == agent && s.Field == field {
			return s.Value, true
		}
	}
	return "", false
}

// sameItem finds a list's item again: by its id, or else by its place.
func sameItem(list *yaml.Node, i int, id string) *yaml.Node {
	items := docedit.Items(list)
	for _, n := range items {
		if s, ok := docedit.Scalar(docedit.Get(n, "id")); ok && id != "" && s == id {
			return n
		}
	}
	if id == "" && i < len(items) {
		return items[i]
	}
	return nil
}
