package client_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/gatewaytest"
)

// recordedCron are a real gateway's answers to each method of cron jobs, in order.
type recordedCron struct {
	Method, Event string
	Payload       json.RawMessage
	Error         json.RawMessage
}

func readCron(t *testing.T, version string) []recordedCron {
	t.Helper()
	data, err := os.ReadFile("testdata/cron-" + version + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var rows []recordedCron
	for line := range strings.Lines(string(data)) {
		var r recordedCron
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	return rows
}

// frame is the frame that had this answer.
func (r recordedCron) frame() string {
	if r.Error != nil {
		return fmt.Sprintf(`{"type":"res","id":$ID,"ok":false,"error":%s}`, r.Error)
	}
	return fmt.Sprintf(`{"type":"res","id":$ID,"ok":true,"payload":%s}`, r.Payload)
}

// OC-3: each recorded answer of both generations is read, and means what it meant there.
func TestOC3_RecordedCronJobsAreRead(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2026.9.6", "2026.2.26"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			o := gatewaytest.Options{}
			if version < "2026.3" {
				o.Generation = gatewaytest.February
			}
			peer := gatewaytest.Start(t, o)
			c := run(t, client.Options{URL: peer.URL, Token: token(peer.Token)})
			if err := c.WaitConnected(ctx(t)); err != nil {
				t.Fatal(err)
			}
			readEach(t, peer, client.CronOf(c), readCron(t, version))
		})
	}
}

func checkRun(t *testing.T, r client.CronRunEntry) {
	t.Helper()
	if r.At.IsZero() || r.DurationMs == 0 || r.SessionKey == "" || (r.Status == "error") != (r.Error != "") {
		t.Errorf("the run is %+v", r)
	}
	if r.Status == "ok" && (r.Model != "fake/fake-1" || r.TokensIn != 10 || r.TokensOut != 17) {
		t.Errorf("the run used %+v", r)
	}
}

func readEach(t *testing.T, peer *gatewaytest.Server, cron client.Cron, rows []recordedCron) {
	t.Helper()
	var got []string
	names := map[string]client.CronJob{}
	say := func(what string, err error) {
		if err != nil {
			what = string(errcode.From(err).Code)
		}
		got = append(got, what)
	}
	events := 0
	for _, r := range rows {
		if r.Event != "" {
			if events++; !client.CronChanged(client.Event{Name: r.Event, Payload: r.Payload}) {
				t.Errorf("%s tells nothing", r.Payload)
			}
			continue
		}
		peer.SetFaults(gatewaytest.Faults{RawAnswer: map[string]string{r.Method: r.frame()}})
		switch r.Method {
		case "cron.list":
			jobs, err := cron.List(ctx(t))
			say(fmt.Sprint(len(jobs)), err)
			for _, j := range jobs {
				names[j.Name] = j
			}
		case "cron.add":
			j, err := cron.Add(ctx(t), client.CronEntry{Name: "x"})
			say("added "+j.Name, err)
		case "cron.update":
			on := true
			j, err := cron.Change(ctx(t), client.CronEdit{ID: "x", Enabled: &on})
			say(fmt.Sprint(j.Name, " ", j.Enabled, " ", j.Schedule.Kind), err)
		case "cron.remove":
			say("removed", cron.Remove(ctx(t), "x"))
		case "cron.run":
			s, err := cron.Run(ctx(t), "x")
			say(fmt.Sprint(s.Started, s.Reason), err)
		case "cron.runs":
			runs, err := cron.Runs(ctx(t), "x", 0)
			say(fmt.Sprintf("%d runs", len(runs)), err)
			if len(runs) == 1 {
				checkRun(t, runs[0])
			}
		}
	}
	if events < 4 {
		t.Errorf("%d events", events)
	}
	checkNews(t, names["Morning news"])
	var want []string
	if !cmp.Or(names["Reminder"], names["Once"]).DeletedAfter || names["Morning news"].DeletedAfter {
		t.Error("a job that runs once is deleted after its run, and no other one")
	}
	if one, is := names["Reminder"]; is {
		want = []string{"added Morning news", "added Reminder", "2", "true", "2", "1 runs", "Morning news false cron",
			"NOT_FOUND", "NOT_FOUND", "0 runs", "removed", "NOT_FOUND"}
		if one.AgentID != "main" || one.Kind != client.CronEvent || one.Message != "Happy new year" ||
			!one.Schedule.At.Equal(time.Date(2027, 1, 2, 3, 4, 5, 0, time.UTC)) {
			t.Errorf("the job without an agent is %+v", one)
		}
	} else {
		want = []string{"2", "added Morning news", "added Pulse FAIL", "added Once", "GATEWAY_ERROR", "GATEWAY_ERROR",
			"GATEWAY_ERROR", "GATEWAY_ERROR", "5", "true", "falsealready-running", "true", "5", "0 runs", "0 runs",
			"Morning news false cron", "News false every", "NOT_FOUND", "NOT_FOUND", "NOT_FOUND", "removed",
			"NOT_FOUND", "1", "4", "1 runs", "0 runs", "0 runs", "0 runs", "true", "0 runs", "CONFLICT", "removed"}
		failed, own := names["Pulse FAIL"], names["Skill collection review (main)"]
		if failed.LastStatus != "error" || !strings.Contains(failed.LastError, "HTTP 500") || failed.Revision == "" {
			t.Errorf("the job that failed is %+v", failed)
		}
		if !own.Managed || own.Schedule.EveryMs != 604800000 {
			t.Errorf("the gateway's own job is %+v", own)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("read\n%q, want\n%q", got, want)
	}
}

func checkNews(t *testing.T, news client.CronJob) {
	t.Helper()
	weekdays := client.CronSchedule{Kind: "cron", Expr: "0 7 * * 1-5", TimeZone: "Europe/Berlin"}
	if news.Schedule != weekdays ||
		news.AgentID != "main" || news.Kind != client.CronMessage || news.Message != "Read the news" || news.Managed ||
		news.NextRunAt.IsZero() {
		t.Errorf("the job is %+v", news)
	}
}

// OC-3: on each kind of gateway jobs are added, changed, run and removed, where it lists the methods. What it doesn't
// list isn't sent.
func TestOC3_CronJobsOnEachKindOfGateway(t *testing.T) {
	t.Parallel()
	eachKind(t, func(t *testing.T, o gatewaytest.Options) {
		peer := gatewaytest.Start(t, o)
		c := run(t, client.Options{URL: peer.URL, Token: token(peer.Token)})
		if err := c.WaitConnected(ctx(t)); err != nil {
			t.Fatal(err)
		}
		cron := client.CronOf(c)
		jobs, err := cron.List(ctx(t))
		if o.Dialect == client.DialectJSONRPC {
			if n := peer.Count("cron.list"); errcode.From(err).Code != errcode.Gateway || n != 0 ||
				len(client.CronActs(c.Features())) != 0 {
				t.Errorf("a gateway without cron jobs gave %v after %d calls", err, n)
			}
			return
		}
		if err != nil || jobs == nil || len(jobs) != 0 || len(client.CronActs(c.Features())) != 6 {
			t.Fatalf("%v, %v", jobs, err)
		}
		made, err := cron.Add(ctx(t), client.CronEntry{Name: "Pulse", AgentID: "main", Message: "Look", Enabled: true,
			Schedule: client.CronSchedule{Kind: "every", EveryMs: 60_000}})
		if err != nil || made.ID == "" || made.Schedule.EveryMs != 60_000 || !made.Enabled {
			t.Fatalf("%+v, %v", made, err)
		}
		text, off := "Listen", false
		changed, err := cron.Change(ctx(t), client.CronEdit{
			ID: made.ID, Revision: made.Revision, Message: &text, Enabled: &off,
			Schedule: &client.CronSchedule{Kind: "cron", Expr: "0 7 * * *", TimeZone: "Asia/Tokyo"}})
		if err != nil || changed.Message != text || changed.Enabled || changed.Schedule.TimeZone != "Asia/Tokyo" {
			t.Errorf("%+v, %v", changed, err)
		}
		if made.Revision != "" {
			_, err := cron.Change(ctx(t), client.CronEdit{ID: made.ID, Revision: made.Revision, Enabled: &off})
			if !errcode.Is(err, errcode.Conflict) {
				t.Errorf("a change of what was changed since gave %v", err)
			}
		}
		if s, err := cron.Run(ctx(t), made.ID); err != nil || !s.Started {
			t.Errorf("%+v, %v", s, err)
		}
		if s, err := cron.Run(ctx(t), made.ID); err != nil || s.Started || s.Reason != "already-running" {
			t.Errorf("the second start gave %+v, %v", s, err)
		}
		peer.Cron.Finish(made.ID, "error", "no model")
		if runs, err := cron.Runs(ctx(t), made.ID, 5); err != nil || len(runs) != 1 || runs[0].Error != "no model" {
			t.Errorf("%+v, %v", runs, err)
		}
		if err := cron.Remove(ctx(t), made.ID); err != nil {
			t.Error(err)
		}
		if err := cron.Remove(ctx(t), made.ID); !errcode.Is(err, errcode.NotFound) {
			t.Errorf("a second removal gave %v", err)
		}
		_, err = cron.Change(ctx(t), client.CronEdit{ID: made.ID, Message: &text})
		if !errcode.Is(err, errcode.NotFound) {
			t.Errorf("a change of a removed job gave %v", err)
		}
	})
}

// OC-3: a list of jobs is believed only as far as it can be, and read page by page up to its bound. Answers that say
// nothing are no success.
func TestOC3_CronAnswersThatLie(t *testing.T) {
	t.Parallel()
	peer := gatewaytest.Start(t, gatewaytest.Options{})
	c := run(t, client.Options{URL: peer.URL, Token: token(peer.Token)})
	if err := c.WaitConnected(ctx(t)); err != nil {
		t.Fatal(err)
	}
	cron := client.CronOf(c)
	for i := range 450 {
		id := fmt.Sprintf("j%d", i)
		peer.Cron.Add(map[string]any{"id": id, "name": "n", "agentId": "main", "state": map[string]any{}})
	}
	if jobs, err := cron.List(ctx(t)); err != nil || len(jobs) != 450 || peer.Count("cron.list") != 3 {
		t.Fatalf("%d jobs of 450 in %d calls: %v", len(jobs), peer.Count("cron.list"), err)
	}
	long := strings.Repeat("あ", client.MaxCronMessage)
	answer := func(method, payload string) {
		peer.SetFaults(gatewaytest.Faults{
			RawAnswer: map[string]string{method: `{"type":"res","id":$ID,"ok":true,"payload":` + payload + `}`},
		})
	}
	answer("cron.list", `{"jobs":[{"id":"a","agentId":"m","schedule":{"kind":"every","everyMs":1e300},
		"state":{"lastStatus":"?"},"payload":{"kind":"agentTurn","message":"`+long+`"}},
		{"id":"a"},{"id":7},7,{}],"hasMore":true,"nextOffset":0}`)
	jobs, err := cron.List(ctx(t))
	if err != nil || len(jobs) != 1 {
		t.Fatalf("%d jobs, %v", len(jobs), err)
	}
	if j := jobs[0]; !j.MessageCut || len(j.Message) > client.MaxCronMessage || !strings.HasSuffix(j.Message, "あ") ||
		j.LastStatus != "" || j.Schedule.EveryMs <= 0 {
		t.Errorf("%d bytes, cut %v, %q, %+v", len(j.Message), j.MessageCut, j.LastStatus, j.Schedule)
	}
	on := true
	for method, do := range map[string]func() error{
		"cron.add": func() error { _, err := cron.Add(ctx(t), client.CronEntry{}); return err },
		"cron.update": func() error {
			_, err := cron.Change(ctx(t), client.CronEdit{ID: "a", Enabled: &on})
			return err
		},
		"cron.remove": func() error { return cron.Remove(ctx(t), "a") },
		"cron.run":    func() error { _, err := cron.Run(ctx(t), "a"); return err },
	} {
		answer(method, `{"ok":true}`)
		if err := do(); !errcode.HasReason(err, errcode.ReasonUnknown) {
			t.Errorf("%s: an answer that says nothing gave %v", method, err)
		}
	}
}
