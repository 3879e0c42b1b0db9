package topology

import (
	"cmp"
	"strconv"
	"strings"

	"agentflow/backend/team/topology/internal/ordered"
)

const maxIDLength = 64 // the newest gateway's bound, in characters

// UniqueID returns wanted if no agent of t has it, else wanted with the first free
// number behind it: "dev", "dev-2", "dev-3". An empty wanted is "agent".
func UniqueID(t *Topology, wanted string) AgentID {
	return uniqueID(ordered.Index(agentSetOf(orEmpty(t)).Keys), wanted)
}

func uniqueID(taken map[AgentID]int, wanted string) AgentID {
	wanted = cmp.Or(wanted, "agent")
	id := AgentID(wanted)
	stem, n := splitNumber(wanted)
	for _, ok := taken[id]; ok; _, ok = taken[id] {
		n++
		tail := "-" + strconv.Itoa(n)
		id = AgentID(strings.ToValidUTF8(stem[:min(len(stem), maxIDLength-len(tail))], "") + tail)
	}
	return id
}

// Apart gives other ids to the agents of t whose ids are taken, and follows them everywhere in t.
func Apart(t *Topology, taken []AgentID) {
	used, others := map[AgentID]int{}, map[AgentID]bool{}
	for _, id := range taken {
		used[id], others[id] = 0, true
	}
	for i := range t.Agents {
		used[t.Agents[i].ID] = i
	}
	to := map[AgentID]AgentID{}
	for i := range t.Agents {
		if old := t.Agents[i].ID; others[old] && to[old] == "" {
			to[old] = uniqueID(used, string(old))
			used[to[old]] = i
		}
	}
	move := func(id *AgentID) { *id = cmp.Or(to[*id], *id) }
	for i := range t.Agents {
		move(&t.Agents[i].ID)
		for j := range t.Agents[i].Connections {
			move(&t.Agents[i].Connections[j].TargetID)
		}
	}
	for i := range t.Groups {
		for j := range t.Groups[i].Members {
			move(&t.Groups[i].Members[j])
		}
	}
	t.Messages = renameAllowed(t.Messages, to)
	t.Broadcast = renameBroadcast(t.Broadcast, nil, to)
	for old, id := range to {
		if at, is := t.Layout[old]; is {
			delete(t.Layout, old)
			t.Layout[id] = at
		}
	}
}

// splitNumber parts "dev-2" into "dev" and 2; "dev" into "dev" and 1.
func splitNumber(id string) (stem string, n int) {
	if i := strings.LastIndexByte(id, '-'); i > 0 {
		if n, err := strconv.Atoi(id[i+1:]); err == nil && n > 0 && n < 1e6 {
			return id[:i], n
		}
	}
	return id, 1
}

// SlugID makes an id that every gateway takes from a name: "Research Bot" becomes
// "research-bot". Of a name without Latin letters or digits, such as a Japanese
// one, nothing is left; it becomes "agent-1", which UniqueID counts up.
func SlugID(name string) AgentID {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(name) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' {
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			gap = false
			b.WriteRune(r)
			continue
		}
		gap = true
	}
	id := strings.TrimRight(b.String()[:min(b.Len(), maxIDLength)], "-")
	if id == "" {
		return "agent-1"
	}
	return AgentID(id)
}
