package lint

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"agentflow/backend/team/gatewayschema"
	"agentflow/backend/team/topology"
)

func agent(id, name, model string, connections ...topology.Connection) topology.Agent {
	return topology.Agent{ID: topology.AgentID(id), Name: name, Model: model, Connections: connections}
}

func command(target string) topology.Connection {
	return topology.Connection{TargetID: topology.AgentID(target), Type: topology.Command}
}

func team(agents ...topology.Agent) *topology.Topology { return &topology.Topology{Agents: agents} }

// chain makes agents a, b, c … from lines such as "a: b c".
func chain(lines ...string) *topology.Topology {
	t := &topology.Topology{}
	for _, l := range lines {
		id, targets, _ := strings.Cut(l, ":")
		a := agent(id, "Agent "+id, "m")
		for _, target := range strings.Fields(targets) {
			if target == "*" {
				a.AllowAny = true
				continue
			}
			a.Connections = append(a.Connections, command(target))
		}
		t.Agents = append(t.Agents, a)
	}
	return t
}

func found(t *topology.Topology, rules Rules) []string {
	list := []string{}
	for _, p := range Check(t, rules) {
		s := p.Code
		for _, part := range []string{string(p.Agent), string(p.Target), p.Field} {
			if part != "" {
				s += " " + part
			}
		}
		list = append(list, s)
	}
	return list
}

func extra(raw string) topology.Extra {
	var e topology.Extra
	if err := json.Unmarshal([]byte(raw), &e); err != nil {
		panic(err)
	}
	return e
}

func TestCheck(t *testing.T) {
	key := "sk-proj-" + strings.Repeat("a1B2", 6)
	cases := []struct {
		name  string
		team  *topology.Topology
		rules Rules
		want  []string
	}{
		{"no team", nil, Rules{}, nil},
		{"sound", chain("a: b", "b:"), Rules{IDPattern: NewestIDs, Models: []string{"m"}}, nil},
		{"unknown target", chain("a: ghost"), Rules{}, []string{"unknown_target a ghost"}},
		{"duplicate id", chain("a: b", "b:", "b:"), Rules{}, []string{"duplicate_id b id"}},
		{"missing id", team(agent("", "X", "m")), Rules{}, []string{"missing_id id"}},
		{
			"bad ids",
			chain("a: Bad -x ü "+strings.Repeat("y", 65), "Bad:", "-x:", "ü:", strings.Repeat("y", 65)+":"),
			Rules{IDPattern: NewestIDs},
			[]string{"bad_id Bad id", "bad_id -x id", "bad_id ü id", "bad_id " + strings.Repeat("y", 65) + " id"},
		},
		{"any id but paths, older gateway", chain("a: Bad b/c", "Bad:", "b/c:"), Rules{}, []string{"bad_id b/c id"}},
		{"no model", team(agent("a", "A", "")), Rules{}, []string{"missing_model a model"}},
		{"default model", team(agent("a", "A", "")), Rules{DefaultModel: "x/y"}, nil},
		{"model elsewhere", team(topology.Agent{ID: "a", Name: "A", URL: "http://192.0.2.7:8000"}), Rules{Models: []string{}}, nil},
		{"unknown model", team(agent("a", "A", "p/x")), Rules{Models: []string{"p/y"}}, []string{"unknown_model a model"}},
		{"bare model", team(agent("a", "A", "y"), agent("b", "B", "p/z")), Rules{Models: []string{"p/y", "z"}, DefaultProvider: "p"}, nil},
		{"fallback", team(topology.Agent{ID: "a", Name: "A", Model: "m", Fallbacks: []string{"m", "n"}}), Rules{Models: []string{"m"}}, []string{"unknown_model a fallbacks"}},
		{"model of a default provider", team(agent("a", "A", "y")), Rules{Models: []string{"p/y"}}, nil},
		{"no such provider", team(agent("a", "A", "nope/x"), topology.Agent{ID: "b", Name: "B", Model: "y", Fallbacks: []string{"p/y", "no/y"}}),
			Rules{Providers: []string{"p"}, DefaultProvider: "p"}, []string{"unknown_provider a model", "unknown_provider b fallbacks"}},
		{"half a model's name", team(agent("a", "A", "p/mo"), agent("b", "B", "mo")),
			Rules{Offered: map[string][]string{"p": {"model"}}, DefaultProvider: "p"},
			[]string{"unoffered_model a model", "unoffered_model b model"}},
		{
			"listed, and providers that list nothing",
			team(agent("a", "A", "p/model"), agent("b", "B", "q/any"), agent("c", "C", "r/any")),
			Rules{Offered: map[string][]string{"p": {"model"}, "q": {}}, DefaultProvider: "p"},
			nil,
		},
		{"no name", team(agent("a", " ", "m")), Rules{}, []string{"empty_name a name"}},
		{"the same name", team(agent("a", "Ann", "m"), agent("b", "Ann ", "m"), agent("c", "Cleo", "m"),
			agent("d", "", "m"), agent("e", "", "m")), Rules{},
			[]string{"duplicate_name b name", "empty_name d name", "empty_name e name"}},
		{"to itself", chain("a: a"), Rules{}, []string{"self_connection a a"}},
		{"twice", chain("a: b b", "b:"), Rules{}, []string{"duplicate_connection a b"}},
		{"secret in extra", team(topology.Agent{ID: "a", Name: "A", Model: "m", Extra: extra(`{"tools":{"env":{"GH_TOKEN":"abc"}}}`)}), Rules{},
			[]string{"secret_in_clear a extra.tools.env.GH_TOKEN"}},
		{"secret in persona", team(topology.Agent{ID: "a", Name: "A", Model: "m", Persona: "Use " + key + "."}), Rules{}, []string{"secret_in_clear a persona"}},
		{"secret for the name of a variable", team(topology.Agent{ID: "a", Name: "A", Model: "m", SecretEnv: "hunter-2!"}), Rules{}, []string{"secret_in_clear a secretEnv"}},
		{"groups", &topology.Topology{Agents: chain("a:").Agents, Groups: []topology.Group{{ID: "in", Parent: "g", Members: []topology.AgentID{"a"}}, {ID: "g"}, {ID: "h", Members: []topology.AgentID{"ghost"}}}},
			Rules{}, []string{"unknown_member ghost members", "empty_group"}},
		{"secret in a note", &topology.Topology{Notes: []topology.Note{{ID: "n", Text: key}}, Agents: chain("a:").Agents}, Rules{}, []string{"secret_in_clear text"}},
		{"unknown keys", &topology.Topology{Extra: extra(`{"x":1}`), Agents: []topology.Agent{{ID: "a", Name: "A", Model: "m", Extra: extra(`{"sandbox":1,"sandbx":2}`)}}},
			Rules{KnownKeys: []string{"sandbox"}}, []string{"unknown_key a extra.sandbx", "unknown_key extra.x"}},
		{"keys not checked", team(topology.Agent{ID: "a", Name: "A", Model: "m", Extra: extra(`{"sandbx":2}`)}), Rules{}, nil},
		{"ownership", chain("a: b", "b:"), Rules{NeedsOwnership: true}, []string{"ownership"}},
		{"ownership of one", chain("a:"), Rules{NeedsOwnership: true}, nil},
		{"dropped", chain("a:"), Rules{RosterGuard: true, BaseAgents: []topology.AgentID{"a", "b", "main"}},
			[]string{"dropped_agents"}},
		{"dropped, no guard", chain("a:"), Rules{BaseAgents: []topology.AgentID{"b"}}, nil},
		{"workspaces", team(
			topology.Agent{ID: "a", Name: "A", Model: "m", Workspace: "~/w/"}, topology.Agent{ID: "b", Name: "B", Model: "m", Workspace: "$HOME/x/../w"},
			topology.Agent{ID: "c", Name: "C", Model: "m", Workspace: "~/w", URL: "http://192.0.2.7"}, topology.Agent{ID: "d", Name: "D", Model: "m"},
			topology.Agent{ID: "e", Name: "E", Model: "m", Workspace: "~/.openclaw/workspace-d"}, topology.Agent{ID: "f", Name: "F", Model: "m"}),
			Rules{}, []string{"shared_workspace b workspace", "shared_workspace e workspace"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := found(c.team, c.rules); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestUnreachable(t *testing.T) {
	cases := []struct {
		name string
		team *topology.Topology
		want []string
	}{
		{"no chain of command", chain("a:", "b:"), nil},
		{"left out", chain("a: b", "b:", "c:"), []string{"unreachable_agent c"}},
		{"everybody", chain("a: *", "b:", "c:"), nil},
		{"everybody but oneself", chain("a:", "b:", "c: *"), []string{"unreachable_agent c"}},
	}
	for _, c := range cases {
		if got := found(c.team, Rules{}); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	lead := chain("a: b", "b:", "c:", "d:", "e:", "f:")
	lead.Agents[2].Role = "coordinator"
	lead.Agents[3].Extra = extra(`{"default":true}`)
	lead.Agents[4].Connections = []topology.Connection{{TargetID: "b", Type: topology.Review}}
	lead.Agents[1].Connections = []topology.Connection{{TargetID: "f", Type: topology.Communication}}
	if got := found(lead, Rules{}); len(got) > 0 {
		t.Errorf("entries and those who hear of work otherwise: %q", got)
	}
}

// A circle costs money for a night; each is shown once, by a shortest one.
func TestDelegationCycle(t *testing.T) {
	cases := []struct {
		name string
		team *topology.Topology
		want []string
	}{
		{"none", chain("a: b c", "b: c", "c:"), nil},
		{"two", chain("a: b", "b: a"), []string{"a b"}},
		{"three", chain("a: b", "b: c", "c: a"), []string{"a b c"}},
		{"shortest of a knot", chain("a: b", "b: c", "c: d", "d: a c"), []string{"c d"}},
		{"two knots", chain("a: b", "b: a", "c: d", "d: e", "e: c"), []string{"a b", "c d e"}},
		{"by everybody", chain("a: *", "b: a"), []string{"a b"}},
		{"all command everybody", chain("a: *", "b: *", "c: *"), []string{"a b"}},
		{"everybody, but nobody back", chain("a: *", "b:"), nil},
		{"itself is none", chain("a: a"), nil},
	}
	for _, c := range cases {
		var got []string
		for _, p := range Check(c.team, Rules{}) {
			if p.Code == DelegationCycle {
				path := ""
				for _, id := range p.Path {
					path += " " + string(id)
				}
				got = append(got, strings.TrimSpace(path))
				if !strings.Contains(p.Message, " → Agent ") {
					t.Errorf("%s: %s", c.name, p.Message)
				}
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestSecretKeys(t *testing.T) {
	raw, err := os.ReadFile("testdata/secrets.json") // the page's clipboard is tested with the same
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{16, 30} { // "<16>" stands for as many characters, so that no scanner takes the file for a leak
		raw = bytes.ReplaceAll(raw, fmt.Appendf(nil, "<%d>", n), bytes.Repeat([]byte("a1"), n/2))
	}
	var cases []struct {
		Secret bool
		Extra  json.RawMessage
	}
	if err := json.Unmarshal(raw, &cases); err != nil || len(cases) < 25 {
		t.Fatalf("%d cases: %v", len(cases), err)
	}
	for _, c := range cases {
		a := agent("a", "A", "m")
		a.Extra = extra(string(c.Extra))
		got := found(team(a), Rules{})
		if (len(got) == 1) != c.Secret || len(got) > 1 {
			t.Errorf("%s: %q, want %v", c.Extra, got, c.Secret)
		}
	}
}

// Secrets never appear in what is shown or logged.
func TestSecretIsNotRepeated(t *testing.T) {
	secret := "ghp_" + strings.Repeat("x9", 20)
	a := agent("a", "A", "m")
	a.Persona, a.Extra = secret, extra(`{"token":"`+secret+`"}`)
	problems := Check(team(a), Rules{})
	raw, err := json.Marshal(problems)
	if err != nil || len(problems) != 2 || strings.Contains(string(raw), "x9x9") {
		t.Errorf("%v %s", err, raw)
	}
}

// Every problem can be translated, shown and told from the others.
func TestTexts(t *testing.T) {
	a := agent("A b", "", "")
	a.Connections = []topology.Connection{command("A b"), command("A b"), command("no"), command("no")}
	a.Extra = extra(`{"token":"x","k":1}`)
	b := agent("c", "{id}", "z")
	b.Connections = []topology.Connection{command("d")}
	d := agent("d", "D", "z")
	d.Connections, d.Workspace = []topology.Connection{command("c")}, "~/.openclaw/workspace-c"
	asks := agent("asks", "Asks", "z")
	asks.Extra = extra(`{"mcpServers":[{"name":"s","command":["npx"],"env":["HOME"]},` +
		`{"name":"m","url":"https://m.example","tokenEnv":"AGENTFLOW_AGENT_M"}],"mcpPolicy":{"default":"auto"}}`)
	asks.Workspace, asks.Tools = "/srv", &topology.Tools{Allow: []string{"files"}}
	far, too := agent("far", "Far", ""), agent("too", "Too", "")
	far.URL, far.SecretEnv, too.URL, too.SecretEnv = "https://a.example", "AGENTFLOW_AGENT_X", "https://a.example", "AGENTFLOW_AGENT_X"
	unread := agent("unread", "Unread\u202e", "z")
	unread.Extra = extra(`{"mcpPolicy":"auto"}`)
	all := team(asks, far, too, unread, a, a, b, d, agent("", "", "m"), agent("alone", "Alone", "m"), agent("nobody", "N", "no/m"))
	all.Agents = append(all.Agents, agent("twin", "Alone", "m"))
	all.Groups = []topology.Group{{ID: "g", Members: []topology.AgentID{"ghost"}}}
	for _, match := range []string{`"telegram","accountId":"x"`, `"telegram","accountId":"x"`, `"irc"`} {
		all.Bindings = append(all.Bindings, json.RawMessage(`{"agentId":"ghost","match":{"channel":`+match+`}}`))
	}
	problems := append(Check(all, Rules{Config: []byte(`{"channels":{"telegram":{}}}`),
		IDPattern: NewestIDs, Models: []string{"m"}, KnownKeys: []string{}, NeedsOwnership: true, RosterGuard: true,
		BaseAgents: []topology.AgentID{"gone"}, Offered: map[string][]string{"": {"x"}}, Providers: []string{},
		Schema: gatewayschema.Read([]byte(`{"additionalProperties":false,"properties":{"k":{"type":"string"}}}`))}),
		slices.Concat(messageProblems(), heartbeatProblems(), blockProblems(), broadcastProblems(),
			[]topology.Problem{UnknownFileKey("color", 1)})...)
	ids, codes := map[string]bool{}, map[string]bool{}
	for _, p := range problems {
		if ids[p.ID] {
			t.Errorf("two problems with the ID %s", p.ID)
		}
		ids[p.ID], codes[p.Code] = true, true
		for _, text := range []string{p.Message, p.Remedy} {
			if text == "" || strings.Contains(strings.NewReplacer("${NAME}", "", "{id}", "", cmp.Or(p.Params["expected"], "{expected}"), "").Replace(text), "{") {
				t.Errorf("%s: %q", p.ID, text)
			}
		}
	}
	for code := range texts {
		if !codes[code] && code != unknownFileKey { // its code is that of any unknown key
			t.Errorf("%s does not appear", code)
		}
	}
}

// For a key that we can't read, lint says only how to write it.
func TestTR1_AnUnreadableKeySaysHowItIsWritten(t *testing.T) {
	for written, want := range map[string]string{
		`{"mcpServers":{"files":{"command":"npx"}}}`:               "warning extra.mcpServers mcpServers [{name: files, command: [npx, files-server]}]",
		`{"mcpServers":[{"name":"files","command":"npx server"}]}`: "warning extra.mcpServers mcpServers [{name: files, command: [npx, files-server]}]",
		`{"mcpServers":[{"name":"files","program":"npx"}]}`:        "warning extra.mcpServers mcpServers [{name: files, command: [npx, files-server]}]",
		`{"mcpPolicy":"auto"}`:                                     "warning extra.mcpPolicy mcpPolicy {default: ask, tools: {file_read: auto}}",
		`{"security":["/srv"]}`:                                    "warning extra.security security {allowedPaths: [/srv/project]}",
		`{"mcpServers":[{"name":"files","command":["npx"]}]}`:      "",
	} {
		a := agent("a", "A", "m")
		a.Extra = extra(written)
		got := ""
		for _, p := range Check(team(a), Rules{}) {
			if p.Code == UnreadableKey {
				got += fmt.Sprint(p.Severity, " ", p.Field, " ", p.Params["key"], " ", p.Params["expected"])
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", written, got, want)
		}
	}
}

// What the gateway's own schema does not permit is named with its place, and with what
// would be right; what it permits is not.
func TestGW7_WhatTheGatewayWouldRefuse(t *testing.T) {
	known := gatewayschema.Read(
		[]byte(`{"type":"object","additionalProperties":false,"properties":{"name":{"type":"string"},
		"sandbox":{"type":"object","additionalProperties":false,"properties":{"mode":{"type":"string","enum":["off","all"]},"docker":{"type":"object"}}}}}`),
	)
	a := agent("a", "A", "m")
	a.Extra = extra(`{"sandbox":{"mode":"al","moed":"all","docker":{"x":1}},"colour":"red"}`)
	ok := agent("b", "B", "m")
	ok.Extra = extra(`{"sandbox":{"mode":"all"}}`)
	var got []string
	for _, p := range Check(team(a, ok), Rules{Schema: known}) {
		got = append(
			got,
			fmt.Sprint(
				p.Severity,
				" ",
				p.Code,
				" ",
				p.Agent,
				" ",
				p.Field,
				" ",
				p.Params["key"],
				" ",
				p.Params["allowed"],
			),
		)
	}
	want := []string{
		"warning refused_value a extra.sandbox sandbox.mode off, all",
		"warning refused_key a extra.sandbox sandbox.moed ",
		"warning refused_key a extra.colour colour ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	if found := Check(team(a), Rules{}); len(found) != 0 {
		t.Errorf("nothing is known of the gateway, and yet: %v", found)
	}
}

// large is a team of n agents with everything that takes time.
func large(n int) *topology.Topology {
	t := &topology.Topology{}
	persona := strings.Repeat("You do one thing, and you do it well; ask when in doubt. ", 20)
	for i := range n {
		a := agent(fmt.Sprint("agent-", i), fmt.Sprint("Agent ", i), "m",
			command(fmt.Sprint("agent-", (i+1)%n)), command(fmt.Sprint("agent-", (i*7+3)%n)))
		a.Persona, a.Extra = persona, extra(`{"sandbox":{"mode":"all"},"identity":{"emoji":"x"}}`)
		t.Agents = append(t.Agents, a)
	}
	return t
}

func FuzzSecret(f *testing.F) {
	f.Add("sk-abc https://u:p@h -----BEGIN PRIVATE KEY", `{"token":["x",{"a":1}]}`)
	f.Fuzz(func(t *testing.T, text, raw string) {
		a := agent("a", text, "m")
		a.Persona = text
		a.Extra = topology.Extra{{Key: text, Value: json.RawMessage(raw)}}
		Check(team(a), Rules{})
	})
}
