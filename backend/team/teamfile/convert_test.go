package teamfile

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/gatewayconfig"
	"agentflow/backend/team/topology"
)

const roomsYML = `# rooms
agents:
  - name: Planner
    model: gpt-5
    persona: You plan.
    tools: [llm-code]
    temperature: 0.7
    max_tokens: 500
    options: {google_search: 1}
  - name: 調査役
    model: demo/echo
    persona: |
      調べます。
common_settings: {chat_history_limit: 20, response_delay_ms: 500}
`

const processYAML = `agent:
  name: developer-1
  role: Coordinator
  description: Writes Go
  model: ollama/qwen3
  persona: You write small, tested changes.
  targetAgents: [{name: reviewer-1, url: "http://192.0.2.7:8002", secretEnv: REVIEWER_SECRET}]
  mcpPolicy: {default: ask}
  security: {allowedPaths: [/srv/project]}
callers:
  - {name: coordinator-1, role: Coordinator, secretEnv: AGENTFLOW_COORDINATOR_SECRET}
`

const listJSON5 = `{
  // the gateway's own file
  gateway: {port: 18789},
  agents: {
    defaults: {model: {primary: "x/y"}},
    list: [{id: "main", default: true, subagents: {allowAgents: ["dev"]}}, {id: "dev", sandbox: {mode: "off"},},],
  },
}`

func TestDetect(t *testing.T) {
	for text, want := range map[string]Format{
		example: AgentFlow, roomsYML: AgentsYML, processYAML: AgentConfig, listJSON5: OpenClawList,
		`{"agents":{"entries":{}}}`: OpenClawEntries, "agents:\n  a: {name: x}\n": OpenClawMap, `{"agents":{"defaults":{}}}`: OpenClawEntries,
	} {
		if got, err := Detect([]byte(text), "-"); err != nil || got != want {
			t.Errorf("%q: %v %v", text, got, err)
		}
	}
}

func losses(ls []gatewayconfig.Loss) string {
	var out []string
	for _, l := range ls {
		out = append(
			out,
			strings.Join(
				slices.DeleteFunc(
					[]string{string(l.Agent), l.Field, string(l.Kind), l.Reason},
					func(s string) bool { return s == "" },
				),
				".",
			),
		)
	}
	return strings.Join(out, " ")
}

// TestCH4_RoomsFileKeepsEverything: to a team file and back.
func TestCH4_RoomsFileKeepsEverything(t *testing.T) {
	team, lost, err := Convert([]byte(roomsYML), AgentFlow, Options{File: "agents.yml"})
	if err != nil || len(lost) > 0 {
		t.Fatal(err, lost)
	}
	f := mustRead(t, team)
	a := f.Team.Agents[0]
	if a.ID != "planner" || *a.MaxTokens != 500 || *a.Temperature != 0.7 || a.Tools.Allow[0] != "llm-code" || f.Team.Agents[1].ID != "agent-1" || f.Team.Agents[1].Name != "調査役" {
		t.Errorf("%s", team)
	}
	back, lost, err := Convert(team, AgentsYML, Options{})
	if err != nil || len(lost) > 0 {
		t.Fatal(err, lost)
	}
	was, now := mustRead(t, []byte(roomsYML)), mustRead(t, back)
	if !was.Team.Equal(&now.Team) {
		t.Errorf("%s", back)
	}
}

func TestProcessFileKeepsEverything(t *testing.T) {
	f := mustRead(t, []byte(processYAML))
	if len(f.Team.Agents) != 2 || f.Team.Agents[1].URL != "http://192.0.2.7:8002" || !f.Team.Agents[0].Connections[0].Equal(topology.Connection{TargetID: "reviewer-1", Type: topology.Command}) {
		t.Fatalf("%+v", f.Team)
	}
	if len(f.Unknown) != 0 {
		t.Error(f.Unknown)
	}
	team, lost, err := Convert([]byte(processYAML), AgentFlow, Options{File: "agent-config.yaml"})
	if err != nil || len(lost) > 0 {
		t.Fatal(err, lost)
	}
	back, lost, err := Convert(team, AgentConfig, Options{})
	if err != nil || len(lost) > 0 {
		t.Fatal(err, lost)
	}
	if now := mustRead(t, back); !f.Team.Equal(&now.Team) {
		t.Errorf("%s", back)
	}
	if _, _, err := Convert([]byte(example), AgentConfig, Options{}); !errcode.Is(err, errcode.Validation) {
		t.Error("two agents are here; one must be named", err)
	}
	if _, _, err := Convert([]byte(example), AgentConfig, Options{Agent: "nobody"}); !errcode.Is(err, errcode.NotFound) {
		t.Error(err)
	}
}

func TestConvertNamesWhatIsLost(t *testing.T) {
	for to, want := range map[Format]string{
		OpenClawMap:     "pm-1.tools.no_place pm-1.role.no_place",
		OpenClawEntries: "pm-1.role.no_place",
		AgentsYML:       "pm-1.color.no_place pm-1.tools.no_place pm-1.role.no_place pm-1.connections.command.no_place pm-1.connections.review.no_place dev-1.role.no_place later.no_place name.no_place layout.no_place groups.no_place notes.no_place",
	} {
		_, lost, err := Convert([]byte(example), to, Options{File: "t.yaml"})
		if err != nil {
			t.Fatal(err)
		}
		for w := range strings.SplitSeq(want, " ") {
			if !slices.Contains(strings.Split(losses(lost), " "), w) {
				t.Errorf("%s: %s lacks %s", to, losses(lost), w)
			}
		}
	}
	if _, _, err := Convert([]byte(example), "toml", Options{}); !errcode.Is(err, errcode.Validation) {
		t.Error(err)
	}
}

// TestGW7_OneShapeToAnotherKeepsTheConfig: the rest of the config comes along.
func TestGW7_OneShapeToAnotherKeepsTheConfig(t *testing.T) {
	out, _, err := Convert([]byte(listJSON5), OpenClawEntries, Options{File: "openclaw.json"})
	if err != nil {
		t.Fatal(err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, out); err != nil {
		t.Fatal(err)
	}
	want := `{"gateway":{"port":18789},"agents":{"defaults":{"model":{"primary":"x/y"}},"entries":{"main":{"subagents":{"allowAgents":["dev"]},"default":true},"dev":{"sandbox":{"mode":"off"}}}}}`
	if got := strings.TrimSpace(compact.String()); got != want {
		t.Errorf("got\n%s", got)
	}
	back, _, err := Convert(out, OpenClawList, Options{})
	if err != nil {
		t.Fatal(err)
	}
	was, now := mustReadAs(t, listJSON5), mustReadAs(t, string(back))
	if !was.Team.Equal(&now.Team) {
		t.Errorf("%s", back)
	}
	text, _, err := Convert([]byte(listJSON5), OpenClawMap, Options{File: "openclaw.json", Home: "/home/u"})
	if err != nil || !strings.Contains(string(text), "workspace: /home/u/.openclaw/workspace-dev") {
		t.Errorf("%s %v", text, err)
	}
}

func mustReadAs(t *testing.T, text string) File {
	t.Helper()
	f, err := Read([]byte(text), "openclaw.json")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// FuzzTeamFile: no file makes Read panic; writing what was read changes no byte; a
// fresh file reads as the same team.
func FuzzTeamFile(f *testing.F) {
	for _, s := range []string{example, roomsYML, processYAML, listJSON5} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 4096 {
			return
		}
		file, err := Read(text, "")
		if err != nil {
			if errcode.From(err).Code != errcode.Validation {
				t.Fatal(err)
			}
			return
		}
		if file.Format == AgentFlow {
			same, _, err := Write(text, &file.Team, file.Base)
			if err != nil || !bytes.Equal(same, text) {
				t.Fatalf("%v %q became %q", err, text, same)
			}
		}
		out, lost, err := Write(nil, &file.Team, file.Base)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Read(out, "")
		known := file.Format == AgentFlow // in another format, an unknown key may be one that the team file knows
		if err != nil || known && len(lost) == 0 && !again.Team.Equal(&file.Team) {
			t.Fatalf("%v\n%q became %q", err, text, out)
		}
		for _, to := range Formats() {
			if _, _, err := Convert(text, to, Options{Home: "/h"}); err != nil && !errcode.Is(err, errcode.Validation) {
				t.Fatalf("%s %v", to, err)
			}
		}
	})
}
