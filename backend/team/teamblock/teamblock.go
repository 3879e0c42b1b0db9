// Package teamblock keeps the parts of workspace files that follow the team: in AGENTS.md the role and the connections
// of an agent, in SOUL.md its persona. So agents learn of them whose gateway can't store them in its config. A part is
// a block between two comments on lines of their own. The comments are the switch: to put them into a file turns the
// block on, and to remove them turns it off. Every other byte of the file is left alone.
package teamblock

import (
	"maps"
	"slices"
	"strings"

	"agentflow/backend/team/topology"
)

// kind is a block that a file can have.
type kind struct {
	file       string
	begin, end string // how its first line begins, and its last line
	first      string // its first line, as it is written
	field      string // the setting of an agent that it tells
	write      func(*members, *topology.Agent) []string
}

func kindOf(name, file, field, what string, write func(*members, *topology.Agent) []string) kind {
	begin := "<!-- agentflow:" + name + " begin"
	return kind{
		file: file, begin: begin, end: "<!-- agentflow:" + name + " end -->", field: field, write: write,
		first: begin + ": AgentFlow writes " + what + " here and replaces edits up to the end mark -->",
	}
}

var kinds = []kind{
	kindOf("persona", "SOUL.md", "persona", "the persona", (*members).persona),
	kindOf("team", "AGENTS.md", "role", "the team", (*members).team),
}

// Follow returns the team with every block as the team is now. A team without blocks, or whose blocks are right, is
// returned itself. A file that would get too long for a team keeps its old block.
func Follow(t *topology.Topology) *topology.Topology {
	var m *members
	return each(t, func(k kind, a *topology.Agent, text string) string {
		if m == nil {
			m = membersOf(t)
		}
		return k.put(text, k.write(m, a))
	})
}

// FileOf returns the file whose block tells an agent one of its settings, or "".
func FileOf(a *topology.Agent, field string) string {
	for _, k := range kinds {
		if k.field == field && len(k.find(a.Files[k.file].Content)) > 0 {
			return k.file
		}
	}
	return ""
}

// Aside returns the team with empty blocks, for a merge: two sides that drew different things don't collide in the text
// that follows from it. Follow fills them again.
func Aside(t *topology.Topology) *topology.Topology {
	if t == nil {
		return nil
	}
	return each(t, func(k kind, _ *topology.Agent, text string) string { return k.put(text, nil) })
}

// Followed returns the files in which now has another text than sent, of the agents of both.
func Followed(sent, now *topology.Topology) map[topology.AgentID]topology.Files {
	if sent == now {
		return nil
	}
	var out map[topology.AgentID]topology.Files
	for i := range now.Agents {
		a := &now.Agents[i]
		if len(a.Files) == 0 || i >= len(sent.Agents) || sent.Agents[i].ID != a.ID {
			continue
		}
		for _, k := range kinds {
			was, file := sent.Agents[i].Files[k.file], a.Files[k.file]
			if was.Content == file.Content {
				continue
			}
			if out == nil {
				out = map[topology.AgentID]topology.Files{}
			}
			if out[a.ID] == nil {
				out[a.ID] = topology.Files{}
			}
			out[a.ID][k.file] = file
		}
	}
	return out
}

// each returns the team with another text of each file that has its block; t itself stays as it is.
func each(t *topology.Topology, text func(kind, *topology.Agent, string) string) *topology.Topology {
	out := t
	for i := range t.Agents {
		for _, k := range kinds {
			file, has := t.Agents[i].Files[k.file]
			if !has || !strings.Contains(file.Content, k.begin) {
				continue
			}
			next := text(k, &t.Agents[i], file.Content)
			if next == file.Content || len(next) > topology.MaxFile {
				continue
			}
			if out == t {
				c := *t
				c.Agents = slices.Clone(t.Agents)
				out = &c
			}
			a := &out.Agents[i]
			a.Files = maps.Clone(a.Files)
			file.Content = next
			a.Files[k.file] = file
		}
	}
	return out
}

// span is a block in a text, from its first byte to the one after its last line end.
type span struct{ from, to int }

// find returns the blocks of a text. A begin without an end before the next begin is text like any other, and so is an
// end without a begin.
func (k kind) find(text string) (out []span) {
	from := -1
	for at := 0; at < len(text); {
		next := len(text)
		if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
			next = at + n + 1
		}
		switch line := strings.TrimRight(text[at:next], " \t\r\n"); {
		case strings.HasPrefix(line, k.begin) && strings.HasSuffix(line, "-->"):
			from = at
		case line == k.end && from >= 0:
			out = append(out, span{from, next})
			from = -1
		}
		at = next
	}
	return out
}

// put writes lines into the first block of a text and takes out the others: where both sides of a merge were kept, a
// file has two. A text without a block is returned as it is.
func (k kind) put(text string, lines []string) string {
	blocks := k.find(text)
	if len(blocks) == 0 {
		return text
	}
	first := text[blocks[0].from:blocks[0].to]
	eol := "\n"
	if n := strings.IndexByte(first, '\n'); n > 0 && first[n-1] == '\r' {
		eol = "\r\n"
	}
	var b strings.Builder
	b.WriteString(text[:blocks[0].from])
	for _, line := range append(append([]string{k.first}, lines...), k.end) {
		if b.WriteString(line); line != k.end {
			b.WriteString(eol)
		}
	}
	if strings.HasSuffix(first, "\n") {
		b.WriteString(eol)
	}
	at := blocks[0].to
	for _, more := range blocks[1:] {
		b.WriteString(text[at:more.from])
		at = more.to
	}
	b.WriteString(text[at:])
	return b.String()
}
