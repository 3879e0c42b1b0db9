package client_test

import (
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/client"
)

func TestGW1_NormalizeURL(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"ws://localhost:18789":      "ws://localhost:18789/",
		"\tWS://LocalHost:18789/\n": "ws://localhost:18789/",
		"wss://Example.com":         "wss://example.com:443/",
		"ws://example.com/a%2Fb":    "ws://example.com:80/a%2Fb",
		"ws://[::1]:18789/gateway":  "ws://[::1]:18789/gateway",
	} {
		if got, err := client.NormalizeURL(in); err != nil || got != want {
			t.Errorf("%q gave %q, %v; want %q", in, got, err, want)
		}
	}
	for in, says := range map[string]string{
		"": "empty", "localhost:18789": "no scheme", "127.0.0.1": "no scheme", "http://x": "ws://", "https://x": "wss://", "ftp://x": "ws://",
		"ws://": "no host", "ws://user:hunter2@x": "user name or password", "ws://x?token=hunter2": "query", "ws://x#hunter2": "fragment",
		"ws://x:hunter2": "couldn't read", "ws://\x00hunter2": "couldn't read",
	} {
		_, err := client.NormalizeURL(in)
		if !errcode.Is(err, errcode.Validation) || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q gave %v; want words with %q", in, err, says)
		}
	}
}
