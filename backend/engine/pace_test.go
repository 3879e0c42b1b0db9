package engine_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A caller that submits too fast gets 429 with the time to wait.
func TestTR4_F18_WhoSubmitsTooFastIsTold(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	var made struct{ Token string }
	h.must("POST", "/api/security/callers", map[string]any{"name": "fast", "role": "tasks"}, &made)
	submit := func(token string) *http.Response {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.e.URL()+"/submit_task",
			strings.NewReader(`{"sessionId":"s","userPrompt":"hello","taskType":"chat"}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Content-Type", "application/json")
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		return res
	}
	var slowed *http.Response
	for began := time.Now(); slowed == nil; {
		if res := submit(made.Token); res.StatusCode == http.StatusTooManyRequests {
			slowed = res
		} else if res.StatusCode != http.StatusOK {
			t.Fatalf("it answered %s", res.Status)
		}
		if time.Since(began) > time.Minute {
			t.Fatal("nothing slowed it")
		}
	}
	if after, err := strconv.Atoi(slowed.Header.Get("Retry-After")); err != nil || after < 1 {
		t.Errorf("Retry-After is %q", slowed.Header.Get("Retry-After"))
	}
	if res := submit(h.e.Token()); res.StatusCode != http.StatusOK {
		t.Errorf("the owner was answered %s", res.Status)
	}
}
