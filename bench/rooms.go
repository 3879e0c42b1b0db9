package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"agentflow/bench/crowd"
	"agentflow/bench/kit"
)

// roomFigures compares a room of many readers, where each message is stored durably before
// anybody gets it, with a bare loop that passes bytes on.
func roomFigures(ctx context.Context, s setup, r *report) error {
	hub, loop, idle := new(samples), new(samples), new(samples)
	for range 5 {
		took, err := s.crowd(ctx, idle)
		if err != nil {
			return err
		}
		hub.add(took.Wall, took.CPU)
		if took, err = crowd.Loop(ctx, treeTime); err != nil {
			return err
		}
		loop.add(took.Wall, took.CPU)
	}
	f := hub.against(hub.figure("rooms", fmt.Sprintf("%d readers: 1,000 deliveries, stored before", crowd.Readers)), "bare loop, nothing stored", loop)
	f.Note = fmt.Sprintf("the goal is about the clock; of the processor the hub takes %.2f× what the bare loop does, which checks and stores nothing", f.CPURatio)
	f.Goal, f.CPURatio = kit.FanGoal, 0
	r.add(f)
	if median(idle.wall) > 0 {
		f = idle.figure("rooms", "memory of an idle connection")
		f.Unit = "KiB"
		r.limit(f, kit.IdleLimit)
	}
	return nil
}

// crowd measures a hub, and adds to idle what a connection holds, in KiB.
func (s setup) crowd(ctx context.Context, idle *samples) (crowd.Took, error) {
	h, err := s.startHub(ctx)
	if err != nil {
		return crowd.Took{}, err
	}
	defer h.stop()
	pid := h.cmd.Process.Pid
	var before memory
	few := 0
	return crowd.Hub(ctx, h.url, h.token, func() time.Duration { return treeTime(pid) }, func(readers int) error {
		now, err := processMemory(pid)
		switch {
		case errors.Is(err, errLinux):
			return nil
		case few == 0:
			before, few = now, readers
		default:
			idle.addMS((now.now - before.now) * 1e6 / 1024 / float64(readers-few))
		}
		return err
	})
}

// envPeers names the folder of a kit that measures peers.
const envPeers = "AGENTFLOW_PEERS"

// peerFigures has a kit measure the hub beside peers.
func peerFigures(ctx context.Context, s setup, r *report) error {
	bin, err := s.program("agentflow")
	if err != nil {
		return err
	}
	dir := os.Getenv(envPeers)
	if dir == "" {
		return fmt.Errorf("no peers are known: set %s to the folder of a kit that runs them", envPeers)
	}
	results, err := kit.Run(ctx, kit.Kit{Dir: dir, Program: bin, Results: filepath.Join(s.work, "peers"), Say: s.say})
	if err != nil {
		return err
	}
	for _, c := range kit.Compare(results) {
		own, peer := &samples{wall: c.Own}, &samples{wall: c.Peers}
		f := own.figure("peers", c.Name)
		f.Unit, f.Goal = c.Unit, c.Goal
		r.add(own.against(f, c.Peer, peer))
	}
	for _, why := range kit.Failed(results) {
		r.missing("peers", why)
	}
	return nil
}
