package httpapi

import (
	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/server/auth"
	"agentflow/backend/server/httpapi/internal/example"
	"agentflow/backend/server/httperr"
)

// about is what a reader of the API needs to know before the first request.
const about = `The API of an AgentFlow hub. The window, the browser, the CLI and your programs use the same one.

**Authentication.** Send ` + "`Authorization: Bearer <token>`" + ` with the owner's token or an API token. The page signs in
instead: it sends its cookie and the header ` + "`" + auth.PageKeyHeader + "`" + ` with the page key that belongs to it.

**Errors.** Every failure has the form ` + "`{\"error\": {\"code\", \"message\", \"details\"}}`" + `. Rely on ` + "`code`" + ` and
` + "`details.reason`" + `: they are stable. Messages are for people and can change.

**Idempotency.** GET, PUT and DELETE are safe to repeat. Where an operation takes an idempotency key, a repeated
request with the same key returns the first result. A change that was answered is on disk and survives a restart.

**Lists.** A list has a ` + "`limit`" + `. Read the next page with ` + "`before`" + ` and the last ID of this one.

**Streams.** ` + "`GET /api/events`" + ` (WebSocket) sends everything that changes: first the current state, then changes.
` + "`GET /tasks/{taskId}/events`" + ` (server-sent events) and ` + "`/tasks/{taskId}/stream`" + ` (WebSocket) follow one task. To resume,
send ` + "`Last-Event-ID`" + `, or ` + "`?after=`" + ` with the number of the last event. ` + "`GET /ws`" + ` (WebSocket) reads and posts in a room.
` + "`GET /api/gateway/stream`" + ` (WebSocket) follows the sessions of a gateway.

**Words.** The content of a team is called ` + "`topology`" + ` in paths and fields and an API token ` + "`caller`" + `.`

// tags are the groups of operations, in the order of the documentation.
var tags = []*huma.Tag{
	{Name: "teams", Description: "Create, edit and delete teams, and the templates to start from."},
	{Name: "history", Description: "Versions of a team: list, compare, name and restore them."},
	{Name: "apply", Description: "Review changes, apply a team to its gateway, and roll back."},
	{Name: "files", Description: "Import and export team files, configs and bundles."},
	{Name: "gateways", Description: "Gateways that run teams, with their state, agents and snapshots."},
	{Name: "gateway methods", Description: "Methods of a gateway, passed on: its config and its sessions."},
	{Name: "tasks", Description: "Submit tasks to the team and follow them. Agents report and delegate here, too."},
	{Name: "plans", Description: "Plans of coding work: edit them, ask the planner, and run them with coding CLIs."},
	{Name: "rooms", Description: "Conversations of several agents and people."},
	{Name: "conversations", Description: "What was read in rooms and sessions, and texts that aren't sent yet."},
	{Name: "inbox", Description: "Approvals and questions that wait for a person, and standing permissions."},
	{Name: "local processes", Description: "Agents that the hub runs as its own processes."},
	{Name: "trust", Description: "What agents can do on this computer: list, allow and revoke it."},
	{Name: "models", Description: "Model providers, their models and prices."},
	{Name: "diagnostics", Description: "Resource usage and model calls."},
	{Name: "security", Description: "API tokens, sign-ins, allowed networks, budgets and the audit log."},
	{Name: "database", Description: "Size, backup, restore and clean-up of the database."},
	{Name: "settings", Description: "Settings of the page, and version information."},
	{Name: "page", Description: "Open the page in a browser."},
}

// describe says what the API is; the routes describe themselves.
func describe(c *huma.Config) {
	c.Info.Description = about
	c.Servers = []*huma.Server{{
		URL:         "http://127.0.0.1:{port}",
		Description: "The hub on this computer.",
		Variables: map[string]*huma.ServerVariable{
			"port": {Default: "18800", Description: "Port that the hub listens on."},
		},
	}}
	c.Tags = tags
	httperr.Describe(c.Components)
}

// illustrate adds the examples, once all routes are there.
func illustrate(api *huma.OpenAPI) {
	if book, err := example.Open(); err == nil { // the files are built in, and a test reads them
		book.Fill(api)
	}
}
