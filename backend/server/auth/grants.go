package auth

import (
	"net/http"
	"slices"
)

// Role is what a caller may do.
type Role string

// The roles of callers beside the owner. Agents have one of their own, by their secrets.
const (
	Reader Role = "reader" // looks at tasks and who is there
	Tasker Role = "tasks"  // and gives, cancels and repeats tasks
	Talker Role = "rooms"  // talks in certain rooms, under one name

	agents Role = "agents"
)

// anybody are the routes that need no token: health, the page's own files, the one-time link,
// signing in, and the card that tells other agents how to ask.
var anybody = []string{"/", "GET /healthz", "GET /readyz", "GET /open/{code}", "POST /api/login",
	"GET /.well-known/agent-card.json"}

// grants are the routes that others than the owner may use, by the mux's patterns. What does
// not stand here is the owner's alone (AG-6).
var grants = map[string][]Role{
	"GET /status":                {Reader, Tasker, agents},
	"GET /metrics":               {Reader, Tasker},
	"GET /docs":                  {Reader, Tasker},
	"GET /openapi.json":          {Reader, Tasker},
	"GET /openapi.yaml":          {Reader, Tasker},
	"GET /tasks":                 {Reader, Tasker},
	"GET /tasks/{taskId}":        {Reader, Tasker},
	"GET /tasks/{taskId}/status": {Reader, Tasker},
	"GET /tasks/{taskId}/events": {Reader, Tasker},
	"GET /tasks/{taskId}/stream": {Reader, Tasker},
	"GET /api/tasks":             {Reader, Tasker},
	"GET /api/task-agents":       {Reader, Tasker},

	"POST /submit_task":           {Tasker},
	"POST /tasks":                 {Tasker},
	"POST /tasks/{taskId}/cancel": {Tasker},
	"POST /tasks/{taskId}/retry":  {Tasker},
	"POST /a2a":                   {Tasker},
	"/mcp":                        {Tasker},

	"POST /tasks/{taskId}/result":               {agents},
	"POST /tasks/{taskId}/delegations":          {agents},
	"GET /tasks/{taskId}/delegations/{childId}": {agents},
	"POST /api/inbox/questions":                 {agents, Talker},
	"GET /api/inbox/questions/{id}":             {agents, Talker},
	"POST /api/llm-calls":                       {agents, Talker},

	// Each of these asks CheckSeat which room, and under which name.
	"GET /ws":           {Talker},
	"GET /api/messages": {Talker},
	"POST /api/message": {Talker},
	"GET /api/agents":   {Talker},
	"GET /api/rooms":    {Talker}, // those that CheckSeat lets in
}

func permits(pattern string, role Role) bool { return slices.Contains(grants[pattern], role) }

// public reports whether a route needs no token. What only looks like a place in the page but
// would change something needs one.
func public(pattern, method string) bool {
	return slices.Contains(anybody, pattern) &&
		(pattern != "/" || method == http.MethodGet || method == http.MethodHead)
}
