package openclaw

import (
	"fmt"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"agentflow/backend/base/docedit"
)

func bigConfig(n int) []byte {
	var b strings.Builder
	b.WriteString("gateway: {port: 18789}\nagents:\n")
	for i := range n {
		fmt.Fprintf(&b, "  agent-%d:\n    name: Agent %d # number %d\n    model: ollama/qwen3\n    workspace: /home/user/.openclaw/workspace-agent-%d\n", i, i, i, i)
		fmt.Fprintf(&b, "    subagents:\n      allowAgents: [agent-%d, agent-%d, agent-%d]\n    sandbox: {mode: all, scope: session}\n", (i+1)%n, (i+7)%n, (i+31)%n)
	}
	return []byte(b.String())
}

// BenchmarkBareYAML10k is what the YAML library takes for the same bytes.
func BenchmarkBareYAML10k(b *testing.B) {
	text := bigConfig(10_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		var n yaml.Node
		if err := yaml.Unmarshal(text, &n); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkYAMLToTopology10k goal: at most 1.2 times BenchmarkBareYAML10k.
func BenchmarkYAMLToTopology10k(b *testing.B) {
	text := bigConfig(10_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		doc, err := docedit.Parse(text, "")
		if err != nil {
			b.Fatal(err)
		}
		r, err := Read(doc)
		if err != nil || len(r.Topology.Agents) != 10_000 {
			b.Fatal(err)
		}
	}
}

// BenchmarkWriteOne10k changes one agent among 10,000.
func BenchmarkWriteOne10k(b *testing.B) {
	doc, err := docedit.Parse(bigConfig(10_000), "")
	if err != nil {
		b.Fatal(err)
	}
	r, err := Read(doc)
	if err != nil {
		b.Fatal(err)
	}
	draft := r.Topology.Clone()
	draft.Agents[5000].Name = "Changed"
	for b.Loop() {
		if _, _, err := Write(doc, &r.Topology, draft, Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}
