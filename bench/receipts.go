package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"agentflow/bench/receipt"
)

// receiptFigures measures from a submission to the agent that is given the task, beside a relay
// that keeps nothing; the hub may take as long as that and four waits for the disk.
func receiptFigures(ctx context.Context, s setup, r *report) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	agent := receipt.Listen()
	defer agent.Close()
	h, err := s.startHub(ctx)
	if err != nil {
		return err
	}
	defer h.stop()
	if err := h.employ(ctx, agent.URL()); err != nil {
		return err
	}
	relay := receipt.Relay(agent)
	defer relay.Close()
	task, err := json.Marshal(
		map[string]string{"sessionId": "bench", "userPrompt": "a task with a few words", "taskType": "chat"},
	)
	if err != nil {
		return err
	}
	kept, bare, syncs := new(samples), new(samples), new(samples)
	for i := range 10*s.rounds + 1 { // the first is to warm up
		durable, id, err := agent.Took(ctx,
			func(ctx context.Context) error { return h.callRaw(ctx, http.MethodPost, "/submit_task", task, nil) })
		if err == nil {
			err = h.finish(ctx, id)
		}
		if err != nil {
			return err
		}
		passed, _, err := agent.Took(ctx,
			func(ctx context.Context) error { return receipt.Submit(ctx, relay.URL, task) })
		if err != nil {
			return err
		}
		sync, err := receipt.Sync(s.work)
		if err != nil {
			return err
		}
		if i > 0 {
			kept.add(durable, 0)
			bare.add(passed, 0)
			syncs.add(sync, 0)
		}
	}
	f := kept.figure("receipts", "from a submission to the agent elsewhere, durable")
	f.Peer, f.PeerIs, f.Goal = "without a store + 4 fsyncs", median(bare.wall)+4*median(syncs.wall), 1
	r.add(f)
	return nil
}

// agentSecret names the variable with the secret of the agent elsewhere.
const agentSecret = "AGENTFLOW_AGENT_BENCH"

func (h *hub) secret() string { return h.token + "-of-the-agent" }

// employ makes an agent elsewhere the one that the team's coordinator may command.
func (h *hub) employ(ctx context.Context, url string) error {
	var now struct{ BaseHash string }
	if err := h.call(ctx, http.MethodPost, "/api/gateway/config/get", map[string]any{}, &now); err != nil {
		return err
	}
	raw := fmt.Sprintf("agents:\n"+
		"  pm-1: {role: Coordinator, subagents: {allowAgents: [dev-1]}}\n"+ // it passes each task on
		"  dev-1: {role: Developer, url: %q, secretEnv: %s}\n", url, agentSecret)
	if err := h.call(ctx, http.MethodPost, "/api/gateway/config/apply", map[string]any{"baseHash": now.BaseHash, "reason": "bench", "raw": raw}, nil); err != nil {
		return err
	}
	var asked struct {
		Agents []struct {
			Agent string `json:"agent"`
			Hash  string `json:"hash"`
		} `json:"agents"`
	}
	if err := h.call(ctx, http.MethodGet, "/api/trust/local", nil, &asked); err != nil {
		return err
	}
	return h.call(ctx, http.MethodPost, "/api/trust/local/allow", asked, nil)
}

// finish reports a task as done, as the agent does.
func (h *hub) finish(ctx context.Context, id string) error {
	as := &hub{url: h.url, token: h.secret()}
	return as.call(ctx, http.MethodPost, "/tasks/"+id+"/result",
		map[string]any{"status": "completed", "result": map[string]string{"text": "done"}}, nil)
}
