package trust_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/topology"
	"agentflow/backend/team/trust"
)

// agent reads an agent as a team file has it.
func agent(t *testing.T, text string) *topology.Agent {
	t.Helper()
	a := &topology.Agent{ID: "dev", Name: "Dev"}
	if err := json.Unmarshal([]byte(text), a); err != nil {
		t.Fatal(err)
	}
	return a
}

const everything = `{
  "url": "a2a+https://far.example:8443/agent", "secretEnv": "AGENTFLOW_AGENT_FAR", "fingerprint": "sha256:ab",
  "workspace": "/srv/code", "tools": {"allow": ["files", "shell"]},
  "extra": {
    "mcpServers": [
      {"name": "git", "command": ["git-mcp", "--all"], "env": ["AGENTFLOW_AGENT_GIT"]},
      {"name": "web", "url": "https://mcp.example/sse?x=1", "tokenEnv": "AGENTFLOW_AGENT_WEB"}
    ],
    "mcpPolicy": {"default": "ask", "tools": {"search": "auto", "drop": "deny", "add": "auto"}},
    "security": {"allowedPaths": ["/srv/data"], "blockedCommands": ["rm"], "allowedAddresses": ["10.0.0.1"]}
  }
}`

// TR-1: the owner sees each thing that an agent asks for, whole.
func TestTR1_EverythingIsShown(t *testing.T) {
	r, err := trust.Of(agent(t, everything), trust.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	want := []trust.Ask{
		{
			Kind: trust.Runs, Server: "git", Command: []string{"git-mcp", "--all"},
			Variables: []string{"AGENTFLOW_AGENT_GIT"},
		},
		{
			Kind: trust.Reaches, Server: "web", URL: "https://mcp.example/sse?x=1", Origin: "https://mcp.example",
			Variables: []string{"AGENTFLOW_AGENT_WEB"},
		},
		{
			Kind: trust.Sends, URL: "a2a+https://far.example:8443/agent", Origin: "https://far.example:8443",
			Fingerprint: "sha256:ab", Variables: []string{"AGENTFLOW_AGENT_FAR"},
		},
		{Kind: trust.Writes, Folders: []string{"/srv/code"}, Tools: []string{"files", "shell"}},
		{Kind: trust.Writes, Folders: []string{"/srv/data"}},
		{Kind: trust.Unasked, Tools: []string{"add", "search"}, Policy: r.Policy},
		{
			Kind:     trust.Bounds,
			Security: &trust.Security{BlockedCommands: []string{"rm"}, AllowedAddresses: []string{"10.0.0.1"}},
		},
	}
	for range 32 { // the tools are in a map, and shown in one order
		if got := r.Asks(); !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v\nwant %+v", got, want)
		}
	}
	names := []string{"AGENTFLOW_AGENT_FAR", "AGENTFLOW_AGENT_GIT", "AGENTFLOW_AGENT_WEB"}
	if got := r.Names(); !slices.Equal(got, names) {
		t.Errorf("variables %q", got)
	}
}

// TR-1: a policy by which every tool asks first is a limit, and isn't said to use tools without asking.
func TestTR1_APolicyThatAsksIsALimit(t *testing.T) {
	for policy, kind := range map[string]trust.Kind{
		`{"default": "ask", "tools": {"drop": "deny"}}`: trust.Bounds,
		`{"default": "auto"}`:                           trust.Unasked,
		`{"tools": {"search": "auto"}}`:                 trust.Unasked,
	} {
		r, err := trust.Of(agent(t, `{"extra": {"mcpPolicy": `+policy+`}}`), trust.Rules{})
		if err != nil {
			t.Fatal(err)
		}
		if asks := r.Asks(); len(asks) != 1 || asks[0].Kind != kind || asks[0].Policy == nil {
			t.Errorf("%s: %+v, want %s", policy, asks, kind)
		}
	}
}

// TR-1: the permission is for exactly this request. Whatever changes, the hash changes.
func TestTR1_EveryChangeChangesTheHash(t *testing.T) {
	hash := func(text string) string {
		t.Helper()
		r, err := trust.Of(agent(t, text), trust.Rules{})
		if err != nil {
			t.Fatal(err)
		}
		return r.Hash()
	}
	first := hash(everything)
	if again := hash(everything); again != first || !strings.HasPrefix(first, "sha256:") {
		t.Errorf("%s, and again %s", first, again)
	}
	seen := map[string]string{first: "nothing"}
	for _, edit := range [][2]string{
		{"far.example", "near.example"},
		{"AGENTFLOW_AGENT_FAR", "AGENTFLOW_AGENT_NEAR"},
		{"sha256:ab", "sha256:cd"},
		{"/srv/code", "/srv"},
		{`["files", "shell"]`, `["files"]`},
		{`"name": "git"`, `"name": "hg"`},
		{"--all", "--none"},
		{"AGENTFLOW_AGENT_GIT", "AGENTFLOW_AGENT_HG"},
		{"sse?x=1", "sse?x=2"},
		{"AGENTFLOW_AGENT_WEB", "AGENTFLOW_AGENT_NET"},
		{`"default": "ask"`, `"default": "auto"`},
		{`"drop": "deny"`, `"drop": "auto"`},
		{"/srv/data", "/"},
		{`["rm"]`, `[]`},
		{"10.0.0.1", "10.0.0.2"},
	} {
		next := strings.Replace(everything, edit[0], edit[1], 1)
		h := hash(next)
		if other, known := seen[h]; known {
			t.Errorf("the change of %s has the hash of the change of %s", edit[0], other)
		}
		seen[h] = edit[0]
	}
}

// TR-1: what can be read in two ways can't be shown, so it can't be used either.
func TestTR1_WhatIsUnclearCantBeUsed(t *testing.T) {
	for name, text := range map[string]string{
		"an unknown key":   `{"extra": {"mcpServers": [{"name": "git", "cmd": ["x"]}]}}`,
		"a key twice":      `{"extra": {"security": {"allowedPaths": ["/a"], "allowedPaths": ["/"]}}}`,
		"another case":     `{"extra": {"mcpPolicy": {"Default": "auto"}}}`,
		"another type":     `{"extra": {"mcpServers": {"git": {"command": ["x"]}}}}`,
		"a text as a list": `{"extra": {"security": {"allowedPaths": "/"}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			a := agent(t, text)
			if r, err := trust.Of(a, trust.Rules{}); !errcode.Is(err, errcode.Validation) || r.Needs() {
				t.Errorf("%+v %v", r, err)
			} else if d := errcode.From(err).Details; d[trust.KeyAgent] != "dev" ||
				!strings.HasPrefix(d[errcode.KeyField].(string), "extra.") {
				t.Errorf("details %v", d)
			}
			all := trust.Team(&topology.Topology{Agents: []topology.Agent{*a}}, trust.Rules{})
			if len(all) != 1 || all[0].Err == nil {
				t.Errorf("the team's agent can be used: %+v", all)
			}
		})
	}
}

// TR-1: what needs the owner's permission, and what doesn't.
func TestTR1_WhatNeedsPermission(t *testing.T) {
	rules := trust.Rules{Home: "/home/mika"}
	for _, tc := range []struct {
		text string
		want bool
	}{
		{`{}`, false},
		{`{"url": "https://far.example"}`, true},
		{`{"secretEnv": "AGENTFLOW_AGENT_X"}`, true},
		{`{"extra": {"mcpServers": [{"name": "git", "command": ["git-mcp"]}]}}`, true},
		{`{"extra": {"security": {"allowedPaths": ["/"]}}}`, true},
		{`{"extra": {"security": {"blockedCommands": ["rm"]}}}`, false},
		{`{"extra": {"mcpPolicy": {"default": "auto"}}}`, true},
		{`{"extra": {"mcpPolicy": {"default": "ask", "tools": {"add": "auto"}}}}`, true},
		{`{"extra": {"mcpPolicy": {"default": "deny", "tools": {"add": "deny"}}}}`, false},
		{`{"extra": {"options": {"think": true}, "unknown": 1}}`, false},
		{`{"workspace": "/srv/code"}`, false}, // no tool works in it
		{`{"workspace": "/srv/code", "tools": {"allow": ["files"]}}`, true},
		{`{"workspace": "~/.openclaw/workspace-dev", "tools": {"allow": ["files"]}}`, false},
		{`{"workspace": "~/.openclaw/workspace-dev/", "tools": {"allow": ["files"]}}`, false},
		{`{"workspace": "/home/mika/.openclaw/workspace-dev", "tools": {"allow": ["files"]}}`, false},
		{`{"workspace": "/home/other/.openclaw/workspace-dev", "tools": {"allow": ["files"]}}`, true},
		{`{"workspace": "~/.openclaw/workspace-qa", "tools": {"allow": ["files"]}}`, true},
		{`{"workspace": "~/.openclaw/workspace-dev/..", "tools": {"allow": ["files"]}}`, true},
		{`{"id": "../x", "workspace": "~/.openclaw/workspace-../x", "tools": {"allow": ["files"]}}`, true},
	} {
		a := agent(t, tc.text)
		r, err := trust.Of(a, rules)
		if err != nil || r.Needs() != tc.want {
			t.Errorf("%s needs permission: %v %v", tc.text, r.Needs(), err)
		}
		if tc.want && trust.Quiet(a) {
			t.Errorf("%s is taken for an agent that asks for nothing", tc.text)
		}
		if _, asks := trust.One(a, rules, nil); asks != tc.want {
			t.Errorf("%s asks: %v", tc.text, asks)
		}
	}
	rules.Plans = true // plan tasks run in the workspaces
	if r, err := trust.Of(agent(t, `{"workspace": "/srv/code"}`), rules); err != nil || r.Workspace != "/srv/code" {
		t.Errorf("with plans: %+v %v", r, err)
	}
}

// TR-1: which variables a team, and a file of the owner, can name. Windows ignores case, and so does this.
func TestTR1_Variables(t *testing.T) {
	v := trust.Variables{
		Listed:    []string{"WORK_TOKEN", "AWS_LISTED"},
		Providers: []string{"MY_MODEL_KEY", "AGENTFLOW_AGENT_KEY"},
	}
	for name, want := range map[string][2]bool{ // in a team, in the owner's file
		"AGENTFLOW_AGENT_GIT": {true, true},
		"WORK_TOKEN":          {true, true},
		"OTHER_TOKEN":         {false, true},
		"work_token":          {false, true},
		"AGENTFLOW_AGENT_":    {false, true},
		"AGENTFLOW_TOKEN":     {false, false},
		"agentflow_token":     {false, false},
		"AGENTFLOW_AGENT_KEY": {false, false},
		"MY_MODEL_KEY":        {false, false},
		"my_model_key":        {false, false},
		"OPENAI_API_KEY":      {false, false},
		"openai_api_key":      {false, false},
		"PGPASSWORD":          {false, false},
		"AWS_SECRET":          {false, true},
		"AWS_LISTED":          {false, true},
		"path":                {false, true},
		"LD_PRELOAD":          {false, true},
	} {
		for i, err := range []error{v.InTeam(name), v.InConfig(name)} {
			if (err == nil) != want[i] {
				t.Errorf("%s: %v", name, err)
			}
			if err != nil && (!errcode.HasReason(err, trust.ReasonRefused) ||
				errcode.From(err).Details[trust.KeyVariable] != name || !strings.Contains(err.Error(), name)) {
				t.Errorf("%s: %#v", name, err)
			}
		}
	}
}

// A refused variable, and a secret that two agents have, can't be allowed by anybody.
func TestTR1_SomeAgentsCantBeUsed(t *testing.T) {
	team := &topology.Topology{Agents: []topology.Agent{
		{ID: "fine", SecretEnv: "AGENTFLOW_AGENT_FINE"},
		{ID: "one", SecretEnv: "AGENTFLOW_AGENT_SAME"},
		{ID: "two", SecretEnv: "AGENTFLOW_AGENT_SAME"},
		{ID: "home", URL: "https://far.example", SecretEnv: "PATH"},
		{ID: "quiet"},
		*agent(t, `{"id": "spy", "extra": {"mcpServers": [
			{"name": "x", "command": ["x"], "env": ["AGENTFLOW_AGENT_SECRET"]}]}}`),
	}}
	reasons := map[topology.AgentID]string{
		"fine": "", "one": "shared_secret", "two": "shared_secret",
		"home": trust.ReasonRefused, "spy": trust.ReasonRefused,
	}
	all := trust.Team(team, trust.Rules{})
	if len(all) != len(reasons) {
		t.Errorf("%d agents ask for something: %+v", len(all), all)
	}
	for _, a := range all {
		if want := reasons[a.ID]; (a.Err == nil) != (want == "") || want != "" && !errcode.HasReason(a.Err, want) {
			t.Errorf("%s: %v", a.ID, a.Err)
		}
	}
	if trust.Team(nil, trust.Rules{}) != nil {
		t.Error("no team asks for something")
	}
}

func TestSecret_HasALeastLength(t *testing.T) {
	if err := trust.Secret("X", strings.Repeat("s", trust.MinSecret)); err != nil {
		t.Error(err)
	}
	short := strings.Repeat("s", trust.MinSecret-1)
	err := trust.Secret("X", short)
	if !errcode.HasReason(err, "short_secret") || strings.Contains(err.Error(), short) {
		t.Errorf("a short secret: %v", err)
	}
}

// Same is fast, and never says that two requests are the same when they aren't.
func TestSame_SeesWhatTheHashSees(t *testing.T) {
	a := agent(t, everything)
	if b := agent(t, everything); !trust.Same(a, b) {
		t.Error("an agent isn't the same as itself")
	}
	for _, text := range []string{
		`{"url": "x"}`, `{"secretEnv": "X"}`, `{"fingerprint": "x"}`, `{"workspace": "x"}`,
		`{"tools": {"allow": ["x"]}}`,
		`{"extra": {"mcpServers": []}}`, `{"id": "qa"}`,
	} {
		b := agent(t, everything)
		if err := json.Unmarshal([]byte(text), b); err != nil {
			t.Fatal(err)
		}
		if trust.Same(a, b) {
			t.Errorf("%s makes no difference", text)
		}
	}
}

// TR-1: a folder is shown once, however often the agent names it.
func TestTR1_EachFolderIsShownOnce(t *testing.T) {
	r, err := trust.Of(agent(t, `{"workspace": "/srv/code", "tools": {"allow": ["files"]}, "extra": {"security":
		{"allowedPaths": ["/srv/code/", "/srv/data", "/srv/data"]}}}`), trust.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	want := []trust.Ask{
		{Kind: trust.Writes, Folders: []string{"/srv/code"}, Tools: []string{"files"}},
		{Kind: trust.Writes, Folders: []string{"/srv/data"}},
	}
	if got := r.Asks(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	r.Security.AllowedPaths = []string{"/srv/code"}
	if got := r.Asks(); !reflect.DeepEqual(got, want[:1]) {
		t.Errorf("the workspace alone: %+v", got)
	}
}
