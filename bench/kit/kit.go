// Package kit has a kit of one's own measure the hub beside peers and the machine's limit.
package kit

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
)

// Goals.
const (
	FanGoal   = 1.25 // 80 % of the limit's rate
	IdleLimit = 8    // KiB
	fanPeers  = 1. / 8
	storePeer = 1. / 10
	takePeer  = 1. / 4
	waitPeer  = 0.5
	besides   = 1 / 0.95
)

// Kit is a folder whose compare.sh takes AGENTFLOW_BIN, --quick, --only and --out, and writes
// a line of JSON for each measurement.
type Kit struct {
	Dir, Program, Results string
	Say                   io.Writer
}

// Measured is such a line.
type Measured struct {
	Metric, Server string
	OK             bool
	Error          string
	Deliveries     float64 `json:"deliv_s"`
	Messages       float64 `json:"msg_s"`
	Requests       float64 `json:"req_s"`
	P99            float64 `json:"p99_us"`
	Idle           float64 `json:"kib_per_conn"`
	Before         float64 `json:"before_msg_s"`
	During         float64 `json:"during_msg_s"`
	After          float64 `json:"after_msg_s"`
}

// Run measures everything, each metric for as many rounds as its time allows.
func Run(ctx context.Context, k Kit) ([]Measured, error) {
	var list []Measured
	for _, metric := range []string{"fan1000", "durable", "stuck", "submit"} {
		out := k.Results + "-" + metric + ".jsonl"
		cmd := exec.CommandContext(ctx, k.Dir+"/compare.sh", "--quick", "--only", metric, "--out", out)
		cmd.Env = append(os.Environ(), "AGENTFLOW_BIN="+k.Program)
		cmd.Stdout, cmd.Stderr = k.Say, k.Say
		failed := cmd.Run()
		data, err := os.ReadFile(out)
		if err != nil {
			return nil, errors.Join(failed, err)
		}
		if list, err = read(list, data); err != nil {
			return nil, errors.Join(failed, err) // else the lines say what could not be measured
		}
	}
	return list, nil
}

func read(list []Measured, data []byte) ([]Measured, error) {
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		var m Measured
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			return nil, fmt.Errorf("the kit's results cannot be read: %w", err)
		}
		list = append(list, m)
	}
	return list, nil
}

// Failed says what could not be measured.
func Failed(list []Measured) []error {
	var out []error
	for _, m := range list {
		if !m.OK {
			out = append(out, fmt.Errorf("%s of %s: %s", m.Metric, m.Server, m.Error))
		}
	}
	return out
}

// Comparison is the hub against a peer or a limit: less is better, Goal is the ratio at most.
type Comparison struct {
	Name, Peer, Unit string
	Own, Peers       []float64
	Goal             float64
}

const own = "agentflow"

// Compare makes comparisons of what was measured.
func Compare(list []Measured) []Comparison {
	of := func(metric, server string, value func(Measured) float64) (out []float64) {
		for _, m := range list {
			if v := value(m); m.OK && m.Metric == metric && m.Server == server && v > 0 {
				out = append(out, v)
			}
		}
		return out
	}
	var out []Comparison
	add := func(c Comparison) {
		if len(c.Own) > 0 && len(c.Peers) > 0 {
			out = append(out, c)
		}
	}
	for _, r := range []struct {
		metric, name string
		rate         func(Measured) float64 // a second
		limit, peers float64                // goals
	}{
		{"fan1000", "1,000 readers: 1,000 deliveries", func(m Measured) float64 { return m.Deliveries }, FanGoal, fanPeers},
		{"durable", "1,000 messages stored, then received by 100", func(m Measured) float64 { return m.Messages }, 0, storePeer},
		{"submit", "1,000 tasks taken", func(m Measured) float64 { return m.Requests }, 0, takePeer},
	} {
		needs := func(m Measured) float64 { // for a thousand, in ms
			if rate := r.rate(m); rate > 0 {
				return 1e6 / rate
			}
			return 0
		}
		c := Comparison{Name: r.name, Unit: "ms", Own: of(r.metric, own, needs)}
		c.Peer, c.Peers, c.Goal = "the machine's limit", of(r.metric, "limit", needs), r.limit
		add(c)
		c.Peer, c.Peers, c.Goal = "better of Node and FastAPI", better(of(r.metric, "node", needs), of(r.metric, "fastapi", needs)), r.peers
		add(c)
	}
	slowest := func(server string) []float64 {
		return of("submit", server, func(m Measured) float64 { return m.P99 / 1000 })
	}
	add(Comparison{
		Name: "… the slowest of a hundred, 32 at once", Peer: "better of Node and FastAPI", Unit: "ms", Goal: waitPeer,
		Own: slowest(own), Peers: better(slowest("node"), slowest("fastapi")),
	})
	add(Comparison{
		Name: "a message beside a reader that never reads", Peer: "without it", Unit: "ms", Goal: besides,
		Own:   of("stuck", own, func(m Measured) float64 { return 1000 / max(m.During, 1) }),
		Peers: of("stuck", own, func(m Measured) float64 { return 2000 / max(m.Before+m.After, 1) }),
	})
	add(Comparison{
		Name:  "memory of an idle connection",
		Peer:  "limit",
		Unit:  "KiB",
		Own:   of("idle", own, func(m Measured) float64 { return m.Idle }),
		Peers: []float64{IdleLimit},
		Goal:  1,
	})
	return out
}

// better is the peer that needs less, if there is one.
func better(a, b []float64) []float64 {
	if len(a) == 0 || len(b) > 0 && middle(b) < middle(a) {
		return b
	}
	return a
}

func middle(list []float64) float64 {
	return slices.Sorted(slices.Values(list))[len(list)/2]
}
