package topology

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"unicode/utf8"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/topology/internal/ordered"
)

// What one team may hold.
const (
	MaxAgents      = 20_000
	MaxConnections = 200_000
	MaxItems       = 20_000    // groups, and notes
	MaxPersona     = 256 << 10 // bytes; also of a note's text and of the values of unknown keys
	MaxText        = 16 << 10  // bytes of any other text
	MaxID          = 256       // bytes
	MaxListed      = 10_000    // elements of any list within an agent or a group
	MaxExtra       = 500       // unknown keys in one place
	MaxTotal       = 32 << 20  // bytes of all texts together
	MaxNumber      = 1e7       // of a coordinate in pixels, and of any other number
)

// Validate refuses what cannot be stored or would break the team: ids that are
// missing or stand twice, agents in two groups, groups nested deeper than one level,
// what is too large, text that is not UTF-8, places that are
// no numbers. It is a VALIDATION_ERROR whose details.field names the place, such as
// "agents[3].id". What is merely wrong, such as an agent without a model, is a
// matter for lint: a team in progress is saved all the same.
func (t *Topology) Validate() error {
	v := validator{seen: map[string]bool{}}
	t = orEmpty(t)
	v.atMost("agents", len(t.Agents), MaxAgents)
	v.atMost("groups", len(t.Groups), MaxItems)
	v.atMost("notes", len(t.Notes), MaxItems)
	v.atMost("layout", len(t.Layout), 2*MaxAgents)
	v.text("name", t.Name, MaxText)
	v.extra("extra", t.Extra)
	v.extra("broadcast", t.Broadcast)
	v.extra("defaults", t.Defaults)
	v.extra("messages", t.Messages)
	for id, p := range t.Layout {
		v.text("layout", string(id), MaxID)
		v.number("layout."+string(id), p.X)
		v.number("layout."+string(id), p.Y)
	}
	for i := range t.Agents {
		v.enter("agents", i)
		v.agent(&t.Agents[i])
	}
	v.bindings(t.Bindings)
	v.groups(t.Groups)
	clear(v.seen)
	for i, n := range t.Notes {
		v.enter("notes", i)
		v.id(n.ID)
		v.text("text", n.Text, MaxPersona)
		v.number("x", n.X)
		v.number("y", n.Y)
		v.number("width", n.Width)
		v.number("height", n.Height)
		v.extra("extra", n.Extra)
	}
	if v.err == nil {
		return nil // not a nil *errcode.Error
	}
	return v.err
}

// validator keeps the first thing that is wrong.
type validator struct {
	err         *errcode.Error
	list        string // where it is: list[i], and within that connections[j] if j is not -1
	i, j        int
	seen        map[string]bool
	connections int
	total       int // bytes of text so far
}

func (v *validator) enter(list string, i int) { v.list, v.i, v.j = list, i, -1 }

func (v *validator) refuse(field, format string, args ...any) {
	if v.err != nil {
		return
	}
	if v.list != "" {
		if v.j >= 0 {
			field = fmt.Sprintf("connections[%d].%s", v.j, field)
		}
		field = fmt.Sprintf("%s[%d].%s", v.list, v.i, field)
	}
	v.err = errcode.New(errcode.Validation, "%s", field+" "+fmt.Sprintf(format, args...)).With(errcode.KeyField, field)
}

func (v *validator) agent(a *Agent) {
	v.id(string(a.ID))
	for i := range agentFields {
		f := &agentFields[i]
		switch x := f.At(a).(type) {
		case *string:
			v.text(f.Name, *x, f.maxBytes)
		case *[]string:
			texts(v, f.Name, *x, MaxListed)
		case **Tools:
			v.tools(*x)
		case *Files:
			v.files(a.ID, *x)
		case **float64:
			if *x != nil {
				v.number(f.Name, **x)
			}
		}
	}
	v.extra("extra", a.Extra)
	if v.connections += len(a.Connections); v.connections > MaxConnections {
		v.refuse("connections", "are too many: a team holds at most %d", MaxConnections)
		return
	}
	for j := range a.Connections {
		c := &a.Connections[j]
		v.j = j
		v.text("targetId", string(c.TargetID), MaxID)
		v.text("type", string(c.Type), MaxID)
		v.text("label", c.Label, MaxText)
		v.extra("extra", c.Extra)
	}
	v.j = -1
}

func (v *validator) tools(t *Tools) {
	if t != nil {
		v.text("tools.profile", t.Profile, MaxText)
		texts(v, "tools.allow", t.Allow, MaxListed)
		texts(v, "tools.deny", t.Deny, MaxListed)
	}
}

func (v *validator) groups(groups []Group) {
	clear(v.seen)
	parents := make(map[string]string, len(groups))
	for _, g := range groups {
		parents[g.ID] = g.Parent
	}
	in := map[AgentID]int{}
	for i, g := range groups {
		v.enter("groups", i)
		v.id(g.ID)
		for _, id := range g.Members {
			if at, twice := in[id]; twice {
				v.refuse("members", "names %q, which is in groups[%d] (%q) already; an agent is in one group at most, so remove it from one of the two", id, at, cmp.Or(groups[at].Name, groups[at].ID))
			}
			in[id] = i
		}
		v.text("name", g.Name, MaxText)
		texts(v, "members", g.Members, MaxAgents)
		if up, ok := parents[g.Parent]; g.Parent != "" && (!ok || up != "") {
			v.refuse(
				"parent",
				"is %q; it must be the id of a group that stands in no other group, for groups nest one level. Correct it, or leave it out",
				g.Parent,
			)
		}
		v.extra("extra", g.Extra)
	}
}

func (v *validator) id(id string) {
	switch {
	case id == "":
		v.refuse("id", "is missing")
	case v.seen[id]:
		v.refuse("id", "is %q, which stands here already; give one of the two another id", id)
	}
	v.seen[id] = true
	v.text("id", id, MaxID)
}

func (v *validator) atMost(field string, n, limit int) {
	if n > limit {
		v.refuse(field, "has %d elements; at most %d are possible", n, limit)
	}
}

func (v *validator) text(field, s string, limit int) {
	if v.total += len(s); v.total > MaxTotal && v.total-len(s) <= MaxTotal {
		v.refuse(field, "makes the team larger than 32 MiB; make it smaller")
	}
	if len(s) > limit {
		v.refuse(field, "has %d bytes; at most %d are possible", len(s), limit)
	} else if !utf8.ValidString(s) {
		v.refuse(field, "is not valid UTF-8")
	}
}

func texts[T ~string](v *validator, field string, list []T, limit int) {
	v.atMost(field, len(list), limit)
	for _, s := range list {
		v.text(field, string(s), MaxText)
	}
}

func (v *validator) number(field string, x float64) {
	if !(math.Abs(x) <= MaxNumber) {
		v.refuse(field, "is %v; it must be a number between -%d and %d", x, int(MaxNumber), int(MaxNumber))
	}
}

func (v *validator) extra(at string, e Extra) {
	v.atMost(at, len(e), MaxExtra)
	for i, f := range e {
		field := at + "." + f.Key
		v.text(field, f.Key, MaxText)
		v.text(field, string(f.Value), MaxPersona)
		if _, again := e[:i].Get(f.Key); again {
			v.refuse(field, "stands twice")
		}
		if !json.Valid(ordered.OrNull(f.Value)) {
			v.refuse(field, "is not valid JSON")
		}
	}
}
