package rollout_test

import (
	"slices"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/gateway/rollout"
	"agentflow/backend/team/topology"
)

const soulID = "agent:dev:files.SOUL.md"

// write edits a workspace file as the page does: with the hash of what the gateway had when it was opened.
func (d *desk) write(agent topology.AgentID, name, content string) {
	d.Helper()
	now, err := d.gateway.ReadFile(d.Context(), agent, name)
	if err != nil {
		d.Fatal(err)
	}
	d.edit(func(t *topology.Topology) {
		a, _ := t.Agent(agent)
		if a.Files == nil {
			a.Files = topology.Files{}
		}
		a.Files[name] = topology.AgentFile{Content: content, BasedOn: now.Hash}
	})
}

func (d *desk) drawn(agent topology.AgentID, name string) string {
	d.Helper()
	a, _ := d.draft().Agent(agent)
	f, ok := a.Files[name]
	if !ok {
		return "(not in the team)"
	}
	return f.Content
}

func fields(p rollout.Preview) (out []string) {
	for _, c := range p.Changes {
		if _, isFile := topology.FileOf(c.Field); isFile {
			out = append(out, c.ID+" "+string(c.Before)+" → "+string(c.After)+" "+string(c.Impact))
		}
	}
	return out
}

// OC-2: a file is edited, reviewed, applied, undone and applied again, with the config.
func TestOC2_AFileGoesThereAndBack(t *testing.T) {
	d := start(t)
	d.gateway.setFile("dev/SOUL.md", "old\r\n")
	d.write("dev", "SOUL.md", "new\n")
	d.edit(rename("dev", "Developer"))
	p := d.preview(rollout.Decisions{})
	if got := fields(p); !slices.Equal(got, []string{soulID + ` "old\r\n" → "new\n" hot`}) || p.Stale ||
		p.Sent != 2 || len(p.Files) != 1 {
		t.Fatalf("%v, stale %v, sent %d, %+v", got, p.Stale, p.Sent, p.Files)
	}
	a := d.apply(rollout.Request{Hash: p.BaseHash, Seen: p.Seen})
	if a.State != rollout.Done || d.gateway.file("dev/SOUL.md") != "new\n" ||
		!slices.Equal(a.Files, []openclaw.FileRef{{Agent: "dev", Name: "SOUL.md"}}) {
		t.Fatalf("%+v, %q", a, d.gateway.file("dev/SOUL.md"))
	}
	if !strings.Contains(steps(a), "files=done delete=skipped apply=done") || strings.Contains(steps(a), "new_files") {
		t.Errorf("steps %s", steps(a))
	}
	if p = d.preview(rollout.Decisions{}); p.Sends || p.Stale || len(fields(p)) > 0 {
		t.Fatalf("after the apply: %+v", p)
	}
	back, err := d.PreviewRollback(t.Context(), office, a.Snapshot)
	if err != nil || len(fields(back)) != 1 || len(back.Files) != 1 {
		t.Fatalf("%v, %+v", fields(back), err)
	}
	r := d.finish(func() (rollout.Apply, error) {
		return d.Rollback(t.Context(), rollout.RollbackRequest{Gateway: office, To: a.Snapshot, Team: d.team,
			Keep: true})
	})
	if r.State != rollout.Done || d.gateway.file("dev/SOUL.md") != "old\r\n" ||
		d.gateway.names() != "dev=Dev main=Main" {
		t.Fatalf("%+v, %q", r, d.gateway.file("dev/SOUL.md"))
	}
	p = d.preview(rollout.Decisions{})
	if got := fields(p); len(got) != 1 || p.Stale || d.drawn("dev", "SOUL.md") != "new\n" {
		t.Fatalf("after undo: %v, stale %v, %+v", got, p.Stale, p.Merge)
	}
	if a = d.apply(rollout.Request{Hash: p.BaseHash, Seen: p.Seen}); a.State != rollout.Done ||
		d.gateway.file("dev/SOUL.md") != "new\n" {
		t.Fatalf("once more: %+v", a)
	}
	r = d.finish(func() (rollout.Apply, error) { // a rollback that the team follows
		return d.Rollback(t.Context(), rollout.RollbackRequest{Gateway: office, To: a.Snapshot, Team: d.team})
	})
	if r.State != rollout.Done || d.drawn("dev", "SOUL.md") != "old\r\n" || d.gateway.file("dev/SOUL.md") != "old\r\n" {
		t.Fatalf("%+v, the team has %q", r, d.drawn("dev", "SOUL.md"))
	}
	if p = d.preview(rollout.Decisions{}); p.Sends || p.Stale {
		t.Errorf("after the rollback: %v, %+v", fields(p), p.Merge)
	}
}

// A snapshot from before some applies restores what they replaced, although only their own snapshots keep files.
func TestOC2_AnOlderSnapshotRestoresTheFiles(t *testing.T) {
	d := start(t)
	d.gateway.setFile("dev/SOUL.md", "one")
	d.gateway.setFile("main/AGENTS.md", "rules")
	d.edit(rename("dev", "Developer"))
	p := d.preview(rollout.Decisions{})
	first := d.apply(rollout.Request{Hash: p.BaseHash, Seen: p.Seen})
	for _, soul := range []string{"two", "three"} {
		d.write("dev", "SOUL.md", soul)
		d.write("main", "AGENTS.md", "for "+soul)
		p = d.preview(rollout.Decisions{})
		if a := d.apply(rollout.Request{Hash: p.BaseHash, Seen: p.Seen}); a.State != rollout.Done {
			t.Fatalf("%+v", a)
		}
	}
	back, err := d.PreviewRollback(t.Context(), office, first.Snapshot)
	if err != nil || len(back.Files) != 2 {
		t.Fatalf("%+v, %v", back.Files, err)
	}
	r := d.finish(func() (rollout.Apply, error) {
		to := rollout.RollbackRequest{Gateway: office, To: first.Snapshot, Hash: back.BaseHash}
		return d.Rollback(t.Context(), to)
	})
	got := []string{d.gateway.file("dev/SOUL.md"), d.gateway.file("main/AGENTS.md"), d.gateway.names()}
	if r.State != rollout.Done || !slices.Equal(got, []string{"one", "rules", "dev=Dev main=Main"}) {
		t.Fatalf("%+v: %q", r, got)
	}
}

// A file that the gateway changed meanwhile is a conflict, although its config is the same.
func TestOC2_AFileThatBothChanged(t *testing.T) {
	d := start(t)
	d.gateway.setFile("dev/SOUL.md", "old\n")
	d.write("dev", "SOUL.md", "mine\n")
	d.gateway.setFile("dev/SOUL.md", "theirs\n")
	p := d.preview(rollout.Decisions{})
	if !p.Stale || p.Merge.Undecided() != 1 {
		t.Fatalf("stale %v, %+v", p.Stale, p.Merge)
	}
	c := p.Merge.Conflicts[0]
	if c.ID != soulID || string(c.Mine) != `"mine\n"` || string(c.Theirs) != `"theirs\n"` || !c.KeepBoth {
		t.Fatalf("%+v", c)
	}
	if _, err := d.Start(t.Context(), d.team, rollout.Request{Hash: p.BaseHash,
		Seen: p.Seen}); !errcode.HasReason(err, rollout.ReasonUndecided) {
		t.Fatalf("undecided: %v", err)
	}
	w := rollout.Decisions{Choices: map[string]topology.Choice{soulID: topology.ChooseBoth}}
	if a := d.apply(d.request(w)); a.State != rollout.Done || d.gateway.file("dev/SOUL.md") != "mine\n\ntheirs\n" {
		t.Fatalf("%+v, %q", a, d.gateway.file("dev/SOUL.md"))
	}
	// What is in the team now follows the gateway, as fields do.
	d.gateway.setFile("dev/SOUL.md", "theirs again\n")
	p = d.preview(rollout.Decisions{})
	if !p.Stale || len(p.Merge.Conflicts) > 0 || len(p.Merge.FromTheirs) != 1 || p.Sends {
		t.Fatalf("%+v", p)
	}
	if a := d.apply(rollout.Request{Hash: p.BaseHash, Seen: p.Seen}); a.State != rollout.Done ||
		d.drawn("dev", "SOUL.md") != "theirs again\n" {
		t.Fatalf("%+v, %q", a, d.drawn("dev", "SOUL.md"))
	}
}

// A file that changes after the review stops the apply; the gateway's file stays.
func TestOC2_AFileThatChangesAfterTheReview(t *testing.T) {
	d := start(t)
	d.gateway.setFile("dev/SOUL.md", "old\n")
	d.write("dev", "SOUL.md", "mine\n")
	req := d.request(rollout.Decisions{})
	d.gateway.setFile("dev/SOUL.md", "theirs\n")
	if _, err := d.Start(t.Context(), d.team, req); !errcode.Is(err, errcode.Conflict) {
		t.Fatalf("got %v", err)
	}
	d.gateway.setFile("dev/SOUL.md", "old\n")
	d.gateway.onWrite = func(topology.AgentID, string) error {
		d.gateway.setFile("dev/SOUL.md",
			"theirs\n")
		return nil
	}
	a := d.apply(d.request(rollout.Decisions{}))
	if a.State != rollout.Failed || reasonOf(a.Error) != errcode.ReasonFileChanged ||
		d.gateway.file("dev/SOUL.md") != "theirs\n" || d.gateway.sent() > 0 {
		t.Fatalf("%+v, %q", a, d.gateway.file("dev/SOUL.md"))
	}
}

// A file is left out like any change, and stays drawn.
func TestOC2_AFileIsLeftOut(t *testing.T) {
	d := start(t)
	d.gateway.setFile("dev/SOUL.md", "old\n")
	d.write("dev", "SOUL.md", "mine\n")
	d.edit(rename("dev", "Developer"))
	a := d.apply(d.request(rollout.Decisions{LeaveOut: []string{soulID}}))
	if a.State != rollout.Done || a.Left != 1 || d.gateway.file("dev/SOUL.md") != "old\n" ||
		d.drawn("dev", "SOUL.md") != "mine\n" {
		t.Fatalf("%+v, %q, %q", a, d.gateway.file("dev/SOUL.md"), d.drawn("dev", "SOUL.md"))
	}
	p := d.preview(rollout.Decisions{})
	if len(fields(p)) != 1 || p.Stale || p.Sent != 1 {
		t.Fatalf("%v, stale %v %+v", fields(p), p.Stale, p.Merge)
	}
	if a = d.apply(rollout.Request{Hash: p.BaseHash, Seen: p.Seen}); a.State != rollout.Done ||
		d.gateway.file("dev/SOUL.md") != "mine\n" {
		t.Fatalf("%+v", a)
	}
}

// The gateway dies between file and config: the file has its old content again, and the draft is as it was.
func TestOC2_TheConfigFailsAfterTheFile(t *testing.T) {
	d := start(t)
	d.gateway.setFile("dev/SOUL.md", "old\n")
	d.write("dev", "SOUL.md", "mine\n")
	d.edit(rename("dev", "Developer"))
	d.gateway.onApply = func() error { return reason(errcode.ReasonRejected) }
	a := d.apply(d.request(rollout.Decisions{}))
	if a.State != rollout.Failed || d.gateway.file("dev/SOUL.md") != "old\n" ||
		!strings.Contains(a.Error.Message, "old content again") {
		t.Fatalf("%+v, %q", a.Error, d.gateway.file("dev/SOUL.md"))
	}
	if d.drawn("dev", "SOUL.md") != "mine\n" || d.preview(rollout.Decisions{}).Sent != 2 {
		t.Error("the draft lost something")
	}
}

// An edit while the apply runs stays, and isn't a conflict with what was applied.
func TestOC2_AnEditDuringTheApply(t *testing.T) {
	d := start(t)
	d.gateway.setFile("dev/SOUL.md", "old\n")
	d.write("dev", "SOUL.md", "one\n")
	d.gateway.onWrite = func(topology.AgentID, string) error {
		d.edit(func(t *topology.Topology) {
			a, _ := t.Agent("dev")
			a.Files["SOUL.md"] = topology.AgentFile{Content: "two\n", BasedOn: topology.HashFile("old\n")}
		})
		return nil
	}
	if a := d.apply(d.request(rollout.Decisions{})); a.State != rollout.Done {
		t.Fatalf("%+v", a)
	}
	d.gateway.onWrite = nil
	p := d.preview(rollout.Decisions{})
	if got := fields(p); p.Stale || !slices.Equal(got, []string{soulID + ` "one\n" → "two\n" hot`}) {
		t.Fatalf("stale %v, %v, %+v", p.Stale, got, p.Merge)
	}
}

// A team that never met the gateway: a file that somebody read there is edited, one that nobody read is a conflict.
func TestOC2_TheFirstApplyOfATeam(t *testing.T) {
	d := start(t)
	d.gateways["lab"].setFile("dev/SOUL.md", "old\n")
	d.gateways["lab"].setFile("dev/USER.md", "Mika\n")
	if _, err := d.library.Retarget(t.Context(), d.team, "lab"); err != nil {
		t.Fatal(err)
	}
	d.edit(func(t *topology.Topology) {
		a, _ := t.Agent("dev")
		a.Files = topology.Files{"SOUL.md": {Content: "new\n", BasedOn: topology.HashFile("old\n")},
			"USER.md": {Content: "Ann\n"}}
	})
	p := d.preview(rollout.Decisions{})
	if len(p.Merge.Conflicts) != 1 || p.Merge.Conflicts[0].ID != "agent:dev:files.USER.md" {
		t.Fatalf("%+v", p.Merge.Conflicts)
	}
	w := rollout.Decisions{Replace: true}
	if p = d.preview(w); len(fields(p)) != 2 {
		t.Errorf("replacing doesn't show both files: %v", fields(p))
	}
}

// A file that no import read is edited, and changes on the gateway before anything was applied: the merge shows what
// both were, and Base is the text that the edit began from.
func TestOC2_TheGatewayChangesAFileAfterItsFirstEdit(t *testing.T) {
	d := start(t)
	d.gateway.setFile("dev/SOUL.md", "old\nlast\n")
	d.edit(func(t *topology.Topology) {
		a, _ := t.Agent("dev")
		a.Files = topology.Files{"SOUL.md": {Content: "mine\nlast\n", BasedOn: topology.HashFile("old\nlast\n"),
			Base: "old\nlast\n"}}
	})
	d.gateway.setFile("dev/SOUL.md", "old\nlast\ntheirs\n")
	p := d.preview(rollout.Decisions{})
	if p.Merge == nil || len(p.Merge.Conflicts) != 1 || string(p.Merge.Conflicts[0].Base) != `"old\nlast\n"` {
		t.Fatalf("%+v", p.Merge)
	}
	for choice, want := range map[topology.Choice]string{
		topology.ChooseBoth: "mine\nlast\ntheirs\n", topology.ChooseBase: "old\nlast\n",
	} {
		p = d.preview(rollout.Decisions{Choices: map[string]topology.Choice{soulID: choice}})
		a, _ := p.Draft.Agent("dev")
		if a.Files["SOUL.md"].Content != want {
			t.Errorf("%s: %+v, %v", choice, a.Files, fields(p))
		}
	}
}

// Drift tells whose a difference of a file is.
func TestOC2_FilesDrift(t *testing.T) {
	d := start(t)
	d.gateway.setFile("dev/SOUL.md", "old\n")
	d.write("dev", "SOUL.md", "one\n")
	if a := d.apply(d.request(rollout.Decisions{})); a.State != rollout.Done {
		t.Fatalf("%+v", a)
	}
	d.gateway.setFile("dev/SOUL.md", "theirs\n")
	drift, err := d.Drift(t.Context(), d.team, "")
	if err != nil || drift.Drifted != 1 || len(drift.Changes) != 1 || !drift.Changes[0].Theirs ||
		drift.Changes[0].ID != soulID {
		t.Fatalf("%+v, %v", drift, err)
	}
}

// OC-2: the gateway has the config, but not the file of an agent that came with it. The apply names the file and can be
// undone; the file stays drawn, and the next apply writes it.
func TestOC2_AFileOfANewAgentThatIsNotTaken(t *testing.T) {
	d := start(t)
	d.edit(func(t *topology.Topology) {
		t.Agents = append(t.Agents, topology.Agent{
			ID: "poet", Name: "Poet",
			Files: topology.Files{"SOUL.md": {Content: "verse\n"}, "USER.md": {Content: "reader\n"}},
		})
	})
	full := errcode.New(errcode.Gateway, "the disk is full")
	d.gateway.onWrite = func(_ topology.AgentID, name string) error {
		if name == "USER.md" {
			return full
		}
		return nil
	}
	p := d.preview(rollout.Decisions{})
	a := d.apply(rollout.Request{Hash: p.BaseHash})
	if a.State != rollout.Failed || !errcode.HasReason(a.Error, openclaw.ReasonFilesLeft) ||
		!strings.Contains(a.Error.Message, "disk is full") || a.Snapshot == "" {
		t.Fatalf("%+v, %v", a, a.Error)
	}
	if d.gateway.file("poet/SOUL.md") != "verse\n" || d.drawn("poet", "USER.md") != "reader\n" {
		t.Errorf("%q, %q", d.gateway.file("poet/SOUL.md"), d.drawn("poet", "USER.md"))
	}
	d.gateway.onWrite = nil
	p = d.preview(rollout.Decisions{})
	if got := fields(p); len(got) != 1 || p.Sent != 1 || p.Stale {
		t.Fatalf("the next review: %v, sent %d, stale %v", got, p.Sent, p.Stale)
	}
	a = d.apply(rollout.Request{Hash: p.BaseHash})
	if a.State != rollout.Done || d.gateway.file("poet/USER.md") != "reader\n" {
		t.Errorf("%+v, %q", a, d.gateway.file("poet/USER.md"))
	}
}
