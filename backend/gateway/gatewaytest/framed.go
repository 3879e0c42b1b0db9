package gatewaytest

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gorilla/websocket"
)

func (c *conn) greet() {
	nonce := randomText()
	c.mu.Lock()
	c.nonce = nonce
	c.mu.Unlock()
	payload := map[string]any{"nonce": nonce, "ts": time.Now().UnixMilli()}
	if c.s.opts.Generation == Newest {
		payload["capabilities"] = []string{"model-catalog-snapshot"}
	}
	c.write(map[string]any{"type": "event", "event": "connect.challenge", "payload": payload})
}

type requestFrame struct {
	Type   string          `json:"type"`
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// takeFramed handles one frame; false ends the connection.
func (c *conn) takeFramed(data []byte) bool {
	var f requestFrame
	if json.Unmarshal(data, &f) != nil {
		return true
	}
	var id string
	if f.Type != "req" || json.Unmarshal(f.ID, &id) != nil || id == "" {
		no := invalid(
			"invalid request frame: must have required property 'type'; at root: unexpected property 'jsonrpc'; at /id: must be string",
		)
		if !c.loggedIn {
			no = invalid("invalid handshake: first request must be connect")
		}
		c.write(map[string]any{"type": "res", "id": "invalid", "ok": false, "error": no})
		return c.loggedIn || c.refuseLogin(no)
	}
	answer := func(payload any, no *refusal) {
		if no != nil {
			c.write(map[string]any{"type": "res", "id": id, "ok": false, "error": no})
			return
		}
		c.write(map[string]any{"type": "res", "id": id, "ok": true, "payload": payload})
	}
	if raw, ok := c.s.fault().RawAnswer[f.Method]; ok {
		c.writeText([]byte(strings.ReplaceAll(raw, "$ID", strconv.Quote(id))))
		return true
	}
	if !c.loggedIn {
		return c.first(f, answer)
	}
	c.serveMethod(f.Method, f.Params, answer)
	return true
}

// first takes the request that must be connect.
func (c *conn) first(f requestFrame, answer func(any, *refusal)) bool {
	no := invalid("invalid handshake: first request must be connect")
	if f.Method == "connect" {
		var hello any
		if hello, no = c.login(f.Params); no == nil {
			c.mu.Lock()
			c.loggedIn = true
			c.mu.Unlock()
			answer(hello, nil)
			return true
		}
	}
	answer(nil, no)
	return c.refuseLogin(no)
}

func (c *conn) refuseLogin(no *refusal) bool {
	code := websocket.ClosePolicyViolation
	switch {
	case no.Code == "UNAVAILABLE":
		code = websocket.CloseTryAgainLater
	case strings.HasPrefix(no.Message, "protocol mismatch"):
		code = websocket.CloseProtocolError
	}
	c.close(code, no.Message[:min(len(no.Message), 120)])
	return false
}

type connectParams struct {
	MinProtocol int            `json:"minProtocol"`
	MaxProtocol int            `json:"maxProtocol"`
	Client      map[string]any `json:"client"`
	Role        string         `json:"role"`
	Scopes      []string       `json:"scopes"`
	Caps        []string       `json:"caps"`
	Auth        struct {
		Token string `json:"token"`
	} `json:"auth"`
	Device struct {
		ID        string `json:"id"`
		PublicKey string `json:"publicKey"`
		Signature string `json:"signature"`
		SignedAt  int64  `json:"signedAt"`
		Nonce     string `json:"nonce"`
	} `json:"device"`
}

// login checks a connect as the real gateways do.
func (c *conn) login(raw json.RawMessage) (any, *refusal) {
	s, f := c.s, c.s.fault()
	s.mu.Lock()
	s.calls = append(s.calls, Call{Method: "connect", Params: raw})
	s.mu.Unlock()
	var p connectParams
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, invalid("invalid connect params: " + err.Error())
	}
	protocol := s.protocol()
	switch {
	case f.Unavailable:
		return nil, &refusal{Code: "UNAVAILABLE", Message: "gateway starting; retry shortly", Retryable: true, RetryAfterMs: 20,
			Details: map[string]any{"reason": "startup-sidecars"}}
	case p.MinProtocol > protocol || p.MaxProtocol < protocol:
		return nil, &refusal{
			Code:    "INVALID_REQUEST",
			Message: "protocol mismatch",
			Details: map[string]any{"expectedProtocol": protocol},
		}
	case p.Client["id"] != "gateway-client":
		return nil, invalid("invalid connect params: at /client/id: must be equal to constant")
	}
	if no := c.checkToken(p); no != nil {
		return nil, no
	}
	if no := c.checkDevice(p); no != nil {
		return nil, no
	}
	if f.PairingRequest != "" {
		return nil, &refusal{Code: "NOT_PAIRED", Message: "pairing required: device is not approved yet",
			Details: map[string]any{"code": "PAIRING_REQUIRED", "reason": "not-paired", "requestId": f.PairingRequest}}
	}
	c.scopes, c.caps = p.Scopes, p.Caps
	if f.Scopes != nil {
		c.scopes = f.Scopes
	}
	return c.hello(p.Device.ID), nil
}

func (c *conn) checkToken(p connectParams) *refusal {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	if want := c.s.Token; want == "" || p.Auth.Token == want {
		return nil
	}
	if p.Auth.Token != "" && p.Auth.Token == c.s.devices[p.Device.ID] {
		return nil
	}
	no := &refusal{
		Code:    "INVALID_REQUEST",
		Message: "unauthorized: gateway token mismatch (provide gateway auth token)",
		Details: map[string]any{"code": "AUTH_TOKEN_MISMATCH", "authReason": "token_mismatch"},
	}
	if p.Auth.Token == "" {
		no.Message = "unauthorized: gateway token missing (provide gateway auth token)"
		no.Details = map[string]any{"code": "AUTH_TOKEN_MISSING", "authReason": "token_missing"}
	}
	return no
}

func (c *conn) checkDevice(p connectParams) *refusal {
	public, err := base64.RawURLEncoding.DecodeString(p.Device.PublicKey)
	if err != nil || len(public) != ed25519.PublicKeySize {
		return &refusal{
			Code:    "NOT_PAIRED",
			Message: "device identity required",
			Details: map[string]any{"code": "DEVICE_IDENTITY_REQUIRED"},
		}
	}
	c.mu.Lock()
	nonce := c.nonce
	c.mu.Unlock()
	sum := sha256.Sum256(public)
	text := strings.Join([]string{
		"v2", p.Device.ID, "gateway-client", "ui", p.Role, strings.Join(p.Scopes, ","),
		strconv.FormatInt(p.Device.SignedAt, 10), p.Auth.Token, p.Device.Nonce,
	}, "|")
	sig, err := base64.RawURLEncoding.DecodeString(p.Device.Signature)
	switch {
	case p.Device.ID != hex.EncodeToString(sum[:]):
		return invalid("device identity mismatch")
	case p.Device.Nonce != nonce:
		return invalid("device nonce mismatch")
	case time.Since(time.UnixMilli(p.Device.SignedAt)).Abs() > 2*time.Minute:
		return invalid("device signature expired")
	case err != nil || !ed25519.Verify(public, []byte(text), sig):
		return invalid("device signature invalid")
	}
	return nil
}

func (s *Server) protocol() int {
	if s.opts.Generation == February {
		return 3
	}
	return 4
}

var februaryMethods = []string{
	"health", "status", "config.get", "config.set", "config.apply", "config.patch", "config.schema", "models.list",
	"agents.list", "agents.create", "agents.update", "agents.delete", "sessions.list", "sessions.preview",
	"chat.history", "chat.abort", "chat.send", "agents.files.list", "agents.files.get", "agents.files.set",
	"exec.approval.resolve", "sessions.reset", "sessions.compact",
	"cron.status", "cron.list", "cron.add", "cron.update", "cron.remove", "cron.run", "cron.runs",
	"tools.catalog", "skills.status",
}

var newestMethods = append(slices.Clone(februaryMethods),
	"config.schema.lookup", "sessions.subscribe", "sessions.create", "sessions.fork", "exec.approval.list",
	"plugin.approval.list", "plugin.approval.resolve", "plugins.list", "question.list", "question.resolve",
	methodEffective)

func (c *conn) hello(deviceID string) map[string]any {
	s, f := c.s, c.s.fault()
	s.mu.Lock()
	if s.devices[deviceID] == "" {
		s.devices[deviceID] = "device-" + randomText()
	}
	deviceToken := s.devices[deviceID]
	s.mu.Unlock()
	methods, version := februaryMethods, "dev"
	if s.opts.Generation == Newest {
		methods, version = newestMethods, "2026.9.6"
	}
	methods = slices.DeleteFunc(slices.Clone(methods), func(m string) bool { return slices.Contains(f.Lacks, m) })
	maxPayload := int64(26214400)
	if f.MaxPayload > 0 {
		maxPayload = f.MaxPayload
	}
	return map[string]any{
		"type":     "hello-ok",
		"protocol": s.protocol(),
		"server":   map[string]any{"version": version, "connId": randomText()},
		"features": map[string]any{"methods": methods, "events": []string{"connect.challenge", "agent", "chat", "presence", "tick", "shutdown"}},
		"auth":     map[string]any{"deviceToken": deviceToken, "role": "operator", "scopes": c.scopes, "issuedAtMs": time.Now().UnixMilli()},
		"policy":   map[string]any{"maxPayload": maxPayload, "maxBufferedBytes": 52428800, "tickIntervalMs": s.opts.Tick.Milliseconds()},
	}
}
