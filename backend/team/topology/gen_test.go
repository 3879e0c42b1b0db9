package topology

import (
	"encoding/json"
	"fmt"
	"slices"
)

// gen makes topologies from the bytes of a fuzzer: few ids and few values, so that
// the sides of a merge meet.
type gen struct{ data []byte }

func (g *gen) n(max int) int {
	if len(g.data) == 0 {
		return 0
	}
	b := g.data[0]
	g.data = g.data[1:]
	return int(b) % max
}

func (g *gen) word() string { return []string{"", "a", "b", "c:#%", "日本"}[g.n(5)] }
func (g *gen) id() AgentID  { return AgentID([]string{"a", "b", "c", "d", "e:#", "f"}[g.n(6)]) }

func (g *gen) extra() Extra {
	var e Extra
	for range g.n(3) {
		v := []string{`1`, `{"x":[1,2],"y":null}`, `"s"`, `null`, `{"y":null,"x":[1, 2]}`}[g.n(5)]
		e = e.With([]string{"k", "sandbox", "x:y"}[g.n(3)], json.RawMessage(v))
	}
	return e
}

func (g *gen) connections() []Connection {
	var cs []Connection
	for range g.n(5) {
		cs = append(
			cs,
			Connection{
				TargetID: g.id(),
				Type:     []Kind{Command, Communication, "x:y"}[g.n(3)],
				Label:    g.word(),
				Extra:    g.extra(),
			},
		)
	}
	return cs
}

func (g *gen) agent(id AgentID) Agent {
	a := Agent{
		ID:          id,
		Name:        g.word(),
		Role:        g.word(),
		Model:       g.word(),
		AllowAny:    g.n(2) == 1,
		Connections: g.connections(),
		Extra:       g.extra(),
	}
	for range g.n(3) {
		if a.Files == nil {
			a.Files = Files{}
		}
		a.Files[fileNames[g.n(3)]] = AgentFile{Content: g.word(), BasedOn: g.word()}
	}
	switch g.n(4) {
	case 1:
		a.Tools = &Tools{}
	case 2:
		a.Tools = &Tools{Profile: g.word(), Deny: []string{g.word()}}
	case 3:
		x, y := float64(g.n(3))/2, g.n(3)
		a.Temperature, a.MaxTokens, a.Fallbacks = &x, &y, []string{g.word(), g.word()}
	}
	return a
}

func (g *gen) topology() *Topology {
	t := &Topology{Name: g.word(), Extra: g.extra(), Defaults: g.extra()}
	for range g.n(6) {
		id := g.id()
		if _, ok := t.Agent(id); !ok {
			t.Agents = append(t.Agents, g.agent(id))
		}
	}
	for range g.n(5) {
		if t.Layout == nil {
			t.Layout = map[AgentID]Point{}
		}
		t.Layout[g.id()] = Point{X: float64(g.n(3)), Y: float64(g.n(3)), Locked: g.n(3) == 1}
	}
	t.Groups = g.groups()
	for i := range g.n(4) {
		n := Note{
			ID:     fmt.Sprint("n", (i+g.n(2)*7)%5),
			Text:   g.word(),
			X:      float64(g.n(3)),
			Height: float64(g.n(2)),
			Color:  g.n(3),
			Locked: g.n(3) == 1,
			Extra:  g.extra(),
		}
		if !slices.ContainsFunc(t.Notes, func(o Note) bool { return o.ID == n.ID }) {
			t.Notes = append(t.Notes, n)
		}
	}
	for range g.n(4) {
		t.Bindings = append(t.Bindings, json.RawMessage([]string{
			`{"agentId":"a","match":{"channel":"x"}}`, `{"match": {"channel":"x"}, "agentId":"b"}`,
			`{"type":"acp","match":{"channel":"x"}}`,
			`"odd"`, `null`, `{"agentId":"a","match":{"channel":"y","accountId":"1"},"comment":"c"}`,
		}[g.n(6)]))
	}
	for range g.n(3) {
		t.Broadcast = t.Broadcast.With([]string{"strategy", "telegram:7", "1@g.us"}[g.n(3)], json.RawMessage([]string{
			`["a","b"]`, `["b"]`, `{"agents":["a"],"maxRounds":2}`, `"parallel"`, `[]`, `null`,
		}[g.n(6)]))
	}
	return t
}

// groups are nested one level, and nobody is in two of them; some hold agents that
// are not drawn.
func (g *gen) groups() (gs []Group) {
	taken := map[AgentID]bool{}
	for i := range g.n(4) {
		gr := Group{
			ID:        fmt.Sprint("g", (i+g.n(2)*7)%5),
			Name:      g.word(),
			Color:     g.n(3),
			Collapsed: g.n(3) == 1,
			Locked:    g.n(3) == 1,
			Extra:     g.extra(),
		}
		if slices.ContainsFunc(gs, func(o Group) bool { return o.ID == gr.ID }) {
			continue
		}
		for range g.n(4) {
			if id := g.id(); !taken[id] {
				taken[id] = true
				gr.Members = append(gr.Members, id)
			}
		}
		if len(gs) > 0 && gs[0].Parent == "" && g.n(2) == 1 {
			gr.Parent = gs[0].ID
		}
		gs = append(gs, gr)
	}
	return gs
}

// regroup moves an agent from group to group, or changes one thing about a group or a
// note.
func (g *gen) regroup(c *Topology) {
	id := g.id()
	switch g.n(4) {
	case 0:
		for i := range c.Groups {
			c.Groups[i].Members = slices.DeleteFunc(c.Groups[i].Members, func(m AgentID) bool { return m == id })
		}
		if len(c.Groups) > 0 && g.n(3) > 0 {
			gr := &c.Groups[g.n(len(c.Groups))]
			gr.Members = slices.Insert(gr.Members, g.n(len(gr.Members)+1), id)
		}
	case 1:
		if len(c.Groups) > 0 {
			gr := &c.Groups[g.n(len(c.Groups))]
			gr.Name, gr.Locked, gr.Extra = g.word(), !gr.Locked, g.extra()
			slices.Reverse(gr.Members)
		}
	case 2:
		if len(c.Notes) > 0 {
			n := &c.Notes[g.n(len(c.Notes))]
			n.Text, n.Y, n.Locked, n.Color = g.word(), float64(g.n(3)), g.n(2) == 1, g.n(3)
		}
	case 3:
		if p, ok := c.Layout[id]; ok {
			p.Locked = !p.Locked
			c.Layout[id] = p
		}
	}
}

// edit returns a changed copy, so that most of it stays alike.
func (g *gen) edit(t *Topology) *Topology {
	c := t.Clone()
	for range g.n(6) {
		i := 0
		if len(c.Agents) > 0 {
			i = g.n(len(c.Agents))
		}
		switch g.n(13) {
		case 9:
			if len(c.Agents) > 0 {
				c.Agents[i].Files = g.agent("x").Files
			}
		case 0:
			if id := g.id(); c.Agents == nil || !slices.Contains(agentSetOf(c).Keys, id) {
				c.Agents = slices.Insert(c.Agents, i, g.agent(id))
			}
		case 1:
			if len(c.Agents) > 0 {
				c.Agents = slices.Delete(c.Agents, i, i+1)
			}
		case 2:
			if len(c.Agents) > 0 {
				c.Agents[i] = g.agent(c.Agents[i].ID)
			}
		case 3:
			if len(c.Agents) > 0 {
				c.Agents[i].Model = g.word()
			}
		case 4:
			if len(c.Agents) > 0 {
				c.Agents[i].Connections = append(c.Agents[i].Connections, g.connections()...)
			}
		case 5:
			slices.Reverse(c.Agents)
		case 6:
			if len(c.Agents) > 0 {
				slices.Reverse(c.Agents[i].Connections)
				c.Agents[i].Extra = g.extra()
			}
		case 7:
			o := g.topology()
			c.Groups, c.Notes, c.Layout, c.Broadcast = o.Groups, o.Notes, o.Layout, o.Broadcast
		case 8:
			slices.Reverse(c.Groups)
			slices.Reverse(c.Notes)
			c.Name = g.word()
		default:
			g.regroup(c)
		}
	}
	return c
}

func show(t *Topology) string {
	raw, err := json.MarshalIndent(t, "", " ")
	if err != nil {
		return err.Error()
	}
	return string(raw)
}
