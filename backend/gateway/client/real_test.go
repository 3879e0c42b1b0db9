package client_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/gatewaytest"
	"agentflow/backend/team/gatewayschema"
)

// GW-10 against the real thing: both generations of OpenClaw, from login to restart.
func TestGW10_OC5_RealGateway(t *testing.T) {
	for _, version := range gatewaytest.RealVersions {
		t.Run(version, func(t *testing.T) {
			peer := gatewaytest.StartReal(t, version)
			asksOfReal(t, peer)
			testReal(t, peer)
		})
	}
}

func testReal(t *testing.T, peer *gatewaytest.Real) {
	long, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	device := client.NewFileDeviceStore(t.TempDir())
	c := run(
		t,
		client.Options{
			URL:           peer.URL,
			Token:         token(peer.Token),
			Device:        device,
			ClientVersion: "test",
			Timing:        client.Timing{Call: time.Minute},
		},
	)
	if err := c.WaitConnected(long); err != nil {
		t.Fatal(err)
	}
	st := c.Status()
	t.Logf("protocol %d, version %q, scopes %v, %d methods, %d ms", st.Protocol, st.ServerVersion, st.Scopes,
		len(st.Features.Methods), st.LatencyMs)
	if st.Dialect != client.DialectFramed || st.Insecure || !st.Features.AgentsDelete || !st.Features.Events {
		t.Fatalf("status %+v", st)
	}
	newest := st.Protocol >= 4
	if st.Features.RosterGuard != newest || st.Features.HotApply != newest {
		t.Fatalf("features %+v", st.Features)
	}
	if models, err := c.Models(long); err != nil || len(models) == 0 {
		t.Fatalf("models %d, %v", len(models), err)
	}
	known, err := c.AgentSchema(long)
	if err != nil {
		t.Fatal(err)
	}
	knowsAgents(t, known)
	realSettings(t, long, c, newest)
	realTools(t, long, c, "main", false)
	applied := realApply(t, long, c, newest)
	realFiles(t, long, c, newest)
	realRefusals(t, long, c, applied)
	realChat(t, long, c)
	realTools(t, long, c, "writer", newest)
	realTools(t, long, c, "not-there", false)
	if newest {
		realDelete(t, long, c, applied)
	}
	realLogins(t, long, peer, device)
}

// realSettings shows OC-1: the gateway describes each setting of an agent, with its words and what a change does.
func realSettings(t *testing.T, long context.Context, c *client.Client, newest bool) {
	t.Helper()
	src, err := c.AgentSettings(long)
	if err != nil {
		t.Fatal(err)
	}
	settings, labels, help := 0, 0, 0
	var mode gatewayschema.Setting
	gatewayschema.Walk(gatewayschema.Describe(src).Settings, func(path []string, s *gatewayschema.Setting) {
		settings++
		if s.Label != "" {
			labels++
		}
		if s.Help != "" {
			help++
		}
		if strings.Join(path, ".") == "sandbox.mode" {
			mode = *s
		}
	})
	t.Logf("%d settings, %d with a label, %d with help", settings, labels, help)
	reload := map[bool]string{true: "hot", false: "restart"}[newest]
	if settings < 150 || labels < 40 || len(mode.Choices) != 3 || mode.Reload != reload {
		t.Fatalf("%d settings, %d labels, sandbox.mode is %+v", settings, labels, mode)
	}
}

// realTools shows OC-1: the gateway lists its tools and skills, and what an agent with a session can use now.
func realTools(t *testing.T, long context.Context, c *client.Client, agent string, inUse bool) {
	t.Helper()
	began := time.Now()
	found, err := c.AgentTools(long, agent)
	if err != nil || found.Catalog == nil || found.Skills == nil {
		t.Fatalf("%s: %+v, %v", agent, found, err)
	}
	took := time.Since(began)
	tools, ready := map[string]bool{}, 0
	for _, tool := range found.Catalog.Tools {
		tools[tool.Name] = true
		if tool.Description == "" || tool.Group == "" {
			t.Errorf("%+v", tool)
		}
	}
	for _, s := range found.Skills.Skills {
		if s.Ready {
			ready++
		} else if len(s.Missing) == 0 && !s.Disabled {
			t.Errorf("nothing tells why it isn't ready: %+v", s)
		}
	}
	t.Logf("%s: %d tools, %d of %d skills ready, in %v", agent, len(tools), ready, len(found.Skills.Skills), took)
	if !tools["exec"] || !tools["read"] || !slices.Contains(found.Catalog.Profiles, "coding") || found.Catalog.Partial {
		t.Errorf("%s: %+v", agent, found.Catalog)
	}
	if ready == 0 || ready == len(found.Skills.Skills) || found.Skills.Partial {
		t.Errorf("%s: %d of %d skills are ready", agent, ready, len(found.Skills.Skills))
	}
	if (found.Effective != nil) != inUse {
		t.Fatalf("%s: in use %+v", agent, found.Effective)
	}
	if inUse && (len(found.Effective.Tools) == 0 || found.Effective.Partial) {
		t.Errorf("%s: in use %+v", agent, found.Effective)
	}
}

// rosterWith returns the document with main and one more agent, in the generation's shape.
func rosterWith(t *testing.T, parsed json.RawMessage, newest bool) string {
	t.Helper()
	var doc map[string]any
	if err := json.Unmarshal(parsed, &doc); err != nil {
		t.Fatal(err)
	}
	agents := doc["agents"].(map[string]any)
	allow := map[string]any{"allowAgents": []any{"writer"}}
	if newest {
		agents["ownership"] = "explicit"
		agents["entries"] = map[string]any{
			"main":   map[string]any{"subagents": allow},
			"writer": map[string]any{"name": "Writer"},
		}
	} else {
		agents["list"] = []any{map[string]any{"id": "main", "default": true, "subagents": allow},
			map[string]any{"id": "writer", "name": "Writer"}}
	}
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// realApply adds an agent, waits for a restart where there is one, and reads back.
func realApply(t *testing.T, long context.Context, c *client.Client, newest bool) client.Config {
	t.Helper()
	events := c.Events(4096)
	defer events.Close()
	before, err := c.ConfigGet(long)
	if err != nil {
		t.Fatal(err)
	}
	if before.RawFormat != "json5" || !before.Valid || before.Hash == "" || !strings.Contains(string(before.Parsed), gatewaytest.Redacted) {
		t.Fatalf("config %+v", before)
	}
	began := time.Now()
	res, err := c.ConfigApply(long,
		client.ApplyRequest{Raw: rosterWith(t, before.Parsed, newest), BaseHash: before.Hash, Note: "AgentFlow test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("apply took %v: %+v", time.Since(began), res)
	if res.Restart == newest || (res.Hash != "") != newest {
		t.Fatalf("apply gave %+v", res)
	}
	if res.Restart {
		for e := range events.C() { // the restart shows as a fresh connection
			if e.Resync && e.Reason == "reconnected" {
				break
			}
		}
		t.Logf("back after %v", time.Since(began))
	}
	after, err := c.ConfigGet(long)
	if err != nil {
		t.Fatal(err)
	}
	if after.Hash == before.Hash || newest && after.Hash != res.Hash || !strings.Contains(string(after.Parsed), `"writer"`) {
		t.Fatalf("after the apply: %s", after.Parsed)
	}
	if !strings.Contains(string(after.Parsed), gatewaytest.Redacted) {
		t.Fatalf("the secrets are gone: %s", after.Parsed)
	}
	return after
}

// realFiles writes a workspace file, in the folder that the gateway makes for its agent (OC-2).
func realFiles(t *testing.T, long context.Context, c *client.Client, newest bool) {
	t.Helper()
	now, err := client.FilesOf(c).Read(long, "main", "SOUL.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("SOUL.md of main: missing %v, %d bytes, guarded %v", now.Missing, now.Size, now.Guarded)
	if now, err = client.FilesOf(c).Write(long, "main", "SOUL.md", "Be kind. 日本語\r\n", now.Hash); err != nil {
		t.Fatal(err)
	}
	got, err := client.FilesOf(c).Read(long, "main", "SOUL.md")
	if err != nil || got.Content != "Be kind. 日本語\r\n" || got.Hash != now.Hash || got.Binary {
		t.Fatalf("%+v, %v", got, err)
	}
	writesFiles(t, long, c, newest)
}

func realRefusals(t *testing.T, long context.Context, c *client.Client, now client.Config) {
	t.Helper()
	_, err := c.ConfigApply(long, client.ApplyRequest{Raw: string(now.Parsed), BaseHash: "not-the-hash"})
	if !errcode.Is(err, errcode.Conflict) || !errcode.HasReason(err, errcode.ReasonStaleBase) {
		t.Fatalf("a stale base gave %v", err)
	}
	_, err = c.ConfigApply(long, client.ApplyRequest{Raw: "agents:\n  a: 1\n", BaseHash: now.Hash})
	if !errcode.HasReason(err, errcode.ReasonRejected) {
		if !errcode.HasReason(err, errcode.ReasonRateLimited) { // the third write within a minute
			t.Fatalf("YAML gave %v", err)
		}
	}
	if _, err := c.Call(long, "no.such.method", struct{}{}); !errcode.HasReason(err, errcode.ReasonRejected) {
		t.Fatalf("an unknown method gave %v", err)
	}
	again, err := c.ConfigGet(long)
	if err != nil || again.Hash != now.Hash {
		t.Fatalf("a refused apply changed the config: %v", err)
	}
}

// GW-9: a message is sent, its reply streams in, and history and list show it.
func realChat(t *testing.T, long context.Context, c *client.Client) {
	t.Helper()
	events := c.Events(4096)
	defer events.Close()
	const key, words = "agent:writer:main", "hello from AgentFlow"
	sent, err := c.ChatSend(long, client.ChatMessage{SessionKey: key, Message: words})
	if err != nil {
		t.Fatal(err)
	}
	last := ""
	for done := false; !done; {
		select {
		case e, ok := <-events.C():
			if !ok {
				t.Fatalf("the reader was cut: %v", events.Err())
			}
			chat, is := client.ParseChatEvent(e)
			if !is || chat.RunID != sent.RunID {
				continue
			}
			if chat.Text != "" {
				last = chat.Text
			}
			if done = chat.Done(); done && chat.State != "final" {
				t.Fatalf("the run ended with %+v", chat)
			}
		case <-long.Done():
			t.Fatal("no reply")
		}
	}
	if !strings.Contains(last, words) {
		t.Fatalf("the reply was %q", last)
	}
	history, err := c.ChatHistory(long, key, 10)
	if err != nil || len(history) < 2 || history[0].Role != "user" || history[0].Text() != words || history[0].Timestamp.IsZero() {
		t.Fatalf("history %+v, %v", history, err)
	}
	newest, err := c.History(long, client.HistoryQuery{SessionKey: key, Limit: 1})
	if err != nil || !newest.More || len(newest.Messages) != 1 {
		t.Fatalf("the last message %+v, %v", newest, err)
	}
	if newest.Next > 0 { // February's gateways give only the newest
		first, err := c.History(long, client.HistoryQuery{SessionKey: key, Limit: 10, Offset: newest.Next})
		if err != nil || len(first.Messages) == 0 || first.Messages[0].Text() != words || first.More {
			t.Fatalf("what came before is %+v, %v", first, err)
		}
	}
	list, err := c.SessionsList(long,
		client.SessionsQuery{Kinds: []string{"main"}, IncludeLastMessage: true, MessageLimit: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		if s.SessionKey == key && s.AgentID == "writer" && len(s.LastMessages) == 2 && !s.ActiveAt.IsZero() {
			return
		}
	}
	t.Fatalf("sessions %+v", list)
}

// realDelete shows the roster guard, and the way around it.
func realDelete(t *testing.T, long context.Context, c *client.Client, now client.Config) {
	t.Helper()
	var doc map[string]any
	if err := json.Unmarshal(now.Parsed, &doc); err != nil {
		t.Fatal(err)
	}
	delete(doc["agents"].(map[string]any)["entries"].(map[string]any), "writer")
	text, _ := json.Marshal(doc)
	current, err := c.ConfigGet(long)
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.ConfigApply(long, client.ApplyRequest{Raw: string(text), BaseHash: current.Hash})
	if !errcode.HasReason(err, errcode.ReasonRejected) || !strings.Contains(err.Error(), "writer") {
		t.Fatalf("dropping an agent gave %v", err)
	}
	res, err := c.AgentsDelete(long, "writer", true)
	// A busy gateway gives a deletion up that it has begun. The hub asks again as well.
	for try := 0; try < 3 && errcode.HasReason(err, errcode.ReasonLeaseLost); try++ {
		<-time.After(5 * time.Second)
		res, err = c.AgentsDelete(long, "writer", true)
	}
	if err != nil || res.AgentID != "writer" {
		t.Fatalf("delete gave %+v, %v", res, err)
	}
	after, err := c.ConfigGet(long)
	if err != nil || strings.Contains(string(after.Parsed), `"writer"`) {
		t.Fatalf("after the delete: %s, %v", after.Parsed, err)
	}
}

// realLogins shows a refused token, and the device token as the way back in.
func realLogins(t *testing.T, long context.Context, peer *gatewaytest.Real, device client.DeviceStore) {
	t.Helper()
	stranger := run(t, client.Options{URL: peer.URL, Token: token("wrong"), Timing: client.Timing{Call: time.Minute}})
	if err := stranger.WaitConnected(long); !errcode.HasReason(err, errcode.ReasonBadToken) {
		t.Fatalf("a wrong token gave %v", err)
	}
	known := run(t,
		client.Options{URL: peer.URL, Token: token("wrong"), Device: device, Timing: client.Timing{Call: time.Minute}})
	if err := known.WaitConnected(long); err != nil {
		t.Fatalf("the device token did not help: %v", err)
	}
	if _, err := known.ConfigGet(long); err != nil {
		t.Fatal(err)
	}
}
