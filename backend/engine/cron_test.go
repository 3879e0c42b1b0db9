package engine_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/gatewaytest"
)

type jobsBody struct{ Jobs []client.CronJob }

func (h *hub) cronJobs(gateway string) []client.CronJob {
	h.t.Helper()
	var out jobsBody
	h.must("POST", "/api/gateway/cron/list", map[string]any{"gateway": gateway}, &out)
	if out.Jobs == nil {
		h.t.Error("the list of jobs is null")
	}
	return out.Jobs
}

func onJob(id string, more map[string]any) map[string]any {
	body := map[string]any{"gateway": "studio", "id": id}
	for k, v := range more {
		body[k] = v
	}
	return body
}

// OC-3: cron jobs of a gateway are listed, added, changed, run and deleted by the API. The hub says which agents have
// some, and when one changed, and the audit log has each change.
func TestOC3_CronJobsByTheAPI(t *testing.T) {
	t.Parallel()
	peer := gatewaytest.Start(t, gatewaytest.Options{})
	h := startHub(t, withGateway(t, peer.URL, peer.Token))
	h.connected("studio")
	if g := h.gateway("studio"); g.Cron == nil || len(g.Cron.Acts) != 6 || len(g.Cron.Agents) != 0 {
		t.Fatalf("the gateway offers %+v", g.Cron)
	}
	if jobs := h.cronJobs("studio"); len(jobs) != 0 {
		t.Errorf("%+v", jobs)
	}
	var made, changed client.CronJob
	h.must("POST", "/api/gateway/cron/add", map[string]any{"gateway": "studio", "name": " Pulse ", "agentId": "main",
		"message":  "Look around",
		"schedule": map[string]any{"kind": "cron", "expr": " 0  7 * * 1-5 ", "timeZone": "Asia/Tokyo"},
	}, &made)
	if made.Name != "Pulse" || !made.Enabled || made.Schedule.Expr != "0 7 * * 1-5" || made.NextRunAt.IsZero() {
		t.Errorf("%+v", made)
	}
	poll(t, func() bool { return slices.Equal(h.gateway("studio").Cron.Agents, []string{"main"}) })
	peer.Cron.Add(map[string]any{"id": "own", "name": "review", "declarationKey": "review:web", "agentId": "web",
		"enabled": true,
		"state":   map[string]any{}})
	poll(t, func() bool { return len(h.cronJobs("studio")) == 2 })
	before := h.gateway("studio").Cron.ReadAt
	var started client.CronStarted
	h.must("POST", "/api/gateway/cron/run", onJob(made.ID, nil), &started)
	if !started.Started {
		t.Errorf("%+v", started)
	}
	peer.Cron.Finish(made.ID, "error", "no model")
	poll(t, func() bool {
		return h.gateway("studio").Cron.ReadAt.After(before) && h.cronJobs("studio")[0].LastStatus == "error"
	})
	if agents := h.gateway("studio").Cron.Agents; !slices.Equal(agents, []string{"main"}) {
		t.Errorf("agents with jobs: %v", agents) // without the gateway's own
	}
	var ran struct{ Runs []client.CronRunEntry }
	h.must("POST", "/api/gateway/cron/runs", onJob(made.ID, nil), &ran)
	if len(ran.Runs) != 1 || ran.Runs[0].Error != "no model" {
		t.Errorf("%+v", ran)
	}
	h.must("POST", "/api/gateway/cron/update", onJob(made.ID, map[string]any{"enabled": false, "message": "Look twice",
		"revision": made.Revision, "schedule": map[string]any{"kind": "every", "everyMs": 60000}}), &changed)
	if changed.Enabled || changed.Message != "Look twice" || changed.Schedule.EveryMs != 60000 {
		t.Errorf("%+v", changed)
	}
	poll(t, func() bool { return len(h.gateway("studio").Cron.Agents) == 0 })
	stale := onJob(made.ID, map[string]any{"enabled": true, "revision": made.Revision})
	status, err := h.call("POST", "/api/gateway/cron/update", stale, nil)
	if status != http.StatusConflict || err == nil || !strings.Contains(err.Message, "Nothing was saved") {
		t.Errorf("a change of what was changed since gave %d, %v", status, err)
	}
	h.must("POST", "/api/gateway/cron/remove", onJob(made.ID, nil), nil)
	for _, act := range []string{"remove", "run", "runs"} {
		status, err := h.call("POST", "/api/gateway/cron/"+act, onJob(made.ID, nil), nil)
		if status != http.StatusNotFound {
			t.Errorf("%s of a deleted job gave %d, %v", act, status, err)
		}
	}
}

// OC-3: bad input is refused with its place before anything is sent. A gateway without cron jobs and one that is gone
// are GATEWAY_ERROR, and offer nothing.
func TestOC3_CronJobsThatAreRefused(t *testing.T) {
	t.Parallel()
	peer := gatewaytest.Start(t, gatewaytest.Options{})
	h := startHub(t, withGateway(t, peer.URL, peer.Token))
	h.connected("studio")
	add := func(edit map[string]any) map[string]any {
		body := map[string]any{"gateway": "studio", "name": "n", "agentId": "main", "message": "m",
			"schedule": map[string]any{"kind": "every", "everyMs": 60000}}
		for k, v := range edit {
			body[k] = v
		}
		return body
	}
	when := func(s map[string]any) map[string]any { return add(map[string]any{"schedule": s}) }
	past, bad := time.Now().Add(-time.Second), map[string]any{"schedule": map[string]any{"kind": "every"}}
	for name, c := range map[string]struct {
		act, field string
		body       map[string]any
	}{
		"no schedule":       {"add", "schedule.expr", when(map[string]any{"kind": "cron"})},
		"too many parts":    {"add", "schedule.expr", when(map[string]any{"kind": "cron", "expr": "* * * * * * * *"})},
		"too often":         {"add", "schedule.everyMs", when(map[string]any{"kind": "every", "everyMs": 999})},
		"in the past":       {"add", "schedule.at", when(map[string]any{"kind": "at", "at": past})},
		"another kind":      {"add", "", when(map[string]any{"kind": "stream"})},
		"a blank name":      {"add", "name", add(map[string]any{"name": "  "})},
		"a blank message":   {"add", "message", add(map[string]any{"message": "\n"})},
		"too long":          {"add", "", add(map[string]any{"message": strings.Repeat("x", 16385)})},
		"no agent":          {"add", "", add(map[string]any{"agentId": ""})},
		"no change":         {"update", "", onJob("a", nil)},
		"a blank new name":  {"update", "name", onJob("a", map[string]any{"name": " "})},
		"a bad new time":    {"update", "schedule.everyMs", onJob("a", bad)},
		"no ID":             {"remove", "", onJob("", nil)},
		"more runs than is": {"runs", "", onJob("a", map[string]any{"limit": 201})},
	} {
		status, err := h.call("POST", "/api/gateway/cron/"+c.act, c.body, nil)
		if status != http.StatusBadRequest && status != http.StatusUnprocessableEntity || err == nil ||
			err.Code != errcode.Validation || c.field != "" && err.Details[errcode.KeyField] != c.field {
			t.Errorf("%s gave %d, %v", name, status, err)
		}
	}
	for _, method := range []string{"cron.add", "cron.update", "cron.remove"} {
		if n := peer.Count(method); n != 0 {
			t.Errorf("%s was sent %d times", method, n)
		}
	}
	refused := func(gateway string) {
		t.Helper()
		status, err := h.call("POST", "/api/gateway/cron/list", map[string]any{"gateway": gateway}, nil)
		if status != http.StatusBadGateway || err == nil || err.Code != errcode.Gateway {
			t.Errorf("the jobs of %s gave %d, %v", gateway, status, err)
		}
	}
	if h.gateway("local").Cron != nil {
		t.Error("the built-in gateway offers cron jobs")
	}
	refused("local")
	peer.Down()
	poll(t, func() bool { return h.gateway("studio").Cron == nil })
	refused("studio")
}

// OC-3: the hub tells whether a gateway's scheduler is switched off, and hears when that changes. A gateway that
// doesn't tell counts as on.
func TestOC3_ASchedulerThatIsOffIsTold(t *testing.T) {
	t.Parallel()
	peer := gatewaytest.Start(t, gatewaytest.Options{})
	peer.Cron.Switch(false)
	h := startHub(t, withGateway(t, peer.URL, peer.Token))
	h.connected("studio")
	off := func() bool { c := h.gateway("studio").Cron; return c != nil && c.Off }
	poll(t, off)
	peer.Cron.Switch(true)
	poll(t, func() bool { return !off() })
	for _, f := range []gatewaytest.Faults{
		{RawAnswer: map[string]string{"cron.status": `{"type":"res","id":$ID,"ok":true,"payload":{}}`}},
		{Refuse: map[string]bool{"cron.status": true}},
	} {
		before := h.gateway("studio").Cron.ReadAt
		peer.SetFaults(f)
		peer.Cron.Switch(false)
		poll(t, func() bool { return h.gateway("studio").Cron.ReadAt.After(before) })
		if off() {
			t.Errorf("a gateway that doesn't tell counts as off: %+v", f)
		}
	}
}
