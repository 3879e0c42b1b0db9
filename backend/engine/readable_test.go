package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/model/llm"
	"agentflow/backend/server/httpapi"
	"agentflow/backend/server/httpapi/providersapi"
)

// A provider's key doesn't go to another computer over http, unless its entry accepts that.
func TestTR4_F16_KeyIsNotSentInClear(t *testing.T) {
	t.Parallel()
	dir, key := t.TempDir(), providerKey
	h := startHub(t, dir)
	const elsewhere = "http://192.0.2.1/v1"
	status, fail := h.call("POST", "/api/providers", edit(elsewhere, &key), nil)
	if status != 400 || fail.Reason() != errcode.ReasonReadable || fail.Details[errcode.KeyField] != "baseUrl" || !strings.Contains(fail.Message, "https://") || strings.Contains(fail.Message, key) {
		t.Fatalf("taken: %d %v", status, fail)
	}
	if secrets, _ := os.ReadFile(filepath.Join(dir, "secrets.json")); strings.Contains(string(secrets), key) {
		t.Error("the key was kept")
	}
	var trial providersapi.Trial
	h.must("POST", "/api/provider-test", map[string]any{"provider": edit(elsewhere, &key)}, &trial)
	if trial.Failure == nil || trial.Failure.Reason() != errcode.ReasonReadable {
		t.Fatalf("tried: %+v", trial.Failure)
	}

	var made providersapi.Provider
	h.must("POST", "/api/providers", edit(elsewhere, nil), &made) // there is nothing to read
	if status, fail = h.call("PUT", "/api/providers/mine", edit(elsewhere, &key), nil); status != 400 || fail.Reason() != errcode.ReasonReadable {
		t.Fatalf("given a key later: %d %v", status, fail)
	}
	accepted, yes := edit(elsewhere, &key), true
	accepted.Insecure = &yes
	h.must("PUT", "/api/providers/mine", accepted, &made)
	if made.Problem != nil || !made.AllowsInsecure || !made.HasKey {
		t.Fatalf("accepted: %+v", made)
	}
	if file, err := os.ReadFile(filepath.Join(dir, "agentflow.yaml")); err != nil || !strings.Contains(string(file), "insecure: true") {
		t.Fatalf("the file: %v %s", err, file)
	}
	h.must("PUT", "/api/providers/mine", edit(elsewhere, nil), &made)
	if !made.AllowsInsecure {
		t.Error("an edit that doesn't name it takes it back")
	}
	if status, fail = h.call("PUT", "/api/providers/mine", edit("http://192.0.2.2/v1", &key), nil); status != 400 || fail.Reason() != errcode.ReasonReadable {
		t.Errorf("it holds for another address: %d %v", status, fail)
	}
}

// A key that was in the environment or the file before is reported, and not sent.
func TestTR4_F16_KeyOfTheEnvironmentIsNotSentInClear(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", providerKey)
	t.Setenv("OPENAI_BASE_URL", "http://192.0.2.1/v1")
	h := startHub(t, t.TempDir())
	var list struct{ Providers []providersapi.Provider }
	h.must("GET", "/api/providers", nil, &list)
	if p := list.Providers[0]; p.Problem == nil || p.Problem.Reason() != errcode.ReasonReadable {
		t.Errorf("listed as %+v", p)
	}
	var offer llm.Offer
	h.must("GET", "/api/providers/openai/models", nil, &offer)
	if offer.Error == nil || offer.Error.Reason() != errcode.ReasonReadable {
		t.Errorf("asked: %+v", offer)
	}
}

func TestTR4_F16_GatewayTokenIsNotSentInClear(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	token, yes := "planted-gateway-token", true
	put := func(url string, token *string, insecure *bool) httpapi.GatewayEdit {
		return httpapi.GatewayEdit{Name: "far", URL: url, Token: token, Insecure: insecure}
	}
	const elsewhere = "ws://192.0.2.1:18789"
	status, fail := h.call("POST", "/api/gateways", put(elsewhere, &token, nil), nil)
	if status != 400 || fail.Reason() != errcode.ReasonReadable || fail.Details[errcode.KeyField] != "url" || !strings.Contains(fail.Message, "wss://") || strings.Contains(fail.Message, token) {
		t.Fatalf("taken: %d %v", status, fail)
	}
	var made httpapi.Gateway
	h.must("POST", "/api/gateway-test", put(elsewhere, &token, nil), &made)
	if made.Error == nil || made.Error.Reason() != errcode.ReasonReadable {
		t.Fatalf("tried: %+v", made)
	}
	h.must("POST", "/api/gateways", put(elsewhere, nil, nil), &made)
	if status, fail = h.call("PUT", "/api/gateways/far", put(elsewhere, &token, nil), nil); status != 400 || fail.Reason() != errcode.ReasonReadable {
		t.Fatalf("given a token later: %d %v", status, fail)
	}
	h.must("PUT", "/api/gateways/far", put(elsewhere, &token, &yes), &made)
	if !made.AllowsInsecure || !made.HasToken {
		t.Fatalf("accepted: %+v", made)
	}
	h.must("PUT", "/api/gateways/far", put(elsewhere, nil, nil), &made)
	if !made.AllowsInsecure {
		t.Error("an edit that doesn't name it takes it back")
	}
	if status, fail = h.call("PUT", "/api/gateways/far", put("ws://192.0.2.2:18789", &token, nil), nil); status != 400 || fail.Reason() != errcode.ReasonReadable {
		t.Errorf("it holds for another address: %d %v", status, fail)
	}
}
