package engine_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"agentflow/backend/base/errcode"
	"agentflow/backend/engine"
	"agentflow/backend/engine/enginetest"
)

const talkingTeam = "agents:\n  pm-1: {role: Coordinator, model: demo/echo, subagents: {allowAgents: [dev-1]}}\n  dev-1: {role: Developer, model: demo/echo}\n"

type guarded struct {
	Address, TLS, You, Fingerprint    string
	ForOthers                         string
	WrongTokens                       int
	Beyond, AllowFixed, AuditsPrompts bool
	Allow, Proxies                    []string
	Lockouts                          []struct{ Address string }
	Callers                           []guardedCaller
}

type guardedCaller struct{ ID, Name, Role, SeenAt, Token string }

// asked sends a request of the owner's that must be done.
func asked[T any](t *testing.T, h *enginetest.Hub, method, path string, in any) (out T) {
	t.Helper()
	if err := h.Client().Call(t.Context(), method, path, in, &out); err != nil {
		t.Fatal(method, path, err)
	}
	return out
}

// raw sends a request with any token and returns the status and what was said.
func raw(t *testing.T, h *enginetest.Hub, token, method, path, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, h.URL()+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Authorization", "Bearer "+token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	said, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(said)
}

// TestAG7_CallersComeInByEveryDoor: a caller does what the role permits by HTTP, SSE, WebSocket,
// A2A and MCP, and nothing else; the token is shown once and stored nowhere; a revoked caller is
// rejected at once, with the stream that is open, and after a restart.
func TestAG7_CallersComeInByEveryDoor(t *testing.T) {
	t.Parallel()
	h := enginetest.Start(t, engine.Options{})
	h.Apply(talkingTeam)
	reader := asked[guardedCaller](t, h, http.MethodPost, "/api/security/callers", map[string]string{"name": "monitor", "role": "reader"})
	tasker := asked[guardedCaller](t, h, http.MethodPost, "/api/security/callers", map[string]string{"name": "build box", "role": "tasks"})
	const work = `{"sessionId":"s","userPrompt":"hello","taskType":"chat"}`
	const message = `{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"kind":"message","role":"user","messageId":"m-1","parts":[{"kind":"text","text":"hello by A2A"}]},"configuration":{"blocking":false}}}`
	var made struct{ TaskID string }
	status, said := raw(t, h, tasker.Token, http.MethodPost, "/submit_task", work)
	if err := json.Unmarshal([]byte(said), &made); err != nil || status != http.StatusOK {
		t.Fatal(status, said)
	}
	for _, c := range []struct {
		who                guardedCaller
		method, path, body string
		want               int
	}{
		{reader, "GET", "/tasks/" + made.TaskID + "/status", "", 200},
		{reader, "GET", "/tasks/" + made.TaskID + "/events", "", 200},
		{reader, "POST", "/submit_task", work, 403},
		{reader, "POST", "/a2a", message, 403},
		{reader, "GET", "/api/security", "", 403},
		{reader, "GET", "/gateway", "", 403},
		{reader, "GET", "/ws?room=dev", "", 403},
		{reader, "GET", "/api/events", "", 403},
		{tasker, "POST", "/a2a", message, 200},
		{tasker, "GET", "/api/teams", "", 403},
		{tasker, "POST", "/tasks/x/result", "{}", 403},
		{tasker, "POST", "/api/inbox/x/answer", "{}", 403},
		{tasker, "POST", "/api/security/callers", `{"name":"me too","role":"tasks"}`, 403},
	} {
		if got, said := raw(t, h, c.who.Token, c.method, c.path, c.body); got != c.want {
			t.Errorf("%s %s by %s: %d, want %d: %s", c.method, c.path, c.who.Name, got, c.want, said)
		}
	}
	taskByMCP(t, h, reader.Token, tasker.Token)
	dir := h.DataDir()
	turned := asked[guardedCaller](t, h, http.MethodPost, "/api/security/callers/"+tasker.ID+"/rotate", nil)
	if a, _ := raw(t, h, tasker.Token, "GET", "/tasks", ""); a != 401 {
		t.Errorf("the old token: %d", a)
	}
	if a, _ := raw(t, h, turned.Token, "GET", "/tasks", ""); a != 200 {
		t.Errorf("the new token: %d", a)
	}
	roleIsChanged(t, h, turned, work)
	// Watch a task that no agent can take yet: its stream doesn't end before the caller is revoked.
	waits := watched(t, h, reader.Token)
	if err := h.Client().Call(t.Context(), http.MethodDelete, "/api/security/callers/"+reader.ID, nil, nil); err != nil {
		t.Fatal(err)
	}
	for { // what was on its way, and then the end
		if _, _, err := waits.ReadMessage(); err != nil {
			break
		}
	}
	a, said := raw(t, h, reader.Token, "GET", "/tasks", "")
	if a != 401 || !strings.Contains(said, "was revoked") || !strings.Contains(said, "ask the owner of the hub") {
		t.Errorf("who was revoked: %d %s", a, said)
	}
	now := asked[guarded](t, h, http.MethodGet, "/api/security", nil)
	if len(now.Callers) != 1 || now.Callers[0].Name != "build box" || now.Callers[0].SeenAt == "" || now.Callers[0].Token != "" || now.TLS != "none" || now.Beyond || now.You != "127.0.0.1" {
		t.Errorf("%+v", now)
	}
	h.Stop()
	for _, file := range []string{"callers.json", "audit.jsonl"} {
		data, err := os.ReadFile(filepath.Join(dir, file))
		info, serr := os.Stat(filepath.Join(dir, file))
		if err != nil || serr != nil || info.Mode().Perm() != 0o600 || strings.Contains(string(data), turned.Token) || strings.Contains(string(data), tasker.Token) {
			t.Errorf("%s holds a token, is open to others, or is not there: %v %v", file, err, serr)
		}
	}
	h = enginetest.Start(t, engine.Options{DataDir: dir})
	for token, want := range map[string]int{turned.Token: 200, reader.Token: 401, tasker.Token: 401} {
		if got, _ := raw(t, h, token, "GET", "/tasks", ""); got != want {
			t.Errorf("after a restart: %d, want %d", got, want)
		}
	}
}

// roleIsChanged makes a reader of a caller, and gives them tasks again.
func roleIsChanged(t *testing.T, h *enginetest.Hub, who guardedCaller, work string) {
	t.Helper()
	for _, c := range []struct {
		role string
		want int
	}{{"reader", http.StatusForbidden}, {"tasks", http.StatusOK}} {
		if changed := asked[guardedCaller](t, h, http.MethodPut, "/api/security/callers/"+who.ID, map[string]string{"name": who.Name, "role": c.role}); changed.Role != c.role {
			t.Errorf("%+v", changed)
		}
		if got, said := raw(t, h, who.Token, http.MethodPost, "/submit_task", work); got != c.want {
			t.Errorf("as %s: %d, want %d: %s", c.role, got, c.want, said)
		}
	}
}

// taskByMCP gives a task by MCP with the token that may, and shows that the other may not.
func taskByMCP(t *testing.T, h *enginetest.Hub, mayNot, may string) {
	t.Helper()
	bot := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	mcp := func(token string) (*sdk.ClientSession, error) {
		return bot.Connect(
			t.Context(),
			&sdk.StreamableClientTransport{
				Endpoint:             h.URL() + "/mcp",
				HTTPClient:           &http.Client{Transport: bearing{token: token}},
				MaxRetries:           -1,
				DisableStandaloneSSE: true,
			},
			nil,
		)
	}
	if _, err := mcp(mayNot); err == nil {
		t.Error("a reader gives tasks by MCP")
	}
	session, err := mcp(may)
	if err != nil {
		t.Fatal(err)
	}
	if res, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "submit_task", Arguments: map[string]any{"text": "hello by MCP"}}); err != nil || res.IsError {
		t.Error(res, err)
	}
	_ = session.Close()
}

// watched submits a task that waits for somebody with tools, and follows it by WebSocket.
func watched(t *testing.T, h *enginetest.Hub, token string) *websocket.Conn {
	t.Helper()
	made := asked[struct{ TaskID, Status string }](t, h, http.MethodPost, "/submit_task", map[string]any{"sessionId": "s", "userPrompt": "wait", "taskType": "command_execution"})
	conn, res, err := websocket.DefaultDialer.DialContext(t.Context(), "ws"+strings.TrimPrefix(h.URL(), "http")+"/tasks/"+made.TaskID+"/stream?after=0", http.Header{"Authorization": {"Bearer " + token}})
	if err != nil {
		t.Fatal(err, made)
	}
	_ = res.Body.Close()
	t.Cleanup(func() { _ = conn.Close() })
	if _, _, err := conn.ReadMessage(); err != nil { // what happened so far
		t.Fatal(err)
	}
	return conn
}

// TestAG5_TheAddressListHoldsAtOnce, over a restart, and never against who changes it; a list
// that was given at the start is not changed. (Who is inside when it changes is sent away: see
// the test for Linux, where one computer has many addresses.)
func TestAG5_TheAddressListHoldsAtOnce(t *testing.T) {
	t.Parallel()
	h := enginetest.Start(t, engine.Options{})
	put := func(sure bool, networks ...string) (now guarded, err error) {
		if networks == nil {
			networks = []string{}
		}
		err = h.Client().
			Call(t.Context(), http.MethodPut, "/api/security/networks", map[string]any{"allow": networks, "proxies": []string{}, "sure": sure}, &now)
		return now, err
	}
	if _, err := put(true, "192.0.2.0/24"); !errcode.HasReason(err, "locks_out") {
		t.Errorf("who changes the list is locked out: %v", err)
	}
	if _, err := put(false, "nonsense"); !errcode.HasReason(err, "no_network") {
		t.Errorf("nonsense: %v", err)
	}
	now, err := put(false, "127.0.0.1", "192.0.2.9/24", "192.0.2.0/24")
	if err != nil || !slices.Equal(now.Allow, []string{"127.0.0.1/32", "192.0.2.0/24"}) {
		t.Fatal(now, err)
	}
	dir := h.DataDir()
	h.Stop()
	h = enginetest.Start(t, engine.Options{DataDir: dir})
	if now := asked[guarded](t, h, http.MethodGet, "/api/security", nil); len(now.Allow) != 2 || now.AllowFixed {
		t.Errorf("%+v", now)
	}
	if now, err := put(false); err != nil || len(now.Allow) != 0 {
		t.Errorf("all are let in again: %+v %v", now, err)
	}
	h = enginetest.Start(t, engine.Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
	if _, err := put(false); !errcode.HasReason(err, "fixed") {
		t.Errorf("a list of the start was changed: %v", err)
	}
}

// TestAG7_TheAuditLogIsFilteredPagedAndExported; what was asked of agents stands in it only while
// that is switched on.
func TestAG7_TheAuditLogIsFilteredPagedAndExported(t *testing.T) {
	t.Parallel()
	h := enginetest.Start(t, engine.Options{})
	h.Apply(talkingTeam)
	submit := func(words string) {
		asked[struct{}](t, h, http.MethodPost, "/submit_task",
			map[string]any{"sessionId": "s", "userPrompt": words, "taskType": "chat"})
	}
	submit("first-unkept")
	if now := asked[guarded](t, h, http.MethodPut, "/api/security/audit", map[string]any{"auditsPrompts": true}); !now.AuditsPrompts {
		t.Errorf("%+v", now)
	}
	submit("second-kept")
	asked[struct{}](t, h, http.MethodPost, "/api/message",
		map[string]any{"room": "dev", "sender": "Aiko", "message": "third-kept"})
	asked[guarded](t, h, http.MethodPut, "/api/security/audit", map[string]any{"auditsPrompts": false})
	submit("fourth-unkept")
	raw(t, h, "a-guess", "GET", "/api/teams", "")

	type entry struct {
		Seq             int64
		Who, Path, Said string
		Status          int
	}
	type page struct {
		Entries []entry
		More    bool
	}
	var all []entry
	for before := int64(0); ; {
		got := asked[page](t, h, http.MethodGet, fmt.Sprintf("/api/security/audit?limit=2&before=%d", before), nil)
		all = append(all, got.Entries...)
		if !got.More {
			break
		}
		before = got.Entries[len(got.Entries)-1].Seq
	}
	if len(all) < 8 || all[0].Status != 401 || all[0].Said != "" {
		t.Fatalf("%+v", all)
	}
	said := []string{}
	for i, e := range all {
		if i > 0 && e.Seq != all[i-1].Seq-1 {
			t.Errorf("%d after %d", e.Seq, all[i-1].Seq)
		}
		if e.Said != "" {
			said = append(said, e.Said)
		}
	}
	if !slices.Equal(said, []string{"third-kept", "second-kept"}) {
		t.Errorf("%q", said)
	}
	if got := asked[page](t, h, http.MethodGet, "/api/security/audit?decision=refused&text=TEAMS", nil); len(got.Entries) != 1 || got.Entries[0].Who != "" {
		t.Errorf("%+v", got)
	}
	if got := asked[page](t, h, http.MethodGet, "/api/security/audit?who=owner&decision=done&text=/submit_task", nil); len(got.Entries) != 3 {
		t.Errorf("%+v", got)
	}
	status, lines := raw(t, h, h.Token(), "GET", "/api/security/audit.jsonl?text=submit_task", "")
	read := bufio.NewScanner(strings.NewReader(lines))
	n := 0
	for ; read.Scan(); n++ {
		var e entry
		if err := json.Unmarshal(read.Bytes(), &e); err != nil || e.Path != "/submit_task" {
			t.Errorf("%s %v", read.Text(), err)
		}
	}
	if status != 200 || n != 3 {
		t.Errorf("%d, %d lines: %s", status, n, lines)
	}
}

// TestCO3_DefaultBudgetsAreSet: they are kept in the settings file, and bound what is not bounded
// itself.
func TestCO3_DefaultBudgetsAreSet(t *testing.T) {
	t.Parallel()
	h := enginetest.Start(t, engine.Options{})
	type budgets struct {
		Task   map[string]any            `json:"task"`
		Agents map[string]map[string]any `json:"agents"`
	}
	in := budgets{
		Task: map[string]any{"tokens": 5000, "usd": 0.5, "seconds": 600},
		Agents: map[string]map[string]any{
			"writer": {"tokens": 0, "usd": 2, "seconds": 0},
			"gone":   {"tokens": 0, "usd": 0, "seconds": 0},
		},
	}
	if out := asked[budgets](t, h, http.MethodPut, "/api/budgets", in); len(out.Agents) != 1 {
		t.Fatal(out)
	}
	if b := h.Settings().Budget("writer"); b.Tokens != 5000 || b.USD != 2 || b.Seconds != 600 {
		t.Errorf("%+v", b)
	}
	if data, err := os.ReadFile(h.Settings().Path()); err != nil || !strings.Contains(string(data), "tokens: 5000") {
		t.Errorf("%s %v", data, err)
	}
	h.Apply(talkingTeam)
	made := asked[struct{ TaskID string }](t, h, http.MethodPost, "/submit_task",
		map[string]any{"sessionId": "s", "userPrompt": "hello", "taskType": "chat"})
	got := asked[struct {
		Task struct {
			Budget struct{ Tokens, Seconds int }
		}
		Budget struct{ Tokens, Seconds int }
	}](t, h, http.MethodGet, "/tasks/"+made.TaskID, nil)
	if max(got.Task.Budget.Tokens, got.Budget.Tokens) != 5000 {
		t.Errorf("a task has not got it: %+v", got)
	}
	in.Task["tokens"] = -1
	if err := h.Client().Call(t.Context(), http.MethodPut, "/api/budgets", in, nil); !errcode.Is(err, errcode.Validation) {
		t.Errorf("less than nothing: %v", err)
	}
}

// TestAG7_TheScreenKnowsHowTheHubListens: with which certificate, and what is refused.
func TestAG7_TheScreenKnowsHowTheHubListens(t *testing.T) {
	t.Parallel()
	h := enginetest.Start(t, engine.Options{TLSSelfSigned: true})
	now := asked[guarded](t, h, http.MethodGet, "/api/security", nil)
	if now.TLS != "made" || now.Fingerprint != h.Exposed().Fingerprint() || now.Fingerprint == "" || now.Beyond || !strings.HasPrefix(now.Address, "https://") {
		t.Errorf("%+v", now)
	}
}

// fromAddress dials from one of this computer's addresses.
func fromAddress(address string) func(ctx context.Context, network, to string) (net.Conn, error) {
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	return d.DialContext
}
