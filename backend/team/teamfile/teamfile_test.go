package teamfile

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/gatewayconfig"
	"agentflow/backend/team/topology"
)

const example = `# Our team.
agentflow: 1
name: Delivery team
base: {hash: "abc123", gateway: "ws://127.0.0.1:18789"}   # where it was read
agents:
  - id: pm-1
    name: PM
    role: Coordinator
    model: anthropic/claude-opus-4-6
    color: red   # ours
    persona: |
      You plan and delegate.
    tools: {allow: [read], sandbox: {mode: all}}
    connections:
      - {targetId: dev-1, type: command}   # whom
      - {targetId: dev-1, type: review, label: "look, again", since: 2024}

  # The developer.
  - id: dev-1
    name: "Dev"
    role: Developer
    model: ollama/qwen3
    temperature: 0.2
layout:
  pm-1: {x: 0, y: 0}
  dev-1: {x: 320, y: 0.5}
groups:
  - {id: g1, name: Core, color: 3, members: [pm-1, dev-1]}
notes:
  - {id: n1, text: "Hi", x: 1, y: 2}
later: {key: [1, two]}
`

func mustRead(t testing.TB, data []byte) File {
	t.Helper()
	f, err := Read(data, "team.agentflow.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestGW7_TeamFileIsReadWhole(t *testing.T) {
	f := mustRead(t, []byte(example))
	got, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"team":{"name":"Delivery team","agents":[{"id":"pm-1","name":"PM","role":"Coordinator","model":"anthropic/claude-opus-4-6",` +
		`"persona":"You plan and delegate.\n","tools":{"allow":["read"]},"connections":[{"targetId":"dev-1","type":"command"},` +
		`{"targetId":"dev-1","type":"review","label":"look, again","extra":{"since":2024}}],"extra":{"color":"red","tools":{"sandbox":{"mode":"all"}}}},` +
		`{"id":"dev-1","name":"Dev","role":"Developer","model":"ollama/qwen3","temperature":0.2}],` +
		`"layout":{"dev-1":{"x":320,"y":0.5},"pm-1":{"x":0,"y":0}},"groups":[{"id":"g1","name":"Core","color":3,"members":["pm-1","dev-1"]}],` +
		`"notes":[{"id":"n1","text":"Hi","x":1,"y":2}],"extra":{"later":{"key":[1,"two"]}}},` +
		`"base":{"hash":"abc123","gateway":"ws://127.0.0.1:18789"},"unknown":[{"path":"agents.pm-1.color","line":10},` +
		`{"path":"agents.pm-1.tools.sandbox","line":13},{"path":"later","line":31}],"format":"agentflow"}`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if f.Lines["dev-1"] != 19 {
		t.Error(f.Lines)
	}
}

// TestGW7_TeamFileIsEditedInPlace: one edit each, and the lines that differ.
func TestGW7_TeamFileIsEditedInPlace(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(*topology.Topology, **Base)
		diff   string
	}{
		"nothing": {func(*topology.Topology, **Base) {}, ""},
		"base":    {func(_ *topology.Topology, b **Base) { *b = &Base{"def", "ws://127.0.0.1:18789"} }, `-base: {hash: "abc123", gateway: "ws://127.0.0.1:18789"}   # where it was read +base: {hash: "def", gateway: "ws://127.0.0.1:18789"}   # where it was read`},
		"no base": {func(_ *topology.Topology, b **Base) { *b = nil }, `-base: {hash: "abc123", gateway: "ws://127.0.0.1:18789"}   # where it was read`},
		"model":   {func(d *topology.Topology, _ **Base) { d.Agents[1].Model = "a/b" }, "-    model: ollama/qwen3 +    model: a/b"},
		"persona": {func(d *topology.Topology, _ **Base) { d.Agents[1].Persona = "You code.\nWell.\n" },
			"+    persona: | +      You code. +      Well."},
		"fallbacks": {func(d *topology.Topology, _ **Base) { d.Agents[0].Fallbacks = []string{"x/y"} }, "+    fallbacks: [x/y]"},
		"tools": {func(d *topology.Topology, _ **Base) { d.Agents[0].Tools = &topology.Tools{Deny: []string{"exec"}} },
			"-    tools: {allow: [read], sandbox: {mode: all}} +    tools: {sandbox: {mode: all}, deny: [exec]}"},
		"connect": {func(d *topology.Topology, _ **Base) {
			d.Agents[1].Connections = []topology.Connection{{TargetID: "pm-1", Type: topology.Communication}}
		}, "+    connections: +      - {targetId: pm-1, type: communication}"},
		"disconnect": {func(d *topology.Topology, _ **Base) { d.Agents[0].Connections = d.Agents[0].Connections[1:] }, "-      - {targetId: dev-1, type: command}   # whom"},
		"move":       {func(d *topology.Topology, _ **Base) { d.Layout["dev-1"] = topology.Point{X: 320, Y: 8} }, "-  dev-1: {x: 320, y: 0.5} +  dev-1: {x: 320, y: 8}"},
		"note": {func(d *topology.Topology, _ **Base) {
			d.Notes = append(d.Notes, topology.Note{ID: "n2", Text: "Two\nlines"})
		}, "+  - id: n2 +    text: |- +      Two +      lines +    x: 0 +    y: 0"},
		"lock": {func(d *topology.Topology, _ **Base) { d.Layout["pm-1"] = topology.Point{Locked: true} }, "-  pm-1: {x: 0, y: 0} +  pm-1: {x: 0, y: 0, locked: true}"},
		"group": {func(d *topology.Topology, _ **Base) { d.Groups[0].Locked, d.Groups[0].Collapsed = true, true },
			"-  - {id: g1, name: Core, color: 3, members: [pm-1, dev-1]} +  - id: g1 +    name: Core +    color: 3 +    members: [pm-1, dev-1] +    collapsed: true +    locked: true"},
		"color": {func(d *topology.Topology, _ **Base) { d.Notes[0].Color, d.Notes[0].Locked = 4, true }, `-  - {id: n1, text: "Hi", x: 1, y: 2} +  - id: n1 +    text: Hi +    x: 1 +    y: 2 +    color: 4 +    locked: true`},
		"remove": {func(d *topology.Topology, _ **Base) { d.Agents = d.Agents[:1] },
			`-  - id: dev-1 -    name: "Dev" -    role: Developer -    model: ollama/qwen3 -    temperature: 0.2`},
		"add in front": {func(d *topology.Topology, _ **Base) {
			d.Agents = slices.Insert(d.Agents, 0, topology.Agent{ID: "qa", AllowAny: true})
		}, "+  - id: qa +    allowAny: true"},
		"unknown": {func(d *topology.Topology, _ **Base) {
			d.Agents[0].Extra[0].Value = json.RawMessage(`"blue"`)
			d.Agents[1].Extra = topology.Extra{{Key: "heartbeat", Value: json.RawMessage(`{"every":"1h"}`)}}
		}, "-    color: red   # ours +    color: blue   # ours +    heartbeat: +      every: 1h"},
	} {
		t.Run(name, func(t *testing.T) {
			f := mustRead(t, []byte(example))
			tc.change(&f.Team, &f.Base)
			out, losses, err := Write([]byte(example), &f.Team, f.Base)
			if err != nil || len(losses) != 0 {
				t.Fatal(err, losses)
			}
			if got := lineDiff(example, string(out)); got != tc.diff {
				t.Errorf("got  %s\nwant %s\n%s", got, tc.diff, out)
			}
			if again := mustRead(t, out); !again.Team.Equal(&f.Team) {
				t.Errorf("reads as %+v", again.Team)
			}
		})
	}
}

// lineDiff names the lines that went and came, in order.
func lineDiff(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for len(x) > 0 && len(y) > 0 && x[0] == y[0] {
		x, y = x[1:], y[1:]
	}
	for len(x) > 0 && len(y) > 0 && x[len(x)-1] == y[len(y)-1] {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	var out []string
	for _, l := range x {
		if i := slices.Index(y, l); i >= 0 {
			for _, n := range y[:i] {
				out = append(out, "+"+n)
			}
			y = y[i+1:]
			continue
		}
		out = append(out, "-"+l)
		if len(y) > 0 && !slices.Contains(x, y[0]) {
			out, y = append(out, "+"+y[0]), y[1:]
		}
	}
	for _, n := range y {
		out = append(out, "+"+n)
	}
	return strings.Join(out, " ")
}

func TestTeamFileReorderKeepsEachAgentsText(t *testing.T) {
	f := mustRead(t, []byte(example))
	f.Team.Agents[0], f.Team.Agents[1] = f.Team.Agents[1], f.Team.Agents[0]
	out, _, err := Write([]byte(example), &f.Team, f.Base)
	if err != nil {
		t.Fatal(err)
	}
	if again := mustRead(t, out); !again.Team.Equal(&f.Team) {
		t.Errorf("%s", out)
	}
	for _, want := range []string{"# Our team.", "# ours", "# whom", "# The developer.", "# where it was read", `name: "Dev"`} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%q is lost:\n%s", want, out)
		}
	}
}

func TestTeamFileFresh(t *testing.T) {
	f := mustRead(t, []byte(example))
	out, _, err := Write(nil, &f.Team, f.Base)
	if err != nil {
		t.Fatal(err)
	}
	want := `agentflow: 1
name: Delivery team
base: {hash: abc123, gateway: 'ws://127.0.0.1:18789'}
agents:
  - id: pm-1
    name: PM
    role: Coordinator
    model: anthropic/claude-opus-4-6
    persona: |
      You plan and delegate.
    tools: {allow: [read], sandbox: {mode: all}}
    color: red
    connections:
      - {targetId: dev-1, type: command}
      - {targetId: dev-1, type: review, label: 'look, again', since: 2024}
  - id: dev-1
    name: Dev
    role: Developer
    model: ollama/qwen3
    temperature: 0.2
layout:
  pm-1: {x: 0, y: 0}
  dev-1: {x: 320, y: 0.5}
groups:
  - id: g1
    name: Core
    color: 3
    members: [pm-1, dev-1]
notes:
  - id: n1
    text: Hi
    x: 1
    y: 2
later:
  key: [1, two]
`
	if string(out) != want {
		t.Errorf("got\n%s", out)
	}
	if again := mustRead(t, out); !again.Team.Equal(&f.Team) || *again.Base != *f.Base {
		t.Errorf("reads as %+v", again.Team)
	}
}

func TestFilesNameTheLineOfWhatIsWrong(t *testing.T) {
	for name, tc := range map[string]struct {
		text string
		line int
		want string
	}{
		"version":          {"agentflow: 2\n", 1, "agentflow must be 1"},
		"agents as map":    {"agentflow: 1\nagents: {a: {}}\n", 2, "must be a list"},
		"no id":            {"agentflow: 1\nagents:\n- {name: x}\n", 3, "no id"},
		"double id":        {"agentflow: 1\nagents:\n- {id: x}\n- {id: x}\n", 4, "line 3 and in line 4"},
		"text for number":  {"agentflow: 1\nagents:\n- id: x\n  temperature: warm\n", 4, "number"},
		"half connection":  {"agentflow: 1\nagents:\n- id: x\n  connections:\n  - {targetId: y}\n", 5, "needs targetId and type"},
		"list for text":    {"agentflow: 1\nname: [a]\n", 2, "name must be a text"},
		"place":            {"agentflow: 1\nlayout:\n  a: {x: left}\n", 3, "x must be a number"},
		"no first key":     {"agents:\n- {id: x}\n", 1, "agentflow: 1"},
		"nothing known":    {"hello: 1\n", 1, "not a team"},
		"rooms, no name":   {"agents:\n- {model: x}\n", 2, "no name"},
		"config, doubles":  {"agents:\n  list:\n  - id: a\n  - id: b\n  - id: a\n    name: other\n", 5, "used twice"},
		"rooms, doubles":   {"agents:\n- {name: x}\n- {name: x}\n", 3, "used twice"},
		"secret of caller": {"agent: {name: a}\ncallers:\n- {name: b, secret: xyz}\n", 3, "secretEnv"},
		"secret of target": {"agent:\n  name: a\n  targetAgents:\n  - {name: b, secret: xyz}\n", 4, "secretEnv"},
		"syntax":           {"agentflow: 1\nagents: [a\nb: c\n", 2, "not YAML"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Read([]byte(tc.text), "f.yaml")
			if !errcode.Is(err, errcode.Validation) {
				t.Fatal(err)
			}
			e := errcode.From(err)
			if e.Details[errcode.KeyLine] != tc.line || e.Details[errcode.KeyFile] != "f.yaml" || !strings.Contains(e.Message, tc.want) {
				t.Errorf("%s %v", e.Message, e.Details)
			}
		})
	}
}

// TestSecretsInClearAreNotWritten but for one that the file had already.
func TestSecretsInClearAreNotWritten(t *testing.T) {
	const had = "agentflow: 1\nagents:\n  - id: a\n    apiKey: sk-old-0123456789abcdef\n"
	f := mustRead(t, []byte(had))
	f.Team.Agents[0].Extra = append(f.Team.Agents[0].Extra,
		topology.Field{Key: "memory", Value: json.RawMessage(`{"dir":"/m","token":"hunter2","keys":["sk-new-0123456789abcdef"],"tokenEnv":"T","maxTokens":5}`)})
	out, losses, err := Write([]byte(had), &f.Team, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s := string(out); !strings.HasPrefix(s, had) || strings.Contains(s, "hunter2") || strings.Contains(s, "sk-new") || !strings.Contains(s, "tokenEnv: T") {
		t.Error(s)
	}
	if len(losses) != 2 || losses[0].Field != "memory.token" || losses[0].Reason != gatewayconfig.LossSecret || strings.Contains(losses[0].Message, "hunter2") {
		t.Errorf("%+v", losses)
	}
	fresh, losses, err := Write(nil, &f.Team, nil)
	if err != nil || strings.Contains(string(fresh), "sk-old") || len(losses) != 3 {
		t.Errorf("%s %v %v", fresh, losses, err)
	}
}

// BenchmarkYAMLToTopology10k goal: at most 1.2 times BenchmarkBareYAML10k.
func BenchmarkYAMLToTopology10k(b *testing.B) {
	text := bigTeam(10_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		f, err := Read(text, "big.yaml")
		if err != nil || len(f.Team.Agents) != 10_000 {
			b.Fatal(err)
		}
	}
}

// BenchmarkBareYAML10k is what the YAML library takes for the same bytes.
func BenchmarkBareYAML10k(b *testing.B) {
	text := bigTeam(10_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		var n yaml.Node
		if err := yaml.Unmarshal(text, &n); err != nil {
			b.Fatal(err)
		}
	}
}

func bigTeam(n int) []byte {
	var b strings.Builder
	b.WriteString("agentflow: 1\nagents:\n")
	for i := range n {
		fmt.Fprintf(&b, "  - id: agent-%d\n    name: Agent %d\n    role: Developer\n    model: ollama/qwen3\n    persona: |\n      You are number %d.\n      You work.\n    connections:\n", i, i, i)
		fmt.Fprintf(&b, "      - {targetId: agent-%d, type: command}\n      - {targetId: agent-%d, type: review}\n", (i+1)%n, (i+7)%n)
	}
	b.WriteString("layout:\n")
	for i := range n {
		fmt.Fprintf(&b, "  agent-%d: {x: %d, y: %d}\n", i, i%100*200, i/100*100)
	}
	return []byte(b.String())
}

// GW-7: a file that is nothing like a team has another reason than a team with a mistake.
func TestGW7_WhatIsNotATeam(t *testing.T) {
	for file, data := range map[string]string{
		"photo.png": "\x89PNG\r\n\x1a\n\x00\x00", "list.csv": "a,b\n1,2\n", "other.yaml": "a: 1\n",
	} {
		if _, err := Detect([]byte(data), file); !errcode.HasReason(err, ReasonNotATeam) {
			t.Errorf("%s: %v", file, err)
		}
	}
	if _, err := Detect([]byte("agentflow: [\n"), "broken.yaml"); err == nil || errcode.HasReason(err, ReasonNotATeam) {
		t.Errorf("a mistake: %v", err)
	}
}
