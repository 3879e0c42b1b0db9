package main

import (
	"context"
	"fmt"

	"gopkg.in/yaml.v3"

	"agentflow/backend/base/docedit"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/team/topology"
	"agentflow/bench/team"
)

const (
	manyAgents = 10_000
	parseGoal  = 1.2 // times a bare parse
	diffLimit  = 5   // ms
)

func parseFigures(ctx context.Context, s setup, r *report) error {
	for _, shape := range []string{team.ShapeMap, team.ShapeList, team.ShapeEntries} {
		text := team.Config(manyAgents, shape)
		bare := func() error {
			var n yaml.Node
			return yaml.Unmarshal(text, &n)
		}
		graph := func() error {
			_, err := readTeam(text)
			return err
		}
		got, err := inTurn(s.rounds, bare, graph)
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		f := got[1].figure("parse", fmt.Sprintf("YAML to graph, %d agents, shape %s", manyAgents, shape))
		f = got[1].against(f, "bare yaml.v3", &got[0])
		f.Goal = parseGoal
		r.add(f)
	}
	return nil
}

func readTeam(text []byte) (*topology.Topology, error) {
	doc, err := docedit.Parse(text, "")
	if err != nil {
		return nil, err
	}
	reading, err := openclaw.Read(doc)
	if err != nil {
		return nil, err
	}
	if n := len(reading.Topology.Agents); n != manyAgents {
		return nil, fmt.Errorf("%d agents were read, want %d", n, manyAgents)
	}
	return &reading.Topology, nil
}

func diffFigures(_ context.Context, s setup, r *report) error {
	base := team.Big(manyAgents)
	var diffs []func() error
	counts := []int{0, manyAgents / 100, manyAgents}
	for _, n := range counts {
		draft := team.Big(manyAgents)
		for i := range n {
			draft.Agents[i*(manyAgents/n)].Name += " (new)"
		}
		diffs = append(diffs, func() error {
			if found := len(topology.Diff(base, draft)); found != n {
				return fmt.Errorf("%d changes were found, want %d", found, n)
			}
			return nil
		})
	}
	got, err := inTurn(2*s.rounds, diffs...)
	if err != nil {
		return err
	}
	for i, n := range counts {
		f := got[i].figure("diff", fmt.Sprintf("Diff of %d agents, %d changed", manyAgents, n))
		f.CPURatio = f.CPU / diffLimit // it does nothing but compute, on one processor
		r.limit(f, diffLimit)
	}
	return nil
}
