package engine_test

import (
	"encoding/json"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/engine"
	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/gatewaytest"
	"agentflow/backend/server/httpapi"
	"agentflow/backend/team/topology"
)

func TestGW8_SeedRoutesOverTheLocalGateway(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	var got struct {
		Config   struct{ Agents map[string]json.RawMessage }
		BaseHash string
		Raw      string
	}
	h.must("POST", "/api/gateway/config/get", map[string]any{}, &got)
	if len(got.Config.Agents) != 5 || got.BaseHash == "" {
		t.Fatalf("config.get: %d agents, hash %q", len(got.Config.Agents), got.BaseHash)
	}

	raw := "# a comment that stays\n" + got.Raw
	var applied struct {
		Success bool
		NewHash string
	}
	h.must("POST", "/api/gateway/config/apply", map[string]any{"raw": raw, "baseHash": got.BaseHash, "reason": "test"},
		&applied)
	if !applied.Success || applied.NewHash == "" || applied.NewHash == got.BaseHash {
		t.Errorf("config.apply: %+v", applied)
	}
	status, err := h.call("POST", "/api/gateway/config/apply", map[string]any{"raw": raw, "baseHash": got.BaseHash}, nil)
	if status != 409 || err.Code != errcode.Conflict || err.Reason() != errcode.ReasonStaleBase || err.Details[errcode.KeySnapshot] == nil {
		t.Errorf("a stale base: %d %+v", status, err)
	}
	h.must("POST", "/api/gateway/config/get", map[string]any{}, &got)
	if got.Raw != raw {
		t.Error("the local gateway did not keep the text byte for byte")
	}

	var sent struct {
		Success   bool
		MessageID string
	}
	message := map[string]any{"sessionKey": "agent:lead:main", "message": "こんにちは", "idempotencyKey": "k1"}
	h.must("POST", "/api/gateway/chat/send", message, &sent)
	if !sent.Success || sent.MessageID == "" {
		t.Errorf("chat.send: %+v", sent)
	}
	first := sent.MessageID
	h.must("POST", "/api/gateway/chat/send", message, &sent)
	if sent.MessageID != first {
		t.Error("the same idempotency key stored a second message")
	}
	var history struct{ Messages []client.Message }
	h.must("POST", "/api/gateway/chat/history", map[string]any{"sessionKey": "agent:nobody:main", "limit": 20},
		&history)
	if history.Messages == nil || len(history.Messages) > 0 {
		t.Errorf("chat.history of a session in which nobody has spoken: %+v", history.Messages)
	}
	poll(t, func() bool {
		h.must("POST", "/api/gateway/chat/history", map[string]any{"sessionKey": "agent:lead:main", "limit": 20},
			&history)
		return len(history.Messages) == 2
	})
	if m := history.Messages[1]; m.Role != "assistant" || !strings.Contains(m.Text(), "デモ") {
		t.Errorf("the demo's answer does not say that it is one: %+v", m)
	}
	var list struct{ Sessions []client.Session }
	h.must("POST", "/api/gateway/sessions/list",
		map[string]any{"kinds": []string{"main"}, "includeLastMessage": true, "messageLimit": 5}, &list)
	if len(list.Sessions) != 1 || list.Sessions[0].AgentID != "lead" || len(list.Sessions[0].LastMessages) != 2 {
		t.Errorf("sessions.list: %+v", list.Sessions)
	}
}

func TestGW6_GW8_GatewayErrorsAre502(t *testing.T) {
	t.Parallel()
	peer := gatewaytest.Start(t, gatewaytest.Options{Dialect: client.DialectJSONRPC})
	h := startHub(t, withGateway(t, peer.URL, peer.Token))
	h.connected("studio")
	peer.SetFaults(gatewaytest.Faults{
		RawAnswer: map[string]string{"config.get": `{"error":{"code":"INTERNAL_ERROR","message":"boom"}}`},
	})
	status, err := h.call("POST", "/api/gateway/config/get", map[string]any{"gateway": "studio"}, nil)
	if status != 502 || err.Code != errcode.Gateway {
		t.Errorf("a failing gateway: %d %+v", status, err)
	}
	peer.SetFaults(gatewaytest.Faults{})
	status, err = h.call("POST", "/api/gateway/config/apply", map[string]any{"gateway": "studio"}, nil)
	if status != 400 || err.Code != errcode.Validation || err.Details[errcode.KeyField] == nil {
		t.Errorf("missing params: %d %+v", status, err)
	}
	status, err = h.call("POST", "/api/gateway/config/get", map[string]any{"gateway": "nobody"}, nil)
	if status != 404 || err.Code != errcode.NotFound {
		t.Errorf("an unknown gateway: %d %+v", status, err)
	}
	peer.Down()
	poll(t, func() bool {
		status, err = h.call("POST", "/api/gateway/config/get", map[string]any{"gateway": "studio"}, nil)
		return status == 502
	})
	if err.Code != errcode.Gateway {
		t.Errorf("a gateway that is away: %+v", err)
	}
}

// TestGW1_ATokenStaysWithItsAddress: moving a gateway to another address must not send
// the old one's token there.
func TestGW1_ATokenStaysWithItsAddress(t *testing.T) {
	t.Parallel()
	one := gatewaytest.Start(t, gatewaytest.Options{Dialect: client.DialectJSONRPC, Token: "secret-of-one"})
	two := gatewaytest.Start(t, gatewaytest.Options{Dialect: client.DialectJSONRPC, Token: "secret-of-two"})
	dir := t.TempDir()
	h := startHub(t, dir)
	h.must("POST", "/api/gateways", map[string]any{"name": "studio", "url": one.URL, "token": "secret-of-one"}, nil)
	h.connected("studio")
	h.must("PUT", "/api/gateways/studio", map[string]any{"name": "studio", "url": two.URL}, nil)
	poll(t, func() bool { return len(two.Upgrades()) > 0 })
	for _, header := range two.Upgrades() {
		if strings.Contains(header.Get("Authorization"), "secret-of-one") {
			t.Fatal("the token of one gateway went to another")
		}
		if header.Get("Origin") != "" {
			t.Error("an Origin was sent")
		}
	}
	settings, err := os.ReadFile(filepath.Join(dir, "agentflow.yaml"))
	if err != nil || strings.Contains(string(settings), "secret") {
		t.Errorf("the settings file holds a secret, or is not there (%v): %s", err, settings)
	}
	h.must("DELETE", "/api/gateways/studio", nil, nil)
	secrets, err := os.ReadFile(filepath.Join(dir, "secrets.json"))
	if err == nil && strings.Contains(string(secrets), two.Addr()) {
		t.Error("the token outlived its gateway")
	}
}

func TestGatewayTestKeepsNothing(t *testing.T) {
	t.Parallel()
	peer := gatewaytest.Start(t, gatewaytest.Options{})
	h := startHub(t, t.TempDir())
	var g httpapi.Gateway
	h.must("POST", "/api/gateway-test", map[string]any{"name": "x", "url": peer.URL, "token": peer.Token}, &g)
	if g.State != "connected" || g.Dialect != "framed" {
		t.Errorf("the right token: %+v", g)
	}
	h.must("POST", "/api/gateway-test", map[string]any{"name": "x", "url": peer.URL, "token": "wrong"}, &g)
	if g.State != "unauthorized" || g.Error == nil {
		t.Errorf("a wrong token: %+v", g)
	}
	if status, err := h.call("POST", "/api/gateway-test", map[string]any{"name": "x", "url": "localhost:1"}, nil); status != 400 || err.Code != errcode.Validation {
		t.Errorf("a bad address: %d %+v", status, err)
	}
	var out struct{ Gateways []httpapi.Gateway }
	h.must("GET", "/api/gateways", nil, &out)
	if len(out.Gateways) != 1 {
		t.Errorf("a test was kept: %+v", out.Gateways)
	}
}

func TestFaultWhatAHubRefusesToStartOn(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	bad := t.TempDir()
	if err := os.WriteFile(filepath.Join(bad, "agentflow.yaml"), []byte("gateways:\n  - name: a\n   url: x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct {
		opts engine.Options
		says string
	}{
		"port in use":     {engine.Options{DataDir: t.TempDir(), Listen: taken.Addr().String()}, "in use"},
		"beyond loopback": {engine.Options{DataDir: t.TempDir(), Listen: "0.0.0.0:0"}, "--insecure-http"},
		"no port":         {engine.Options{DataDir: t.TempDir(), Listen: "127.0.0.1"}, "ADDRESS:PORT"},
		"half a certificate": {
			engine.Options{DataDir: t.TempDir(), Listen: "127.0.0.1:0", TLSCert: "x"},
			"must be used together",
		},
		"missing certificate": {
			engine.Options{DataDir: t.TempDir(), Listen: "127.0.0.1:0", TLSCert: "x", TLSKey: "y"},
			"couldn't use the certificate",
		},
		"bad settings": {engine.Options{DataDir: bad, Listen: "127.0.0.1:0"}, "agentflow.yaml"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			e, err := engine.New(t.Context(), c.opts)
			if err == nil {
				_ = e.Close()
				t.Fatal("it started")
			}
			if !strings.Contains(err.Error(), c.says) {
				t.Errorf("%q does not say %q", err, c.says)
			}
		})
	}
}

func TestTheTokenFileIsTheOwnersAlone(t *testing.T) {
	t.Setenv("AGENTFLOW_TOKEN", "")
	dir := t.TempDir()
	h := startHub(t, dir)
	info, err := os.Stat(filepath.Join(dir, "token"))
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != fs.FileMode(0o600) {
		t.Errorf("mode %v", info.Mode())
	}
	token := h.e.Token()
	h.stop()
	if again := startHub(t, dir); again.e.Token() != token {
		t.Error("the token changed with a restart")
	}
}

func TestAPP5_ImportKeepsWhatIsDrawn(t *testing.T) {
	t.Parallel()
	peer := gatewaytest.Start(t, gatewaytest.Options{})
	h := startHub(t, withGateway(t, peer.URL, peer.Token))
	h.connected("studio")
	var d httpapi.Team
	h.must("POST", "/api/teams", map[string]any{"import": "studio"}, &d)
	id := string(d.ID)
	agent := d.Topology.Agents[0].ID
	h.edit(id, func(t *topology.Topology) {
		t.Agents[0].Role = "Coordinator"
		t.Layout[agent] = topology.Point{X: 640, Y: 320}
		t.Notes = append(t.Notes, topology.Note{ID: "n", Text: "本番はOpsだけ"})
		t.Groups = append(t.Groups, topology.Group{ID: "g", Name: "Build", Members: []topology.AgentID{agent}})
		t.Agents = append(
			t.Agents,
			topology.Agent{
				ID:          "new",
				Name:        "New",
				Connections: []topology.Connection{{TargetID: agent, Type: topology.Review}},
			},
		)
	})
	h.must("POST", "/api/teams/"+id+"/import", map[string]any{}, nil)
	d = h.team(id)
	a, _ := d.Topology.Agent(agent)
	fresh, ok := d.Topology.Agent("new")
	if a.Role != "Coordinator" || d.Topology.Layout[agent].X != 640 || len(d.Topology.Notes) != 1 || len(d.Topology.Groups) != 1 {
		t.Errorf("the import lost what only the team holds: %+v", d.Topology)
	}
	if !ok || len(fresh.Connections) != 1 || d.Unsent == 0 {
		t.Errorf("the import lost what was not applied yet: %+v, unsent %d", d.Topology.Agents, d.Unsent)
	}
}

func TestDriftIsNoticed(t *testing.T) {
	t.Parallel()
	peer := gatewaytest.Start(t, gatewaytest.Options{})
	h := startHub(t, withGateway(t, peer.URL, peer.Token))
	h.connected("studio")
	var d httpapi.Team
	h.must("POST", "/api/teams", map[string]any{"import": "studio"}, &d)
	drift := func() bool {
		var out struct{ Gateways []httpapi.Gateway }
		h.must("GET", "/api/gateways", nil, &out)
		return out.Gateways[1].Drift
	}
	if drift() {
		t.Fatal("drift right after the read")
	}
	h.foreign(`"agents"`, `"bindings":[],"agents"`)
	poll(t, drift)
	h.preview(string(d.ID), nil)
	poll(t, func() bool { return !drift() })
	peer.Down()
	config := peer.Config()
	config["bindings"] = []any{map[string]any{"agentId": "main", "match": map[string]any{"channel": "x"}}}
	peer.SetConfig(config)
	peer.Up()
	poll(t, drift)
}

// TestGW7_OneAgentFlowAppliesToAnother: role, persona and every kind of connection have
// a place there, and nothing restarts.
func TestGW7_OneAgentFlowAppliesToAnother(t *testing.T) {
	t.Parallel()
	other := startHub(t, t.TempDir())
	h := startHub(t, withGateway(t, "ws"+strings.TrimPrefix(other.e.URL(), "http")+"/gateway", other.e.Token()))
	h.connected("studio")
	var d httpapi.Team
	h.must("POST", "/api/teams", map[string]any{"import": "studio"}, &d)
	id := string(d.ID)
	h.edit(id, func(t *topology.Topology) {
		t.Agents[0].Persona = "手短に。"
		t.Agents[0].Connections = append(t.Agents[0].Connections,
			topology.Connection{TargetID: "reviewer", Type: topology.Communication})
	})
	p := h.preview(id, nil)
	if p.Sent != 2 || p.Restart.Needed || p.CommentsLost {
		t.Errorf("sent %d, restart %+v, comments lost %v", p.Sent, p.Restart, p.CommentsLost)
	}
	if a := h.apply(id, p, nil, false); a.Restarted {
		t.Error("it restarted")
	}
	var got struct{ Raw string }
	other.must("POST", "/api/gateway/config/get", map[string]any{}, &got)
	if !strings.Contains(got.Raw, "手短に。") || !strings.Contains(got.Raw, "reviewer") || !strings.HasPrefix(got.Raw, "#") {
		t.Errorf("the other one holds:\n%s", got.Raw)
	}
}

func TestTeamsFollowARenamedGateway(t *testing.T) {
	t.Parallel()
	peer := gatewaytest.Start(t, gatewaytest.Options{})
	h := startHub(t, withGateway(t, peer.URL, peer.Token))
	h.connected("studio")
	var d httpapi.Team
	h.must("POST", "/api/teams", map[string]any{"import": "studio"}, &d)
	h.must("PUT", "/api/gateways/studio", map[string]any{"name": "atelier", "url": peer.URL}, nil)
	h.connected("atelier")
	d = h.team(string(d.ID))
	if d.Gateway != "atelier" || d.Base == nil || d.Unsent != 0 {
		t.Errorf("gateway %q, base %v, unsent %d", d.Gateway, d.Base != nil, d.Unsent)
	}
	var kept struct{ Snapshots []httpapi.Snapshot }
	h.must("GET", "/api/gateways/atelier/snapshots", nil, &kept)
	if len(kept.Snapshots) == 0 {
		t.Error("the kept configs were left behind")
	}
}

// TestGW1_AnEnvironmentsTokenStaysWithItsAddress: the same, for a token named in the settings file.
func TestGW1_AnEnvironmentsTokenStaysWithItsAddress(t *testing.T) {
	t.Parallel()
	one := gatewaytest.Start(t, gatewaytest.Options{Dialect: client.DialectJSONRPC, Token: "secret-of-one"})
	two := gatewaytest.Start(t, gatewaytest.Options{Dialect: client.DialectJSONRPC, Token: "secret-of-two"})
	h := startHub(t, withGateway(t, one.URL, "secret-of-one"))
	h.connected("studio")
	h.must("PUT", "/api/gateways/studio", map[string]any{"name": "studio", "url": one.URL, "color": 4}, nil)
	h.connected("studio")
	h.must("PUT", "/api/gateways/studio", map[string]any{"name": "studio", "url": two.URL}, nil)
	poll(t, func() bool { return len(two.Upgrades()) > 0 })
	for _, header := range two.Upgrades() {
		if strings.Contains(header.Get("Authorization"), "secret-of-one") {
			t.Fatal("the token of one gateway went to another")
		}
	}
}

func TestAMovedGatewaysTokenIsForgotten(t *testing.T) {
	t.Parallel()
	one := gatewaytest.Start(t, gatewaytest.Options{Token: "secret-of-one"})
	two := gatewaytest.Start(t, gatewaytest.Options{Token: "secret-of-two"})
	dir := t.TempDir()
	h := startHub(t, dir)
	h.must("POST", "/api/gateways", map[string]any{"name": "studio", "url": one.URL, "token": "secret-of-one"}, nil)
	h.connected("studio")
	h.must("PUT", "/api/gateways/studio", map[string]any{"name": "studio", "url": two.URL, "token": "secret-of-two"},
		nil)
	h.connected("studio")
	kept, err := os.ReadFile(filepath.Join(dir, "secrets.json"))
	if err != nil || strings.Contains(string(kept), "secret-of-one") || !strings.Contains(string(kept), "secret-of-two") {
		t.Errorf("%v: %s", err, kept)
	}
}
