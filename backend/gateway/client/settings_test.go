package client_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/gatewaytest"
	"agentflow/backend/team/gatewayschema"
)

var update = flag.Bool("update", false, "write the recorded settings that the page's tests read")

// pageSettings and pageEveryone are the descriptions that the page's tests read.
const (
	pageSettings = "../../../frontend/src/features/canvas/inspector/settings/recorded.json"
	pageEveryone = "../../../frontend/src/features/canvas/inspector/settings/recorded-everyone.json"
)

// OC-1: the description has each of the 246 settings that were counted on a real gateway, with its label, help, kinds
// and what a change does.
func TestOC1_DescribesEverySetting(t *testing.T) {
	t.Parallel()
	s := gatewaytest.Start(t, gatewaytest.Options{})
	src, err := dial(t, s).AgentSettings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	d := gatewayschema.Describe(src)
	found := map[string]gatewayschema.Setting{}
	gatewayschema.Walk(d.Settings, func(path []string, s *gatewayschema.Setting) {
		found[strings.Join(path, ".")] = *s
	})
	list, err := os.ReadFile("testdata/settings-2026.9.6.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range strings.Fields(string(list)) {
		if _, ok := found[path]; !ok {
			t.Errorf("%s is missing", path)
		}
	}
	if d.Truncated || len(found) < 300 || found["sandbox"].Settings[0].Key != "mode" {
		t.Errorf("%d settings, truncated: %v, sandbox begins with %q",
			len(found), d.Truncated, found["sandbox"].Settings[0].Key)
	}
	for _, row := range []string{
		`sandbox.mode {"kinds":["choice"],"choices":["off","non-main","all"]}`,
		`sandbox.docker.memory {"kinds":["text","number"],"advanced":true}`,
		`sandbox.docker.pidsLimit {"kinds":["integer"],"advanced":true}`,
		`tools.codeMode {"kinds":["boolean","choice","group"],"choices":["auto"],"label":"Agent Code Mode"}`,
		`fastModeDefault {"kinds":["boolean","choice"],"choices":["auto"],"label":"Agent Fast Mode Default"}`,
		`heartbeat.directPolicy {"kinds":["choice"],"choices":["allow","block"]}`,
		`memory.search.sources {"kinds":["list"],"items":{"kinds":["choice"],"choices":["memory","sessions"]}}`,
		`memory.search.extraPaths {"kinds":["list"],"items":{"kinds":["any"]}}`,
		`runtime.type {"kinds":["choice"],"choices":["embedded","acp"]}`,
		`sandbox.docker.env {"kinds":["map"],"advanced":true}`,
		`models {"kinds":["map"]}`,
		`params {"kinds":["map"]}`,
		`memory.search.remote.apiKey {"kinds":["text","group"],"sensitive":true}`,
		`tts.personas.*.providers.*.apiKey {"kinds":["text","group"],"sensitive":true}`,
		`tools.exec.mode {"kinds":["choice"],"choices":["deny","allowlist","ask","auto","full"]}`,
		`models.*.agentRuntime.id {"kinds":["text"]}`,
	} {
		path, want, _ := strings.Cut(row, " ")
		checkSetting(t, path, found[path], want)
	}
	writePageSettings(t, pageSettings, d)
	if src.Everyone == nil {
		t.Fatal("nothing is known of what every agent inherits")
	}
	e := gatewayschema.Describe(*src.Everyone)
	writePageSettings(t, pageEveryone, e)
	checkEveryone(t, e)
}

func checkSetting(t *testing.T, path string, got gatewayschema.Setting, text string) {
	t.Helper()
	var want gatewayschema.Setting
	if err := json.Unmarshal([]byte(text), &want); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Kinds, want.Kinds) || !slices.Equal(got.Choices, want.Choices) ||
		got.Sensitive != want.Sensitive ||
		want.Label != "" && got.Label != want.Label || want.Advanced && !got.Advanced || got.Reload != "hot" {
		t.Errorf("%s is %+v, want %s", path, got, text)
	}
	if want.Items != nil && !reflect.DeepEqual(got.Items, want.Items) {
		t.Errorf("items of %s are %+v, want %+v", path, got.Items, want.Items)
	}
}

// checkEveryone checks what every agent inherits: settings that no single agent has, with the gateway's words.
func checkEveryone(t *testing.T, d gatewayschema.Description) {
	t.Helper()
	found, words := map[string]gatewayschema.Setting{}, 0
	gatewayschema.Walk(d.Settings, func(path []string, s *gatewayschema.Setting) {
		found[strings.Join(path, ".")] = *s
		if s.Help != "" {
			words++
		}
	})
	checkSetting(t, "maxConcurrent", found["maxConcurrent"], `{"kinds":["integer"]}`)
	checkSetting(t, "subagents.maxSpawnDepth", found["subagents.maxSpawnDepth"], `{"kinds":["integer"]}`)
	if d.Truncated || len(found) < 200 || words < 50 {
		t.Errorf("%d settings of everyone, %d with help, truncated: %v", len(found), words, d.Truncated)
	}
}

// writePageSettings keeps what the page's tests read the same as what the hub describes.
func writePageSettings(t *testing.T, path string, d gatewayschema.Description) {
	t.Helper()
	text, err := json.MarshalIndent(d.Settings, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(path, append(text, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if kept, err := os.ReadFile(path); err != nil || !bytes.Equal(bytes.TrimSpace(kept), text) {
		t.Errorf("%s is out of date (%v): go test ./backend/gateway/client -run OC1 -update", path, err)
	}
}

// OC-1: February's gateways restart for each change, and a gateway without a schema has no settings to show.
func TestOC1_SettingsOfEachGeneration(t *testing.T) {
	t.Parallel()
	eachKind(t, func(t *testing.T, o gatewaytest.Options) {
		s := gatewaytest.Start(t, o)
		src, err := dial(t, s).AgentSettings(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		d := gatewayschema.Describe(src)
		if o.Dialect == client.DialectJSONRPC {
			if len(d.Settings) > 0 || s.Count("config.schema") > 0 {
				t.Errorf("a gateway that offers no schema was asked, or has settings: %d", len(d.Settings))
			}
			return
		}
		want := "hot"
		if o.Generation == gatewaytest.February {
			want = "restart"
		}
		if len(d.Settings) < 10 || d.Settings[0].Reload != want {
			t.Errorf("%d settings; a change is %q, want %q", len(d.Settings), d.Settings[0].Reload, want)
		}
	})
}

// slowly connects with time for answers of many megabytes, on a computer that has other work, too.
func slowly(t *testing.T, s *gatewaytest.Server) *client.Client {
	t.Helper()
	c := run(t, client.Options{URL: s.URL, Token: token(s.Token), Timing: client.Timing{Call: time.Minute}})
	if err := c.WaitConnected(t.Context()); err != nil {
		t.Fatal(err)
	}
	return c
}

// OC-1: what a gateway says can be missing, a lie, or huge. It never breaks anything: there are no settings then.
func TestOC1_HostileAnswers(t *testing.T) {
	t.Parallel()
	agents := func(agent, hints string) string {
		return `{"schema":{"properties":{"agents":{"properties":{"entries":{"additionalProperties":` + agent +
			`}}}}},"uiHints":` + hints + `}`
	}
	const one = `{"properties":{"a":{"type":"string"}}}`
	help := func(mb int) string { return `{"agents.entries.*.a":{"help":"` + strings.Repeat("x", mb<<20) + `"}}` }
	for name, answer := range map[string]struct {
		text     string
		settings int
	}{
		"a text":                    {`"x"`, 0},
		"nothing":                   {`{}`, 0},
		"a schema that is a number": {`{"schema":7,"uiHints":7}`, 0},
		"an agent that is a text":   {agents(`{"type":"string"}`, `{}`), 0},
		"hints of another shape": {agents(
			`{"properties":{"a":{"type":"string"},"b":7}}`,
			`{"agents.entries.*.a":[1],"agents.entries.*.b":{"label":{"x":1}}}`), 2},
		"a wheel of references": {agents(`{"properties":{"a":{"$ref":"#"}}}`, `null`), 1},
		"20 MB of help":         {agents(one, help(20)), 1},
		"25 MB of help":         {agents(one, help(25)), 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := gatewaytest.Start(t, gatewaytest.Options{})
			c := slowly(t, s)
			s.SetFaults(gatewaytest.Faults{RawAnswer: map[string]string{
				"config.schema": `{"type":"res","id":$ID,"ok":true,"payload":` + answer.text + `}`,
			}})
			src, err := c.AgentSettings(t.Context())
			d := gatewayschema.Describe(src)
			if len(d.Settings) != answer.settings {
				t.Errorf("%d settings, want %d: %v", len(d.Settings), answer.settings, err)
			}
			for _, s := range d.Settings {
				if len(s.Help) > 4<<10 {
					t.Errorf("the help has %d bytes", len(s.Help))
				}
			}
			if strings.HasPrefix(name, "25 MB") && (err == nil || !strings.Contains(err.Error(), "25 MB")) {
				t.Errorf("the error is %v", err)
			}
		})
	}
}
