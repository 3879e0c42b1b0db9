package client_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/gatewaytest"
)

// OC-1: a gateway is asked which tools and skills it knows, also about an agent that it doesn't have yet. A gateway
// that offers no such list isn't asked.
func TestOC1_AgentTools(t *testing.T) {
	t.Parallel()
	eachKind(t, func(t *testing.T, o gatewaytest.Options) {
		s := gatewaytest.Start(t, o)
		c := dial(t, s)
		for _, agent := range []string{"main", "draft", ""} {
			found, err := c.AgentTools(ctx(t), agent)
			if err != nil {
				t.Fatalf("%q: %v", agent, err)
			}
			if o.Dialect == client.DialectJSONRPC {
				if found != (client.AgentTools{}) || s.Count("tools.catalog")+s.Count("skills.status") > 0 {
					t.Errorf("a gateway that doesn't offer it was asked: %+v", found)
				}
				continue
			}
			knowsTools(t, found)
			if found.Effective != nil {
				t.Errorf("%q has no session, but tools: %+v", agent, found.Effective)
			}
		}
		gatewaytest.Say(s, "agent:main:cron:nightly", "user", "Hello", nil)
		gatewaytest.Say(s, "agent:other:main", "user", "Hello", nil)
		inUse(t, c, "", false)
		gatewaytest.Say(s, "agent:main:web", "user", "Hello", nil)
		inUse(t, c, "agent:main:web", o.Dialect != client.DialectJSONRPC && o.Generation == gatewaytest.Newest)
	})
}

func knowsTools(t *testing.T, found client.AgentTools) {
	t.Helper()
	if found.Catalog == nil || found.Skills == nil {
		t.Fatalf("%+v", found)
	}
	if got := found.Catalog.Profiles; !slices.Equal(got, []string{"minimal", "coding", "messaging", "full"}) {
		t.Errorf("profiles %v", got)
	}
	want := []client.GatewayTool{
		{Name: "read", Description: "Read file contents", Group: "Files"},
		{Name: "write", Description: "Create or overwrite files", Group: "Files"},
		{Name: "exec", Description: "Run shell now.", Group: "Runtime"},
		{Name: "talk_voice", Description: "List or change the voice", Group: "talk-voice", Plugin: "talk-voice"},
	}
	if !slices.Equal(found.Catalog.Tools, want) || found.Catalog.Partial {
		t.Errorf("tools %+v", found.Catalog)
	}
	if len(found.Skills.Skills) != 2 || found.Skills.Partial {
		t.Fatalf("skills %+v", found.Skills)
	}
	if s := found.Skills.Skills[0]; s.Name != "1password" || s.Ready || !slices.Equal(s.Missing, []string{"op"}) {
		t.Errorf("a skill without its program: %+v", s)
	}
	if s := found.Skills.Skills[1]; s.Name != "weather" || !s.Ready || s.Missing == nil || len(s.Missing) > 0 {
		t.Errorf("a skill that is ready: %+v", s)
	}
}

// inUse checks which tools main can use now.
func inUse(t *testing.T, c *client.Client, session string, known bool) {
	t.Helper()
	found, err := c.AgentTools(ctx(t), "main")
	if err != nil || (found.Effective != nil) != known {
		t.Fatalf("%+v, %v", found.Effective, err)
	}
	if e := found.Effective; known && (e.Session != session || e.Profile != "coding" || len(e.Tools) != 2) {
		t.Errorf("%+v", e)
	}
}

// OC-1: an agent's own list of skills doesn't make one unready, because it is what a person edits.
func TestOC1_ASkillIsReadyOrNot(t *testing.T) {
	t.Parallel()
	s := gatewaytest.Start(t, gatewaytest.Options{})
	c := dial(t, s)
	for row, want := range map[string]client.GatewaySkill{
		`"eligible":true`: {Ready: true},
		`"eligible":false,"blockedByAgentFilter":true`: {Ready: true},
		`"eligible":false`:                               {},
		`"eligible":false,"disabled":true`:               {Disabled: true},
		`"eligible":true,"blockedByAllowlist":true`:      {Disabled: true},
		`"eligible":true,"platformIncompatible":true`:    {},
		`"missing":{"os":["darwin"],"bins":["a","b"]}`:   {Missing: []string{"a", "b", "darwin"}},
		`"eligible":true,"missing":{"env":["API_KEY"]}`:  {Missing: []string{"API_KEY"}},
		`"eligible":true,"missing":{"env":null,"x":7}`:   {Ready: true},
		`"eligible":true,"missing":null`:                 {Ready: true},
		`"eligible":true,"description":{"not":"a text"}`: {Ready: true},
	} {
		s.SetFaults(gatewaytest.Faults{RawAnswer: raw("skills.status", `{"skills":[{"name":"x",`+row+`}]}`)})
		found, err := c.AgentTools(ctx(t), "main")
		if err != nil || len(found.Skills.Skills) != 1 {
			t.Fatalf("%s: %+v, %v", row, found.Skills, err)
		}
		got := found.Skills.Skills[0]
		if got.Ready != want.Ready || got.Disabled != want.Disabled || !slices.Equal(got.Missing, want.Missing) {
			t.Errorf("%s: %+v", row, got)
		}
	}
}

func raw(method, payload string) map[string]string {
	return map[string]string{method: `{"type":"res","id":$ID,"ok":true,"payload":` + payload + `}`}
}

// OC-1: what a gateway says of its tools and skills is believed only as far as it can be.
func TestOC1_ToolsThatLie(t *testing.T) {
	t.Parallel()
	s := gatewaytest.Start(t, gatewaytest.Options{})
	c := dial(t, s)
	for method, answers := range map[string][]string{
		"tools.catalog": {
			`null`, `[]`, `7`, `{}`, `{"groups":null}`, `{"groups":{}}`, `{"groups":[null,7,{"tools":7}]}`,
		},
		"skills.status": {`null`, `"x"`, `{}`, `{"skills":null}`, `{"skills":{"a":1}}`},
		"sessions.list": {`null`, `[]`},
		"tools.effective": {
			`null`, `[]`, `{}`, `{"agentId":"main"}`, `{"agentId":"other","groups":[]}`, `{"agentId":7,"groups":[]}`,
		},
	} {
		gatewaytest.Say(s, "agent:main:main", "user", "Hello", nil)
		for _, payload := range answers {
			s.SetFaults(gatewaytest.Faults{RawAnswer: raw(method, payload)})
			found, err := c.AgentTools(ctx(t), "main")
			if !errcode.HasReason(err, errcode.ReasonRejected) {
				t.Errorf("%s, %s: %v", method, payload, err)
			}
			if (found.Catalog == nil) != (method == "tools.catalog") ||
				(found.Skills == nil) != (method == "skills.status") ||
				(found.Effective == nil) != (method == "tools.effective" || method == "sessions.list") {
				t.Errorf("%s, %s: what else is known isn't told, or more is: %+v", method, payload, found)
			}
		}
	}
}

// OC-1: neither names nor texts nor lists grow beyond what a person can read, and none is null.
func TestOC1_ToolsWithoutEnd(t *testing.T) {
	t.Parallel()
	s := gatewaytest.Start(t, gatewaytest.Options{})
	c := dial(t, s)
	long := strings.Repeat("あ", 5000)
	var many []string
	for i := range 3000 {
		many = append(many, fmt.Sprintf(`{"id":"t%d","name":"t%d","eligible":true}`, i, i))
	}
	odd := `{"id":"ok","name":"ok","description":"one\ntwo\u0000\u0007 ` + long + `"},{"id":"ok","name":"ok"},
		{"id":"two words","name":"two words"},{"id":"a\nb","name":"a\nb"},{"id":"` + long + `","name":"` + long + `"},
		{"id":"\u202egnp","name":"\u202egnp"},{"id":7,"name":7},{"id":null},null,7,[]`
	rows := odd + "," + strings.Join(many, ",")
	answers := raw("tools.catalog", `{"profiles":[{"id":"a"},{"id":"a"},{"id":""},null,{"id":"x y"},{"id":7}],
		"groups":[{"label":"`+long+`","pluginId":"`+long+`","tools":[`+rows+`]},7]}`)
	answers["skills.status"] = raw("skills.status", `{"skills":[{"name":"needy","missing":{"bins":["`+long+`",`+
		strings.Repeat(`"b",`, 100)+`7]}},`+rows+`]}`)["skills.status"]
	s.SetFaults(gatewaytest.Faults{RawAnswer: answers})
	found, err := c.AgentTools(ctx(t), "main")
	if err != nil {
		t.Fatal(err)
	}
	tools, skills := found.Catalog, found.Skills
	if len(tools.Tools) != 2000 || !tools.Partial || len(skills.Skills) != 2000 || !skills.Partial {
		t.Fatalf("%d tools, %d skills", len(tools.Tools), len(skills.Skills))
	}
	if !slices.Equal(tools.Profiles, []string{"a"}) {
		t.Errorf("profiles %q", tools.Profiles)
	}
	first := tools.Tools[0]
	if first.Name != "ok" || tools.Tools[1].Name != "t0" || first.Plugin != "" || skills.Skills[1].Name != "ok" {
		t.Errorf("%.80s, %.80s", first, tools.Tools[1])
	}
	texts := []string{first.Description, first.Group, skills.Skills[1].Description}
	for _, text := range append(texts, skills.Skills[0].Missing[0]) {
		if len(text) > 310 || strings.ContainsAny(text, "\n\x00\x07") || !strings.HasSuffix(text, "あ…") {
			t.Errorf("%d bytes: %q", len(text), text)
		}
	}
	if len(skills.Skills[0].Missing) != 20 || !strings.HasPrefix(first.Description, "one two あ") {
		t.Errorf("%d missing, %.20q", len(skills.Skills[0].Missing), first.Description)
	}
	if text, err := json.Marshal(found); err != nil || strings.Contains(string(text), "null") {
		t.Errorf("null in %.200s, %v", text, err)
	}
}

// OC-1: a gateway that gives no answer to one question is asked nothing else, so that nobody waits for each.
func TestFaultAgentTools(t *testing.T) {
	t.Parallel()
	for name, faults := range map[string]gatewaytest.Faults{
		"slow":    {Stall: map[string]bool{"tools.catalog": true}},
		"cut off": {Cut: map[string]bool{"tools.catalog": true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := gatewaytest.Start(t, gatewaytest.Options{})
			timing := quick
			timing.Call = 200 * time.Millisecond
			c := run(t, client.Options{URL: s.URL, Token: token(s.Token), Timing: timing})
			if err := c.WaitConnected(ctx(t)); err != nil {
				t.Fatal(err)
			}
			s.SetFaults(faults)
			found, err := c.AgentTools(ctx(t), "main")
			if found != (client.AgentTools{}) || err == nil || s.Count("skills.status") > 0 {
				t.Errorf("%+v, %v, asked for skills %d times", found, err, s.Count("skills.status"))
			}
		})
	}
}
