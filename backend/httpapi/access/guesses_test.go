package access

import (
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"agentflow/backend/errcode"
)

// Who tries tokens is held up; who has the right one, or none, is not.
func TestCH8_GuessingTokensIsHeldUp(t *testing.T) {
	c := New("right", nil, func(w http.ResponseWriter, err *errcode.Error) { w.WriteHeader(err.HTTPStatus()) })
	server := httptest.NewServer(c.Guard(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })))
	defer server.Close()
	c.Listen(server.Listener.Addr().(*net.TCPAddr))
	ask := func(token string) int {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/api/rooms", nil)
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
		_ = res.Body.Close()
		return res.StatusCode
	}
	seen := map[int]int{}
	for range 3 * guessesAtOnce {
		seen[ask("wrong")]++
	}
	if seen[http.StatusUnauthorized] < guessesAtOnce || seen[http.StatusTooManyRequests] == 0 {
		t.Errorf("wrong tokens were answered %v", seen)
	}
	if got := ask("right"); got != http.StatusNoContent {
		t.Errorf("the right token: %d", got)
	}
	if got := ask(""); got != http.StatusUnauthorized {
		t.Errorf("no token: %d", got)
	}
}
