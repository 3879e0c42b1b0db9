package httpapi

import (
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"agentflow/backend/server/auth"
	"agentflow/backend/server/httpapi/internal/example"
)

var (
	placeholder = regexp.MustCompile(`\{[^}]*\}`)

	// What each may do beside the owner; the paths as the routes are described.
	looks = []string{
		"GET /status", "GET /metrics", "GET /docs", "GET /openapi.json", "GET /openapi.yaml", "GET /tasks", "GET /tasks/{taskId}",
		"GET /tasks/{taskId}/status", "GET /tasks/{taskId}/events", "GET /tasks/{taskId}/stream", "GET /api/tasks", "GET /api/task-agents",
	}
	gives = []string{
		"POST /submit_task", "POST /tasks", "POST /tasks/{taskId}/cancel", "POST /tasks/{taskId}/retry", "POST /a2a",
		"GET /mcp", "POST /mcp", "PUT /mcp", "PATCH /mcp", "DELETE /mcp", // it refuses all but POST itself
	}
	reports = []string{
		"GET /status", "POST /tasks/{taskId}/result", "POST /tasks/{taskId}/delegations", "GET /tasks/{taskId}/delegations/{childId}",
		"POST /api/inbox/questions", "GET /api/inbox/questions/{id}", "POST /api/llm-calls",
	}
	talks = []string{
		"GET /ws",
		"GET /api/messages",
		"POST /api/message",
		"GET /api/agents",
		"GET /api/rooms",
		"POST /api/inbox/questions",
		"GET /api/inbox/questions/{id}",
		"POST /api/llm-calls",
	}
	free = []string{
		"GET /",
		"GET /healthz",
		"GET /readyz",
		"GET /open/{code}",
		"POST /api/login",
		"GET /.well-known/agent-card.json",
	}
)

// TestAG6_EveryRouteKnowsWhoMayUseIt asks for every route that the hub has, described or not,
// as each that there can be. A new route is the owner's alone until it is named above.
func TestAG6_EveryRouteKnowsWhoMayUseIt(t *testing.T) {
	callers, err := auth.OpenCallers(filepath.Join(t.TempDir(), "callers.json"))
	if err != nil {
		t.Fatal(err)
	}
	_, reader, err := callers.Make("reader", auth.Reader, auth.Seat{})
	if err != nil {
		t.Fatal(err)
	}
	_, tasker, err := callers.Make("tasker", auth.Tasker, auth.Seat{})
	if err != nil {
		t.Fatal(err)
	}
	_, talker, err := callers.Make("talker", auth.Talker, auth.Seat{Rooms: []string{"dev"}, As: "Planner"})
	if err != nil {
		t.Fatal(err)
	}
	s, _ := serve(t, builtPage(), func(o *Options) { o.Callers = callers })
	s.access.Agents = func(secret string) (string, bool) { return "dev-1", secret == "agents-secret" }
	guarded := s.access.Guard(
		http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }),
	)
	from := 0
	ask := func(route, token string) int {
		method, path, _ := strings.Cut(route, " ")
		r := httptest.NewRequestWithContext(t.Context(), method, placeholder.ReplaceAllString(path, "x"), nil)
		from++ // each from a different computer, so that none is locked out
		r.RemoteAddr = "10.1." + strconv.Itoa(from/250) + "." + strconv.Itoa(from%250+1) + ":1"
		r.Host = "127.0.0.1"
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		w := httptest.NewRecorder()
		guarded.ServeHTTP(w, r)
		_, _ = io.Copy(io.Discard, w.Result().Body)
		return w.Code
	}
	routes := everyRoute(s)
	for _, route := range slices.Concat(looks, gives, reports, talks, free) {
		if !slices.Contains(routes, route) {
			t.Errorf("there is no route %s", route)
		}
	}
	for _, route := range routes {
		want := func(may ...string) int {
			if slices.Contains(slices.Concat(may, free), route) {
				return http.StatusNoContent
			}
			return http.StatusForbidden
		}
		nobody := http.StatusUnauthorized
		if slices.Contains(free, route) {
			nobody = http.StatusNoContent
		}
		for _, c := range []struct {
			who, token string
			want       int
		}{
			{"nobody", "", nobody}, {"a wrong token", "wrong", nobody}, {"the owner", ownerToken, http.StatusNoContent},
			{"a reader", reader, want(looks...)}, {"who gives tasks", tasker, want(slices.Concat(looks, gives)...)}, {"an agent", "agents-secret", want(reports...)},
			{"who talks in rooms", talker, want(talks...)},
		} {
			if got := ask(route, c.token); got != c.want {
				t.Errorf("%s by %s: %d, want %d", route, c.who, got, c.want)
			}
		}
	}
}

// everyRoute are the routes of the description and those of the mux, which has more.
func everyRoute(s *Server) []string {
	var out []string
	for _, pattern := range s.mux.Patterns {
		if strings.Contains(pattern, " ") {
			out = append(out, pattern)
			continue
		}
		for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE"} {
			out = append(out, method+" "+pattern)
		}
	}
	for path, item := range s.api.OpenAPI().Paths {
		for method := range example.Operations(item) {
			if !slices.Contains(out, method+" "+path) {
				out = append(out, method+" "+path)
			}
		}
	}
	return out
}
