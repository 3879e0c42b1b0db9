package mcp

import "testing"

// No token is sent in clear text to a remote server.
func TestTR4_F16_NoTokenInClearToAServerElsewhere(t *testing.T) {
	for _, c := range []struct {
		url, token string
		ok         bool
	}{
		{"http://192.0.2.1/mcp", "secret", false}, {"http://tools.example/mcp", "secret", false},
		{"https://tools.example/mcp", "secret", true}, {"http://127.0.0.1:9/mcp", "secret", true}, {"http://tools.example/mcp", "", true},
	} {
		if _, err := New(Config{Name: "tools", URL: c.url, Token: c.token}); (err == nil) != c.ok {
			t.Errorf("%s with the token %q: %v", c.url, c.token, err)
		}
	}
}
