package kit

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const results = `{"metric":"fan1000","server":"limit","ok":true,"deliv_s":1000000}
{"metric":"fan1000","server":"node","ok":true,"deliv_s":100000}
{"metric":"fan1000","server":"fastapi","ok":true,"deliv_s":50000}
{"metric":"fan1000","server":"agentflow","ok":true,"deliv_s":500000}
{"metric":"submit","server":"node","ok":true,"req_s":1000,"p99_us":30000}
{"metric":"submit","server":"fastapi","ok":true,"req_s":2000,"p99_us":40000}
{"metric":"submit","server":"agentflow","ok":true,"req_s":10000,"p99_us":12000}
{"metric":"idle","server":"agentflow","ok":true,"kib_per_conn":7.5}
{"metric":"stuck","server":"agentflow","ok":true,"before_msg_s":1000,"during_msg_s":800,"after_msg_s":1000}
{"metric":"durable","server":"agentflow","ok":false,"error":"the server ended at its start"}`

// A kit's results become comparisons, with what could not be measured named.
func TestCompare(t *testing.T) {
	list, err := read(nil, []byte(results))
	if err != nil {
		t.Fatal(err)
	}
	var got []Comparison
	for _, c := range Compare(list) {
		got = append(got, Comparison{Peer: c.Peer, Own: c.Own, Peers: c.Peers})
	}
	want := []Comparison{
		{Peer: "the machine's limit", Own: []float64{2}, Peers: []float64{1}},
		{Peer: "better of Node and FastAPI", Own: []float64{2}, Peers: []float64{10}},
		{Peer: "better of Node and FastAPI", Own: []float64{100}, Peers: []float64{500}},
		{Peer: "better of Node and FastAPI", Own: []float64{12}, Peers: []float64{30}},
		{Peer: "without it", Own: []float64{1.25}, Peers: []float64{1}},
		{Peer: "limit", Own: []float64{7.5}, Peers: []float64{8}},
	}
	if !slices.EqualFunc(got, want, func(a, b Comparison) bool {
		return a.Peer == b.Peer && slices.Equal(a.Own, b.Own) && slices.Equal(a.Peers, b.Peers)
	}) {
		t.Errorf("compared %+v, want %+v", got, want)
	}
	if failed := Failed(list); len(failed) != 1 || !strings.Contains(failed[0].Error(), "durable of agentflow: the server ended") {
		t.Errorf("failed: %v", failed)
	}
	if _, err := read(nil, []byte("{")); err == nil {
		t.Error("half a line was read")
	}
}

// A kit is run once per metric and gets the program's path. A kit that writes nothing is an error.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	script := "#!/bin/sh\nprintf '{\"metric\":\"%s\",\"server\":\"%s\",\"ok\":true}\\n' \"$3\" \"$AGENTFLOW_BIN\" >\"$5\"\n"
	if err := os.WriteFile(filepath.Join(dir, "compare.sh"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	list, err := Run(t.Context(), Kit{Dir: dir, Program: "hub", Results: filepath.Join(dir, "r"), Say: t.Output()})
	if err != nil || len(list) != 4 || list[0].Metric != "fan1000" || list[3].Server != "hub" {
		t.Errorf("ran %+v, %v", list, err)
	}
	if _, err := Run(t.Context(), Kit{Dir: t.TempDir(), Results: filepath.Join(dir, "none"), Say: t.Output()}); err == nil {
		t.Error("a kit that is not there has measured")
	}
}
