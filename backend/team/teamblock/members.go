package teamblock

import (
	"fmt"
	"strings"
	"unicode"

	"agentflow/backend/team/topology"
)

const (
	// most is how many agents one kind of connection names: a prompt has room for 20,000 characters of a file.
	most = 50
	// longest is how many characters of a name or a role are written.
	longest = 200
)

// relation is what a connection means to one of its two agents.
type relation int

const (
	delegates relation = iota
	delegated
	talks
	reviews
	reviewed
)

// sentences say what a relation permits, before and after the other agent.
var sentences = map[relation][2]string{
	delegates: {"You can delegate tasks to ", "."},
	delegated: {"You get tasks from ", "."},
	talks:     {"You can exchange messages with ", "."},
	reviews:   {"You review the results of ", "."},
	reviewed:  {"Your results are reviewed by ", "."},
}

// members are the agents of a team, with what its connections mean to each of them.
type members struct {
	byID      map[topology.AgentID]*topology.Agent
	relations map[topology.AgentID]map[relation][]topology.AgentID
}

func membersOf(t *topology.Topology) *members {
	m := &members{
		byID:      make(map[topology.AgentID]*topology.Agent, len(t.Agents)),
		relations: map[topology.AgentID]map[relation][]topology.AgentID{},
	}
	for i := range t.Agents {
		if a := &t.Agents[i]; m.byID[a.ID] == nil {
			m.byID[a.ID] = a
		}
	}
	type tie struct {
		of, other topology.AgentID
		is        relation
	}
	seen := map[tie]bool{}
	add := func(of topology.AgentID, is relation, other topology.AgentID) {
		if k := (tie{of, other, is}); !seen[k] {
			seen[k] = true
			if m.relations[of] == nil {
				m.relations[of] = map[relation][]topology.AgentID{}
			}
			m.relations[of][is] = append(m.relations[of][is], other)
		}
	}
	for i := range t.Agents {
		from := t.Agents[i].ID
		for _, c := range t.Agents[i].Connections {
			to := c.TargetID
			if m.byID[to] == nil || to == from {
				continue
			}
			switch is := topology.KindOf(c.Type); {
			case is.Delegates:
				add(from, delegates, to)
				add(to, delegated, from)
			case is.Talks:
				add(from, talks, to)
				add(to, talks, from)
			case is.Reviews:
				add(from, reviews, to)
				add(to, reviewed, from)
			}
		}
	}
	return m
}

// team writes what an agent is to know of its team: who it is, and what its connections permit, in the order of the
// team.
func (m *members) team(a *topology.Agent) []string {
	you := "You are " + called(a) + "."
	if role := plain(a.Role); role != "" {
		you += " Your role: " + role + "."
	}
	out := []string{"## Your team", "", you, ""}
	before := len(out)
	for is := delegates; is <= reviewed; is++ {
		say := sentences[is]
		if is == delegates && a.AllowAny {
			out = append(out, "- "+say[0]+"every other agent"+say[1])
		}
		others := m.relations[a.ID][is]
		for i, id := range others {
			if i == most {
				out = append(out, fmt.Sprintf("- %s%d more agents%s", say[0], len(others)-most, say[1]))
				break
			}
			line := "- " + say[0] + called(m.byID[id]) + say[1]
			if role := plain(m.byID[id].Role); role != "" {
				line += " Its role: " + role + "."
			}
			out = append(out, line)
		}
	}
	if len(out) == before {
		return append(out, "You have no connections to other agents.")
	}
	return append(out, "", "Where a tool asks for an agent, give it the ID in parentheses.")
}

// persona writes the persona of an agent as it is. Only what would be taken for the mark of a block is defused.
func (m *members) persona(a *topology.Agent) []string {
	text := strings.TrimRight(strings.ReplaceAll(a.Persona, "\r\n", "\n"), "\n")
	if strings.TrimSpace(text) == "" {
		return nil
	}
	return strings.Split(strings.ReplaceAll(text, "<!-- agentflow:", "&lt;!-- agentflow:"), "\n")
}

// called names an agent by its name and ID.
func called(a *topology.Agent) string {
	id, name := plain(string(a.ID)), plain(a.Name)
	if name == "" {
		name = id
	}
	return name + " (" + id + ")"
}

// plain makes one line of what others wrote, without characters that nobody sees, so that it can't end the block, the
// sentence's line or the comment.
func plain(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			return ' '
		case unicode.Is(unicode.Cf, r) || r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > longest {
		s = string(r[:longest]) + "…"
	}
	return strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(s)
}
