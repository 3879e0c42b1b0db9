package client_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/gatewaytest"
)

// kinds is every kind of gateway. What follows must hold on each.
var kinds = map[string]gatewaytest.Options{
	"framed/newest":      {},
	"framed/february":    {Generation: gatewaytest.February},
	"jsonrpc":            {Dialect: client.DialectJSONRPC},
	"jsonrpc/raw+notify": {Dialect: client.DialectJSONRPC, Raw: true, Notify: true},
	"jsonrpc/no-ids":     {Dialect: client.DialectJSONRPC, NoIDs: true},
	"jsonrpc/open":       {Dialect: client.DialectJSONRPC, Token: "-"},
}

func eachKind(t *testing.T, test func(t *testing.T, o gatewaytest.Options)) {
	for name, o := range kinds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, o)
		})
	}
}

// addAgent returns the config's document with one more agent, in the document's own shape.
func addAgent(t *testing.T, parsed json.RawMessage, id string) string {
	t.Helper()
	var doc map[string]any
	if err := json.Unmarshal(parsed, &doc); err != nil {
		t.Fatal(err)
	}
	agents, _ := doc["agents"].(map[string]any)
	agent := map[string]any{"name": strings.ToUpper(id), "subagents": map[string]any{"allowAgents": []any{"main"}}}
	switch {
	case agents["entries"] != nil:
		agents["entries"].(map[string]any)[id] = agent
	case agents["list"] != nil:
		agent["id"] = id
		agents["list"] = append(agents["list"].([]any), agent)
	default:
		agents[id] = agent
	}
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// GW-1, GW-2, GW-3, GW-10: connect, read, apply and read again, on every kind of gateway.
func TestGW10_ReadApplyRead(t *testing.T) {
	t.Parallel()
	eachKind(t, func(t *testing.T, o gatewaytest.Options) {
		s := gatewaytest.Start(t, o)
		c := dial(t, s)
		st := c.Status()
		if want := o.Dialect; want != "" && st.Dialect != want || want == "" && st.Dialect != client.DialectFramed {
			t.Fatalf("dialect %q", st.Dialect)
		}
		cfg, err := c.ConfigGet(ctx(t))
		if err != nil {
			t.Fatal(err)
		}
		if cfg.Hash != s.Hash() || !cfg.Valid {
			t.Fatalf("hash %q, valid %v; want %q, true", cfg.Hash, cfg.Valid, s.Hash())
		}
		if strings.Contains(string(cfg.Parsed), "secret") && !strings.Contains(string(cfg.Parsed), gatewaytest.Redacted) {
			t.Fatalf("secrets are not masked: %s", cfg.Parsed)
		}
		if strings.Contains(string(cfg.Parsed), "commands") {
			t.Fatal("the document to edit holds defaults; writing it back would freeze them")
		}
		if (cfg.Raw != "") != (cfg.RawFormat != "") || o.Raw && cfg.RawFormat != "yaml" {
			t.Fatalf("raw %q, format %q", cfg.Raw, cfg.RawFormat)
		}
		res, err := c.ConfigApply(ctx(t),
			client.ApplyRequest{Raw: addAgent(t, cfg.Parsed, "dev-1"), BaseHash: cfg.Hash, Note: "a note"})
		if err != nil {
			t.Fatal(err)
		}
		february := o.Generation == gatewaytest.February
		if res.Restart != february || (res.Hash == "") != february {
			t.Fatalf("apply gave %+v", res)
		}
		if february {
			waitState(t, c, "the restart", func(client.Status) bool { return s.Restarts() == 1 })
			if err := c.WaitConnected(ctx(t)); err != nil {
				t.Fatal(err)
			}
		}
		after, err := c.ConfigGet(ctx(t))
		if err != nil {
			t.Fatal(err)
		}
		if after.Hash == cfg.Hash || !strings.Contains(string(after.Parsed), "dev-1") || res.Hash != "" && res.Hash != after.Hash {
			t.Fatalf("after the apply: hash %q, %s", after.Hash, after.Parsed)
		}
		kept, _ := json.Marshal(s.Config())
		if o.Dialect != client.DialectJSONRPC && !strings.Contains(string(kept), "the-provider-secret") {
			t.Fatalf("the secret was lost: %s", kept)
		}
		if s.Count("config.apply") != 1 {
			t.Fatalf("config.apply was sent %d times", s.Count("config.apply"))
		}
	})
}

// GW-3: a base that is not current is refused, and nothing is written.
func TestGW3_StaleBase(t *testing.T) {
	t.Parallel()
	eachKind(t, func(t *testing.T, o gatewaytest.Options) {
		s := gatewaytest.Start(t, o)
		c := dial(t, s)
		cfg, err := c.ConfigGet(ctx(t))
		if err != nil {
			t.Fatal(err)
		}
		doc := s.Config()
		doc["x"] = 1
		s.SetConfig(doc)
		want := s.Hash()
		_, err = c.ConfigApply(ctx(t), client.ApplyRequest{Raw: addAgent(t, cfg.Parsed, "dev-1"), BaseHash: cfg.Hash})
		if !errcode.Is(err, errcode.Conflict) || !errcode.HasReason(err, errcode.ReasonStaleBase) {
			t.Fatalf("got %v", err)
		}
		if s.Hash() != want {
			t.Fatal("a stale apply wrote something")
		}
	})
}

// GW-4, GW-5, GW-9: sessions, chat and history have one form.
func TestGW5_SessionsChatHistory(t *testing.T) {
	t.Parallel()
	eachKind(t, func(t *testing.T, o gatewaytest.Options) {
		s := gatewaytest.Start(t, o)
		c := dial(t, s)
		events := c.Events(1024)
		defer events.Close()
		const key = "agent:main:main"
		for _, text := range []string{"one", "two [Fri 2026-11-20 09:30 UTC] words"} {
			sent, err := c.ChatSend(ctx(t),
				client.ChatMessage{SessionKey: key, Message: text, IdempotencyKey: "id-" + text[:3]})
			if err != nil || !sent.Success || sent.MessageID != "id-"+text[:3] {
				t.Fatalf("sent %+v, %v", sent, err)
			}
		}
		history, err := c.ChatHistory(ctx(t), key, 3)
		if err != nil || len(history) != 3 {
			t.Fatalf("history %+v, %v", history, err)
		}
		got := history[1]
		if got.Role != "user" || got.Text() != "two [Fri 2026-11-20 09:30 UTC] words" || time.Since(got.Timestamp) > time.Minute {
			t.Fatalf("the user's words came back as %+v", got)
		}
		last, err := c.History(ctx(t), client.HistoryQuery{SessionKey: key, Limit: 3})
		if pages := o.Dialect != client.DialectJSONRPC && o.Generation != gatewaytest.February; err != nil || len(last.Messages) != 3 || !last.More || (last.Next > 0) != pages {
			t.Fatalf("the last three are %+v, %v", last, err)
		}
		if last.Next > 0 {
			first, err := c.History(ctx(t), client.HistoryQuery{SessionKey: key, Limit: 3, Offset: last.Next})
			if err != nil || len(first.Messages) != 1 || first.Messages[0].Text() != "one" || first.More || first.Next != 0 {
				t.Fatalf("what came before is %+v, %v", first, err)
			}
		}
		list, err := c.SessionsList(ctx(t),
			client.SessionsQuery{Kinds: []string{"main"}, IncludeLastMessage: true, MessageLimit: 3})
		if err != nil || len(list) != 1 {
			t.Fatalf("sessions %+v, %v", list, err)
		}
		if row := list[0]; row.SessionKey != key || row.AgentID != "main" || row.Kind != "main" || row.ActiveAt.IsZero() || len(row.LastMessages) != 3 {
			t.Fatalf("session %+v", row)
		}
		if none, err := c.SessionsList(ctx(t), client.SessionsQuery{Kinds: []string{"group"}}); o.Dialect != client.DialectJSONRPC && (err != nil || len(none) != 0) {
			t.Fatalf("sessions of another kind: %+v, %v", none, err)
		}
		if c.Features().Events {
			replyArrives(t, events.C(), gatewaytest.Reply("one"))
		}
	})
}

func replyArrives(t *testing.T, events <-chan client.Event, want string) {
	t.Helper()
	deadline := time.After(10 * time.Second)
	for {
		select {
		case e := <-events:
			if chat, ok := client.ParseChatEvent(e); ok && chat.Done() && chat.Text == want {
				if chat.RunID != "id-one" || chat.AgentID != "main" {
					t.Fatalf("chat event %+v", chat)
				}
				return
			}
		case <-deadline:
			t.Fatalf("no event said %q", want)
		}
	}
}

// Agents vanish from a guarded roster by AgentsDelete only.
func TestGW10_RosterGuardAndDelete(t *testing.T) {
	t.Parallel()
	s := gatewaytest.Start(t, gatewaytest.Options{})
	c := dial(t, s)
	if f := c.Features(); !f.RosterGuard || !f.AgentsDelete || !f.HotApply || f.ApplyFormat != "json5" || !f.Has("config.get") {
		t.Fatalf("features %+v", f)
	}
	before, err := c.ConfigGet(ctx(t))
	if err != nil {
		t.Fatal(err)
	}
	res, err := c.ConfigApply(ctx(t),
		client.ApplyRequest{Raw: addAgent(t, before.Parsed, "dev-1"), BaseHash: before.Hash})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.ConfigApply(ctx(t), client.ApplyRequest{Raw: string(before.Parsed), BaseHash: res.Hash})
	if !errcode.HasReason(err, errcode.ReasonRejected) || !strings.Contains(err.Error(), "dev-1") {
		t.Fatalf("dropping an agent gave %v", err)
	}
	if got, err := c.AgentsDelete(ctx(t), "dev-1", true); err != nil || got.AgentID != "dev-1" {
		t.Fatalf("delete gave %+v, %v", got, err)
	}
	after, err := c.ConfigGet(ctx(t))
	if err != nil || strings.Contains(string(after.Parsed), "dev-1") {
		t.Fatalf("after the delete: %s, %v", after.Parsed, err)
	}
	if _, err := c.AgentsDelete(ctx(t), "dev-1", true); !errcode.HasReason(err, errcode.ReasonRejected) {
		t.Fatalf("deleting nobody gave %v", err)
	}
}

// GW-6: refusals keep what a person needs to mend them.
func TestGW6_RejectedConfigNamesIssues(t *testing.T) {
	t.Parallel()
	s := gatewaytest.Start(t, gatewaytest.Options{Generation: gatewaytest.February})
	c := dial(t, s)
	raw := `{agents: {list: [{id: "main", bogus: 1}]}}`
	_, err := c.ConfigApply(ctx(t), client.ApplyRequest{Raw: raw, BaseHash: s.Hash()})
	e := errcode.From(err)
	issues, _ := e.Details["issues"].([]client.Issue)
	if e.Code != errcode.Gateway || e.Reason() != errcode.ReasonRejected || len(issues) != 1 || issues[0].Path != "agents.list.0" {
		t.Fatalf("got %v, details %v", err, e.Details)
	}
}

// GW-6: the seed's string codes, and numbers, both mean what they say.
func TestGW6_ErrorCodes(t *testing.T) {
	t.Parallel()
	s := gatewaytest.Start(t, gatewaytest.Options{Dialect: client.DialectJSONRPC})
	c := dial(t, s)
	cases := map[string]struct {
		answer string
		code   errcode.Code
		reason string
	}{
		"unauthorized": {`{"jsonrpc":"2.0","id":$ID,"error":{"code":"UNAUTHORIZED","message":"no"}}`, errcode.Unauthorized, errcode.ReasonBadToken},
		"not found":    {`{"id":$ID,"error":{"code":"NOT_FOUND","message":"no such session"}}`, errcode.NotFound, ""},
		"validation":   {`{"error":{"code":"VALIDATION_ERROR","message":"limit is no number"}}`, errcode.Validation, ""},
		"gateway":      {`{"jsonrpc":"2.0","id":"$ID","error":{"code":"GATEWAY_ERROR","message":"x"}}`, errcode.Gateway, errcode.ReasonRejected},
		"internal":     {`{"jsonrpc":"2.0","id":$ID,"error":{"code":"INTERNAL_ERROR","message":"x"}}`, errcode.Internal, ""},
		"number":       {`{"jsonrpc":"2.0","id":$ID,"error":{"code":-32601,"message":"method not found"}}`, errcode.Gateway, errcode.ReasonRejected},
		"rate":         {`{"jsonrpc":"2.0","id":$ID,"error":{"code":429,"message":"slow down","data":{"retryAfterMs":1500.5}}}`, errcode.Gateway, errcode.ReasonRateLimited},
		"forbidden":    {`{"jsonrpc":"2.0","id":$ID,"error":{"code":"FORBIDDEN","message":"no"}}`, errcode.Gateway, errcode.ReasonNoScope},
		"text":         {`{"jsonrpc":"2.0","id":$ID,"error":"just text"}`, errcode.Gateway, errcode.ReasonRejected},
		"odd":          {`{"jsonrpc":"2.0","id":$ID,"error":[1]}`, errcode.Gateway, errcode.ReasonRejected},
		"no object":    {`{"jsonrpc":"2.0","id":$ID,"result":7}`, errcode.Gateway, errcode.ReasonRejected},
		"null":         {`{"jsonrpc":"2.0","id":$ID,"result":null}`, errcode.Gateway, errcode.ReasonRejected},
		"deep":         {`{"jsonrpc":"2.0","id":$ID,"result":` + gatewaytest.Deep(5000) + `}`, errcode.Gateway, errcode.ReasonRejected},
		"not utf-8":    {"{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"messages\":[\"\xff\"]}}", errcode.Gateway, errcode.ReasonRejected},
	}
	refusal := func(reason string) string {
		return `{"jsonrpc":"2.0","id":$ID,"error":{"code":"FORBIDDEN","message":"it waits","details":{"reason":"` +
			reason + `"}}}`
	}
	waits, odd := cases["forbidden"], cases["forbidden"]
	waits.answer, waits.code, waits.reason = refusal("waits_for_trust"), errcode.Forbidden, "waits_for_trust"
	odd.answer = refusal("<b>")
	cases["forbidden, and why"], cases["forbidden, and why in no word"] = waits, odd
	for name, tc := range cases {
		s.SetFaults(gatewaytest.Faults{RawAnswer: map[string]string{"chat.history": tc.answer}})
		_, err := c.ChatHistory(ctx(t), "agent:main:main", 1)
		if !errcode.Is(err, tc.code) || errcode.From(err).Reason() != tc.reason {
			t.Errorf("%s: got %v (%+v), want %s %s", name, err, errcode.From(err), tc.code, tc.reason)
		}
	}
	if s := c.Status(); s.State != client.StateConnected {
		t.Fatalf("an error answer cost the link: %+v", s)
	}
}

// The newest gateways with several agents and no default one list their models for an agent only (OpenClaw 2026.9.6).
func TestGW10_ModelsOfAGatewayWithoutADefaultAgent(t *testing.T) {
	t.Parallel()
	s := gatewaytest.Start(t, gatewaytest.Options{})
	s.SetConfig(map[string]any{"agents": map[string]any{
		"ownership": "explicit",
		"entries":   map[string]any{"lead": map[string]any{}, "night_watch": map[string]any{}},
	}})
	c := dial(t, s)
	if models, err := c.Models(ctx(t)); err != nil || len(models) != 1 || models[0].Ref != "fake/fake-1" {
		t.Fatalf("models %+v, %v", models, err)
	}
}

func TestModels(t *testing.T) {
	t.Parallel()
	c := dial(t, gatewaytest.Start(t, gatewaytest.Options{}))
	models, err := c.Models(ctx(t))
	if err != nil || len(models) != 1 || models[0].Ref != "fake/fake-1" || models[0].ContextWindow != 64000 {
		t.Fatalf("models %+v, %v", models, err)
	}
	plain := dial(t, gatewaytest.Start(t, gatewaytest.Options{Dialect: client.DialectJSONRPC}))
	if _, err := plain.Models(ctx(t)); !errcode.HasReason(err, errcode.ReasonRejected) {
		t.Fatalf("a gateway without models gave %v", err)
	}
}
