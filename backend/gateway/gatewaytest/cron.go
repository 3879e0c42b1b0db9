package gatewaytest

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"
)

// Cron are the cron jobs of a Server: as recorded of the real ones in gateway/client/testdata. A test runs them.
type Cron struct {
	s    *Server
	jobs []map[string]any            // guarded by the server's mu, as is the rest
	runs map[string][]map[string]any // of each job, the newest first
	off  bool
	gone map[string]bool // agents that were deleted, until agents.create asks for them
}

// Add adds a job as somebody else does, and tells of it.
func (c *Cron) Add(job map[string]any) {
	c.s.mu.Lock()
	c.jobs = append(c.jobs, job)
	c.s.mu.Unlock()
	c.tell(job["id"].(string), "added")
}

// Finish ends the run of a job.
func (c *Cron) Finish(id, status, reason string) {
	now := time.Now().UnixMilli()
	c.s.mu.Lock()
	job := c.find(id)
	began := job["state"].(map[string]any)["runningAtMs"]
	state := map[string]any{"lastRunAtMs": began, "lastRunStatus": status, "lastStatus": status}
	run := map[string]any{"ts": now, "jobId": id, "action": "finished", "status": status, "runAtMs": began,
		"durationMs": 1500, "sessionKey": "agent:main:cron:" + id + ":run:1"}
	if reason != "" {
		state["lastError"], run["error"] = reason, reason
	}
	job["state"] = state
	if c.runs == nil {
		c.runs = map[string][]map[string]any{}
	}
	c.runs[id] = append([]map[string]any{run}, c.runs[id]...)
	c.s.mu.Unlock()
	c.tell(id, "finished")
}

// Jobs are the jobs as cron.list has them.
func (c *Cron) Jobs() []map[string]any {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	out := []map[string]any{}
	for _, j := range c.jobs {
		out = append(out, maps.Clone(j))
	}
	return out
}

// Switch switches the scheduler on or off, as cron.enabled of the config does. Jobs keep their next times.
func (c *Cron) Switch(on bool) {
	c.s.mu.Lock()
	c.off = !on
	c.s.mu.Unlock()
	c.s.Emit("config.changed", map[string]any{"hash": c.s.Hash(), "ts": time.Now().UnixMilli()})
}

// forget deletes the jobs of an agent that is deleted, and tells of each.
func (c *Cron) forget(agent string) {
	isIts := func(j map[string]any) bool { return j["agentId"] == agent }
	c.s.mu.Lock()
	var gone []string
	for _, j := range c.jobs {
		if isIts(j) {
			gone = append(gone, j["id"].(string))
		}
	}
	c.jobs = slices.DeleteFunc(c.jobs, isIts)
	if c.gone == nil {
		c.gone = map[string]bool{}
	}
	c.gone[agent] = true
	c.s.mu.Unlock()
	for _, id := range gone {
		c.tell(id, "removed")
	}
}

// reopen has the gateway use a deleted agent again.
func (c *Cron) reopen(agent string) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	delete(c.gone, agent)
}

func (c *Cron) find(id string) map[string]any {
	for _, j := range c.jobs {
		if j["id"] == id {
			return j
		}
	}
	return nil
}

func (c *Cron) tell(id, action string) {
	c.s.Emit("cron", map[string]any{"jobId": id, "action": action})
}

// cronParams are the keys of the methods' parameters.
func cronParams(method string) []string {
	switch method {
	case "cron.status":
		return []string{}
	case "cron.list":
		return []string{"includeDisabled", "limit", "offset"}
	case "cron.add":
		return []string{"name", "agentId", "enabled", "schedule", "sessionTarget", "wakeMode", "payload", "delivery",
			"description", "deleteAfterRun", "sessionKey"}
	case "cron.update":
		return []string{"id", "patch", "expectedConfigRevision"}
	case "cron.remove":
		return []string{"id"}
	case "cron.run":
		return []string{"id", "mode"}
	case "cron.runs":
		return []string{"id", "limit"}
	}
	return nil
}

// cronScope is the right that a method needs, or "".
func cronScope(method string) string {
	if slices.Contains([]string{"cron.add", "cron.update", "cron.remove", "cron.run"}, method) {
		return "operator.admin"
	}
	return ""
}

type cronCall struct {
	ID       string         `json:"id"`
	Limit    int            `json:"limit"`
	Offset   int            `json:"offset"`
	Patch    map[string]any `json:"patch"`
	Expected string         `json:"expectedConfigRevision"`
}

func (c *Cron) call(method string, raw json.RawMessage) (answer any, no *refusal) {
	var p cronCall
	var whole map[string]any
	if json.Unmarshal(raw, &p) != nil || json.Unmarshal(raw, &whole) != nil {
		return nil, invalid("invalid " + method + " params")
	}
	id, action := p.ID, ""
	func() {
		c.s.mu.Lock()
		defer c.s.mu.Unlock()
		job := c.find(p.ID)
		switch {
		case method == "cron.status":
			answer = map[string]any{"enabled": !c.off, "storePath": "jobs.json", "jobs": len(c.jobs)}
		case method == "cron.list":
			answer = c.list(p)
		case method == "cron.add":
			if answer, no = c.add(whole); no == nil {
				id, action = answer.(map[string]any)["id"].(string), "added"
			}
		case method == "cron.remove" && job == nil && c.s.opts.Generation == February:
			answer = map[string]any{"ok": true, "removed": false}
		case job == nil:
			no = c.missing(p.ID)
		case method == "cron.update":
			if answer, no = c.update(job, p); no == nil {
				action = "updated"
			}
		case method == "cron.remove":
			c.jobs = slices.DeleteFunc(c.jobs, func(j map[string]any) bool { return j["id"] == p.ID })
			answer, action = map[string]any{"ok": true, "removed": true}, "removed"
		case method == "cron.run":
			answer, action = c.run(job)
		default:
			answer = map[string]any{"entries": c.runs[p.ID][:min(p.Limit, len(c.runs[p.ID]))]}
		}
	}()
	if action != "" {
		c.tell(id, action)
	}
	return answer, no
}

func (c *Cron) missing(id string) *refusal {
	if c.s.opts.Generation == February {
		return &refusal{Code: "UNAVAILABLE", Message: "Error: unknown cron job id: " + id}
	}
	return invalid("Automation not found: " + id + ". List automations and retry with a current job id.")
}

func (c *Cron) list(p cronCall) map[string]any {
	from := min(p.Offset, len(c.jobs))
	to := min(from+cmp.Or(p.Limit, 50), len(c.jobs))
	page := map[string]any{"jobs": []any{}, "total": len(c.jobs), "hasMore": to < len(c.jobs), "nextOffset": nil}
	rows := []any{}
	for _, j := range c.jobs[from:to] {
		rows = append(rows, maps.Clone(j))
	}
	if page["jobs"] = rows; to < len(c.jobs) {
		page["nextOffset"] = to
	}
	return page
}

func (c *Cron) add(p map[string]any) (any, *refusal) {
	when, _ := p["schedule"].(map[string]any)
	if expr, _ := when["expr"].(string); when["kind"] == "cron" && len(strings.Fields(expr)) < 5 {
		return nil, invalid("invalid cron.add params: CronPattern: invalid configuration format ('" + expr +
			"'), exactly five, six, or seven space separated parts are required.")
	}
	if agent, _ := p["agentId"].(string); c.gone[agent] {
		return nil, &refusal{Code: "UNAVAILABLE", Message: "Error: cron job agent is unavailable: " + agent}
	}
	job := maps.Clone(p)
	job["id"], job["state"] = randomText(), map[string]any{"nextRunAtMs": time.Now().Add(time.Hour).UnixMilli()}
	c.revise(job)
	c.jobs = append(c.jobs, job)
	return maps.Clone(job), nil
}

// revise gives a job a new revision, where gateways have them.
func (c *Cron) revise(job map[string]any) {
	if c.s.opts.Generation == Newest {
		job["configRevision"] = "sha256:" + randomText()
	}
}

func (c *Cron) update(job map[string]any, p cronCall) (any, *refusal) {
	if p.Expected != "" && p.Expected != job["configRevision"] {
		return nil, invalid("cron job definition no longer matches the loaded version; review the latest version " +
			"before retrying")
	}
	maps.Copy(job, p.Patch)
	c.revise(job)
	return maps.Clone(job), nil
}

func (c *Cron) run(job map[string]any) (answer map[string]any, action string) {
	state := maps.Clone(job["state"].(map[string]any))
	if state["runningAtMs"] != nil {
		return map[string]any{"ok": true, "ran": false, "reason": "already-running"}, ""
	}
	state["runningAtMs"] = time.Now().UnixMilli()
	job["state"] = state
	if c.s.opts.Generation == February {
		return map[string]any{"ok": true, "ran": true}, "started"
	}
	return map[string]any{"ok": true, "enqueued": true, "runId": "manual:" + job["id"].(string)}, "started"
}
