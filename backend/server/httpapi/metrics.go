package httpapi

import (
	"fmt"
	"maps"
	"net/http"
	"runtime"
	"slices"
	"strings"

	"agentflow/backend/base/errcode"
	"agentflow/backend/server/httperr"
)

// exposition writes measures in the text format of Prometheus, version 0.0.4.
type exposition struct{ strings.Builder }

func (e *exposition) measure(name, kind, help string, samples ...sample) {
	_, _ = fmt.Fprintf(e, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
	for _, s := range samples {
		e.WriteString(name)
		if s.label != "" {
			_, _ = fmt.Fprintf(e, "{%s=%q}", s.label, s.value)
		}
		_, _ = fmt.Fprintf(e, " %d\n", s.n)
	}
}

// sample is one number, told apart from the others of its measure by a label.
type sample struct {
	label, value string
	n            int64
}

func counted(label string, n map[string]int64) []sample {
	out := make([]sample, 0, len(n))
	for _, value := range slices.Sorted(maps.Keys(n)) {
		out = append(out, sample{label, value, n[value]})
	}
	return out
}

// serveMetrics tells how the hub stands, in numbers only: no names, no addresses.
func (s *Server) serveMetrics(w http.ResponseWriter, r *http.Request) {
	teams, err := s.summaries(r.Context())
	if err != nil {
		httperr.Write(w, errcode.From(err))
		return
	}
	var agents, changes, errors int64
	for _, d := range teams {
		agents, changes, errors = agents+int64(d.Agents), changes+int64(d.Changes), errors+int64(d.Errors)
	}
	gateways, applies := map[string]int64{}, map[string]int64{}
	for _, g := range s.Fleet.Gateways() {
		gateways[g.State]++
	}
	for _, a := range s.Rollout.Applies() {
		applies[string(a.State)]++
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	var e exposition
	e.measure("agentflow_build_info", "gauge", "The version that runs.", sample{"version", s.About.Version, 1})
	e.measure("agentflow_teams", "gauge", "Teams that are kept.", sample{n: int64(len(teams))})
	e.measure("agentflow_drawn_agents", "gauge", "Agents in all teams.", sample{n: agents})
	e.measure("agentflow_unapplied_changes", "gauge", "Changes in all teams that are not applied.",
		sample{n: changes})
	e.measure("agentflow_team_errors", "gauge", "Errors that the linter finds in all teams.", sample{n: errors})
	e.measure("agentflow_gateways", "gauge", "Gateways by how their link stands.", counted("state", gateways)...)
	e.measure(
		"agentflow_applies",
		"gauge",
		"Applies and rollbacks that are remembered, by how they stand.",
		counted("state", applies)...)
	e.measure("go_goroutines", "gauge", "Goroutines that run.", sample{n: int64(runtime.NumGoroutine())})
	e.measure("go_memstats_heap_alloc_bytes", "gauge", "Bytes of the heap in use.", sample{n: int64(min(memory.HeapAlloc, 1<<62))}) //nolint:gosec // it is bounded
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = w.Write([]byte(e.String()))
}
