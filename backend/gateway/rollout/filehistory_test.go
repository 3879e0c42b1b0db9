package rollout_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/gateway/rollout"
	"agentflow/backend/team/library"
	"agentflow/backend/team/librarytest"
	"agentflow/backend/team/topology"
)

// keeping is a desk whose machine keeps workspace files.
func keeping(t *testing.T) *desk {
	t.Helper()
	d := start(t)
	d.keepFiles()
	return d
}

func (d *desk) keepFiles() {
	rollout.KeepFiles(d.Machine, library.NewFileHistory(d.library, librarytest.Files{Store: d.store}))
}

// history lists what is kept of a gateway's files, the oldest first.
func (d *desk) history() (out []string) {
	d.Helper()
	all, err := rollout.FileSnapshots(d.Context(), d.Machine, office, library.EveryFile)
	if err != nil {
		d.Fatal(err)
	}
	for _, f := range slices.Backward(all) {
		pair, err := rollout.CompareFiles(d.Context(), d.Machine, office, f.ID, "")
		if err != nil {
			d.Fatal(err)
		}
		text := fmt.Sprintf("%q", pair.B.Content)
		if f.Missing {
			text = "gone"
		}
		if pair.A != nil {
			text = fmt.Sprintf("%q → %s", pair.A.Content, text)
		}
		if (f.Team == d.team) != strings.HasPrefix(f.Cause, "after_") {
			text += " of the team " + string(f.Team)
		}
		out = append(out, fmt.Sprintf("%s/%s %s %s", f.Agent, f.Name, f.Cause, text))
	}
	return out
}

func (d *desk) kept(want ...string) {
	d.Helper()
	if got := d.history(); !slices.Equal(got, want) {
		d.Errorf("kept\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

// OC-4: every content of a file that is seen is kept once, with who changed it.
func TestOC4_EveryContentOfAFileIsKeptWithItsCause(t *testing.T) {
	d := keeping(t)
	var told []library.FileID
	d.OnFile = func(_ string, newest library.FileID) { told = append(told, newest) }
	d.gateway.setFile("dev/SOUL.md", "old")
	look := func() {
		t.Helper()
		if _, err := d.File(t.Context(), office, "dev", "SOUL.md"); err != nil {
			t.Fatal(err)
		}
		if _, err := d.Files(t.Context(), office, "dev"); err != nil {
			t.Fatal(err)
		}
	}
	look()
	want := []string{`dev/SOUL.md read "old"`}
	d.kept(want...)
	d.write("dev", "SOUL.md", "new")
	a := d.apply(d.request(rollout.Decisions{}))
	look()
	want = append(want, `dev/SOUL.md after_apply "old" → "new"`)
	d.kept(want...)
	d.gateway.setFile("dev/SOUL.md", "theirs")
	if _, err := d.Drift(t.Context(), d.team, ""); err != nil {
		t.Fatal(err)
	}
	want = append(want, `dev/SOUL.md elsewhere "new" → "theirs"`)
	d.kept(want...)
	d.finish(func() (rollout.Apply, error) {
		return d.Rollback(t.Context(), rollout.RollbackRequest{Gateway: office, To: a.Snapshot, Team: d.team})
	})
	look()
	want = append(want, `dev/SOUL.md after_rollback "theirs" → "old"`)
	d.kept(want...)
	d.gateway.removeFile("dev/SOUL.md")
	look()
	want = append(want, `dev/SOUL.md elsewhere "old" → gone`)
	d.kept(want...)
	if len(told) != len(want) {
		t.Errorf("told %v", told)
	}
}

// OC-4: a file that somebody changed between the review and the apply is kept, and the apply stops.
func TestOC4_AFileThatAnApplyMeetsIsKept(t *testing.T) {
	d := keeping(t)
	d.gateway.setFile("dev/SOUL.md", "old")
	d.write("dev", "SOUL.md", "new")
	req := d.request(rollout.Decisions{})
	d.gateway.onWrite = func(topology.AgentID, string) error {
		d.gateway.setFile("dev/SOUL.md", "theirs")
		return nil
	}
	if a := d.apply(req); a.State != rollout.Failed || !errcode.HasReason(a.Error, errcode.ReasonFileChanged) {
		t.Fatalf("%+v", a)
	}
	d.gateway.onWrite = nil
	if _, err := d.File(t.Context(), office, "dev", "SOUL.md"); err != nil {
		t.Fatal(err)
	}
	d.kept(`dev/SOUL.md read "old"`, `dev/SOUL.md elsewhere "old" → "theirs"`)
}

// OC-4: what is read while an apply runs is the apply's, also if it fails then and puts the old text back.
func TestOC4_AFileThatIsReadDuringAnApplyIsNobodyElses(t *testing.T) {
	d := keeping(t)
	d.gateway.setFile("dev/SOUL.md", "old")
	d.write("dev", "SOUL.md", "new")
	d.edit(rename("dev", "Developer"))
	d.gateway.onApply = func() error {
		if _, err := d.File(t.Context(), office, "dev", "SOUL.md"); err != nil {
			t.Error(err)
		}
		return reason(errcode.ReasonRejected)
	}
	if a := d.apply(d.request(rollout.Decisions{})); a.State != rollout.Failed {
		t.Fatalf("%+v", a)
	}
	if _, err := d.File(t.Context(), office, "dev", "SOUL.md"); err != nil {
		t.Fatal(err)
	}
	d.kept(`dev/SOUL.md read "old"`, `dev/SOUL.md after_apply "old" → "new"`,
		`dev/SOUL.md after_apply "new" → "old"`)
}

// OC-4: the next hub knows a file that an apply wrote before the hub ended.
func TestOC4_AFileOfAnApplyThatWasCutOffIsItsOwn(t *testing.T) {
	d := keeping(t)
	path := filepath.Join(t.TempDir(), "applies.json")
	if err := rollout.Remember(d.Machine, path); err != nil {
		t.Fatal(err)
	}
	d.gateway.setFile("dev/SOUL.md", "old")
	d.write("dev", "SOUL.md", "new")
	d.edit(rename("dev", "Developer"))
	d.gateway.onApply = func() error {
		d.stop()
		return reason(errcode.ReasonLinkDown)
	}
	d.gateway.waitErr = reason(errcode.ReasonLinkDown) // so that nothing is put back
	d.apply(d.request(rollout.Decisions{}))
	next := rollout.New(d.library, librarytest.Alarms{Store: d.store}, d.gateways)
	if err := rollout.Remember(next, path); err != nil {
		t.Fatal(err)
	}
	d.gateway.onApply, d.gateway.waitErr, d.Machine = nil, nil, next
	d.keepFiles()
	if _, err := d.File(t.Context(), office, "dev", "SOUL.md"); err != nil {
		t.Fatal(err)
	}
	d.kept(`dev/SOUL.md read "old"`, `dev/SOUL.md after_apply "old" → "new"`)
}

// OC-4: of files that aren't text, or are too long for a team, only the size and the hash are kept.
func TestOC4_BinaryAndLongFilesAreKeptWithoutText(t *testing.T) {
	d := keeping(t)
	d.gateway.setFile("dev/SOUL.md", "a\x00b")
	d.gateway.setFile("dev/AGENTS.md", strings.Repeat("x", topology.MaxFile+1))
	if _, err := d.Files(t.Context(), office, "dev"); err != nil {
		t.Fatal(err)
	}
	all, err := rollout.FileSnapshots(t.Context(), d.Machine, office, 9)
	if err != nil || len(all) != 2 {
		t.Fatalf("%+v, %v", all, err)
	}
	for _, f := range all {
		pair, err := rollout.CompareFiles(t.Context(), d.Machine, office, f.ID, "")
		if err != nil || pair.B.Content != "" || f.HasText || f.Size == 0 || f.Hash == "" {
			t.Errorf("%+v, %v", pair, err)
		}
	}
	if all, err = rollout.FileSnapshots(t.Context(), d.Machine, "lab", 9); err != nil || len(all) > 0 {
		t.Errorf("of another gateway: %+v, %v", all, err)
	}
	if _, err := rollout.CompareFiles(t.Context(), d.Machine, office, "x", ""); !errcode.Is(err, errcode.NotFound) {
		t.Errorf("an unknown one: %v", err)
	}
}

// listing is a gateway that lists the files of an agent.
type listing struct {
	*fakeGateway
	at    map[string]time.Time
	lists []topology.AgentID
	read  []string
}

func (g *listing) ListFiles(_ context.Context, agent topology.AgentID) (out []openclaw.ListedFile, err error) {
	g.lists = append(g.lists, agent)
	for _, name := range topology.FileNames() {
		content := g.file(string(agent) + "/" + name)
		f := openclaw.ListedFile{Name: name, Missing: content == "(missing)"}
		if !f.Missing {
			f.Size, f.UpdatedAt = int64(len(content)), g.at[string(agent)+"/"+name]
		}
		out = append(out, f)
	}
	return out, nil
}

func (g *listing) ReadFile(ctx context.Context, agent topology.AgentID, name string) (openclaw.File, error) {
	g.read = append(g.read, string(agent)+"/"+name)
	return g.fakeGateway.ReadFile(ctx, agent, name)
}

type listingGateways struct{ *listing }

func (g listingGateways) Target(name string) (rollout.Target, error) {
	return rollout.Target{Name: name, Gateway: g.listing}, nil
}

// OC-4: looks at a gateway's files take turns, read what a list has otherwise, and keep it.
func TestOC4_LooksReadOnlyFilesThatChanged(t *testing.T) {
	d := start(t)
	g := &listing{fakeGateway: d.gateway, at: map[string]time.Time{}}
	d.Machine = rollout.New(d.library, librarytest.Alarms{Store: d.store}, listingGateways{g})
	d.keepFiles()
	look := func(wantList, wantRead string) {
		t.Helper()
		g.lists, g.read = nil, nil
		if err := rollout.LookAtFiles(t.Context(), d.Machine, office); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(g.lists, g.read); got != "["+wantList+"] ["+wantRead+"]" {
			t.Errorf("lists and reads %s, want %s and %s", got, wantList, wantRead)
		}
	}
	d.gateway.setFile("dev/SOUL.md", "one")
	look("dev", "dev/SOUL.md")
	look("main", "")
	look("dev", "")
	d.gateway.setFile("dev/SOUL.md", "two")
	d.gateway.setFile("main/USER.md", "me")
	g.at["dev/SOUL.md"] = time.Now()
	look("main", "main/USER.md")
	look("dev", "dev/SOUL.md")
	d.gateway.removeFile("main/USER.md")
	look("main", "")
	d.kept(`dev/SOUL.md read "one"`, `main/USER.md read "me"`, `dev/SOUL.md elsewhere "one" → "two"`,
		`main/USER.md elsewhere "me" → gone`)
}
