package main

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"slices"
	"time"

	"agentflow/backend/team/topology"
	"agentflow/bench/team"
)

// held is how long a view is moved or a node is dragged, in ms.
const held = 1500

// typed is what is written into a field; the first letters find the field's code cold.
const typed = "abcdefghijklmnopqrst"

// largeRun is what one kind of page needed, over all rounds.
type largeRun struct {
	first, panFit, dragFit, pan, drag, key, pause, undo, layout, layoutPause, find samples
}

// largeRounds is fewer than the starts of programs: each takes half a minute.
func (s setup) largeRounds() int { return (s.starts + 1) / 2 }

// measureLarge puts the figures of a kind of page into the report, against plain React
// Flow in the same page, in turn.
func (s setup) measureLarge(ctx context.Context, p page, group, where string, r *report) error {
	plain, err := s.buildPeer(ctx)
	if err != nil {
		return err
	}
	server := httptest.NewServer(plain)
	defer server.Close()
	var ours, theirs largeRun
	for i := range s.largeRounds() {
		progress(s.say, fmt.Sprintf("%d agents", largeAgents), i+1, s.largeRounds())
		plain.team = team.Large(largeAgents)
		if err := ours.team(ctx, p, plain.team); err != nil {
			return fmt.Errorf("AgentFlow: %w", err)
		}
		if err := p.openPeer(ctx, server.URL); err != nil {
			return err
		}
		if err := theirs.all(ctx, p, plain.team, nil); err != nil {
			return fmt.Errorf("plain React Flow: %w", err)
		}
	}
	var huge, hugePeer largeRun
	progress(s.say, fmt.Sprintf("%d agents", hugeAgents), 1, 1)
	plain.team = team.Large(hugeAgents)
	hugeErr := huge.huge(ctx, p, plain.team)
	if hugeErr == nil {
		hugeErr = p.openPeer(ctx, server.URL)
	}
	if hugeErr == nil {
		hugeErr = hugePeer.opened(ctx, p)
	}
	report := func(name string, most float64, ours, theirs *samples) {
		f := ours.figure(group, name+where)
		if f.Most = most; len(theirs.wall) > 0 {
			f = ours.against(f, "plain React Flow", theirs)
		}
		r.add(f)
	}
	report("1,000 agents: first render", 2000, &ours.first, &theirs.first)
	report("… a frame while the view is moved, whole team in view (25 a second)", fps25, &ours.panFit, &theirs.panFit)
	report("… a frame while an agent is dragged, whole team in view (25 a second)", fps25, &ours.dragFit,
		&theirs.dragFit)
	report("… a frame while the view is moved, zoom 1 (45 a second)", fps45, &ours.pan, &theirs.pan)
	report("… a frame while an agent is dragged, zoom 1 (45 a second)", fps45, &ours.drag, &theirs.drag)
	report("… a key in the inspector", 16, &ours.key, &theirs.key)
	report("… longest pause while typing and saving", 0, &ours.pause, &theirs.pause)
	report("… undo", 50, &ours.undo, &theirs.undo)
	report("… automatic layout", 3000, &ours.layout, &samples{})
	report("… longest pause during it", 0, &ours.layoutPause, &samples{})
	if hugeErr != nil {
		return fmt.Errorf("%d agents: %w", hugeAgents, hugeErr) // the others' figures stand
	}
	report("5,000 agents: first render", 0, &huge.first, &hugePeer.first)
	report("… a frame while the view is moved, whole team in view", 0, &huge.panFit, &hugePeer.panFit)
	report("… a key in the search", 0, &huge.find, &samples{})
	return nil
}

// moved is what the hands tell of a movement.
type moved struct{ Frames, MS, Worst float64 }

// frames moves something and counts the frames.
func frames(ctx context.Context, p page, into *samples, expression string) error {
	var m moved
	began := p.cpu()
	if err := p.run(ctx, expression, &m); err != nil {
		return err
	}
	each := func(ms float64) time.Duration { return time.Duration(ms / m.Frames * float64(time.Millisecond)) }
	into.add(each(m.MS), each(ms(p.cpu()-began)))
	return nil
}

func (l *largeRun) opened(ctx context.Context, p page) error {
	var first struct{ MS float64 }
	if err := p.run(ctx, "opened()", &first); err != nil {
		return err
	}
	l.first.addMS(first.MS)
	if err := p.run(ctx, "rest(1500)", nil); err != nil { // what comes after the first frame
		return err
	}
	return frames(ctx, p, &l.panFit, fmt.Sprintf("pan(%d)", held))
}

// team opens AgentFlow with a team and does with it all that is measured.
func (l *largeRun) team(ctx context.Context, p page, t *topology.Topology) error {
	at, err := p.openTeam(ctx, t)
	if err != nil {
		return err
	}
	defer at.close()
	if err := l.all(ctx, p, t, at); err != nil {
		return err
	}
	var laid struct{ MS, Worst float64 }
	if err := p.run(ctx, `command("Lay out")`, &laid); err != nil {
		return err
	}
	l.layout.addMS(laid.MS)
	l.layoutPause.addMS(laid.Worst)
	places, err := at.places()
	if err == nil && places[t.Agents[1].ID] == t.Layout[t.Agents[1].ID] {
		err = errors.New("the automatic layout moved nobody")
	}
	return err
}

// all does what both pages can do. Of AgentFlow it asks the hub whether it was really done.
func (l *largeRun) all(ctx context.Context, p page, t *topology.Topology, at *shown) error {
	if err := l.opened(ctx, p); err != nil {
		return err
	}
	whole := t.Agents[len(t.Agents)/2+len(t.Agents)/64].ID
	if err := l.dragged(ctx, p, t, at, &l.dragFit, whole); err != nil {
		return err
	}
	if err := p.run(ctx, "zoomTo(1)", nil); err != nil {
		return err
	}
	if err := frames(ctx, p, &l.pan, fmt.Sprintf("pan(%d)", held)); err != nil {
		return err
	}
	var v struct{ X, Y float64 }
	if err := p.run(ctx, "view()", &v); err != nil {
		return err
	}
	left := *t
	left.Agents = slices.DeleteFunc(slices.Clone(t.Agents), func(a topology.Agent) bool { return a.ID == whole })
	near := team.Nearest(&left, 450-v.X, 380-v.Y)
	if err := l.dragged(ctx, p, t, at, &l.drag, near); err != nil {
		return err
	}
	var undone struct{ MS float64 }
	if err := p.run(ctx, fmt.Sprintf("undo(%q)", near), &undone); err != nil {
		return err
	}
	l.undo.addMS(undone.MS)
	if err := p.run(ctx, "rest(1000)", nil); err != nil {
		return err
	}
	if at != nil {
		places, err := at.places()
		if err != nil {
			return err
		}
		if places[near] != t.Layout[near] {
			return errors.New("the undo is not in the hub")
		}
	}
	return l.written(ctx, p, team.Middle(t, near), at != nil)
}

// dragged drags an agent, and asks the hub whether it knows.
func (l *largeRun) dragged(
	ctx context.Context,
	p page,
	t *topology.Topology,
	at *shown,
	into *samples,
	id topology.AgentID,
) error {
	if err := frames(ctx, p, into, fmt.Sprintf("drag(%d, %s)", held, team.Middle(t, id))); err != nil {
		return err
	}
	if err := p.run(ctx, "rest(1000)", nil); err != nil || at == nil {
		return err
	}
	places, err := at.places()
	if err == nil && places[id] == t.Layout[id] {
		err = fmt.Errorf("%s was not dragged", id)
	}
	return err
}

// written types into the name of an agent.
func (l *largeRun) written(ctx context.Context, p page, where string, ours bool) error {
	field := "#name"
	if ours {
		field = "[role=tabpanel] input"
	}
	if err := p.run(ctx, fmt.Sprintf("click(%s)", where), nil); err != nil {
		return err
	}
	return l.keys(ctx, p, &l.key, fmt.Sprintf("type(%q, %q)", field, typed))
}

func (l *largeRun) keys(ctx context.Context, p page, into *samples, expression string) error {
	var k struct {
		Keys  []float64
		Worst float64
	}
	if err := p.run(ctx, expression, &k); err != nil {
		return err
	}
	into.addMS(median(k.Keys))
	l.pause.addMS(k.Worst)
	return nil
}

// huge opens a team that is larger than what is promised to be fast, and searches it.
func (l *largeRun) huge(ctx context.Context, p page, t *topology.Topology) error {
	at, err := p.openTeam(ctx, t)
	if err != nil {
		return err
	}
	defer at.close()
	if err := l.opened(ctx, p); err != nil {
		return err
	}
	return l.keys(ctx, p, &l.find, `search("agent 4999", "1")`)
}
