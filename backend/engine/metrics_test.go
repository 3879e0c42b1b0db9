package engine_test

import (
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// The numbers are the owner's, hold no secret and are what a collector can read.
func TestMetricsAreTheOwners(t *testing.T) {
	t.Parallel()
	h := startHub(t, withGateway(t, "ws://127.0.0.1:1", "planted-gateway-token"))
	get := func(token string) (int, string) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.e.URL()+"/metrics", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		if token != "" {
			req.Header.Set("Authorization", "Bearer "+token)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = res.Body.Close() }()
		body, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return res.StatusCode, string(body)
	}
	if status, _ := get(""); status != http.StatusUnauthorized {
		t.Errorf("without a token: %d", status)
	}
	status, text := get(h.e.Token())
	if status != http.StatusOK || !strings.Contains(text, "agentflow_teams 1\n") || !strings.Contains(text, "agentflow_drawn_agents 5\n") || !strings.Contains(text, `agentflow_gateways{state="connected"} 1`) {
		t.Errorf("%d\n%s", status, text)
	}
	line := regexp.MustCompile(`^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z]+="[^"]*"\})? -?[0-9]+)$`)
	for _, l := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if !line.MatchString(l) {
			t.Errorf("a collector cannot read %q", l)
		}
	}
	for _, secret := range []string{"planted-gateway-token", h.e.Token(), "127.0.0.1"} {
		if strings.Contains(text, secret) {
			t.Errorf("it tells %q", secret)
		}
	}
}
