package openclaw

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/topology"
)

// soul sets a workspace file, and perhaps renames the agent, so that the config changes as well.
func soul(id topology.AgentID, content, name string) func(*topology.Topology) {
	return func(t *topology.Topology) {
		a, ok := t.Agent(id)
		if !ok {
			return
		}
		if a.Files == nil {
			a.Files = topology.Files{}
		}
		a.Files["SOUL.md"] = topology.AgentFile{Content: content}
		if name != "" {
			a.Name = name
		}
	}
}

func newFileFake(t *testing.T) *fakeGateway {
	t.Helper()
	g := newFake(t, newest, entriesConfig)
	g.setFile("dev", "SOUL.md", "old\n")
	return g
}

func (g *fakeGateway) order() string {
	var out []string
	for _, l := range g.log {
		if l == "apply" || strings.HasPrefix(l, "writeFile") || strings.HasPrefix(l, "delete") {
			out = append(out, l)
		}
	}
	return strings.Join(out, ", ")
}

// OC-2: files are written before the config, and the snapshot has what they were.
func TestOC2_FilesFirstConfigLast(t *testing.T) {
	g := newFileFake(t)
	p := g.push(soul("dev", "new\n", "Developer"), nil)
	if p.err != nil || g.order() != "writeFile dev/SOUL.md, apply" {
		t.Fatalf("%s, %v", g.order(), p.err)
	}
	if len(p.kept) != 1 || !slices.Equal(p.kept[0].Files, []KeptFile{{Agent: "dev", Name: "SOUL.md",
		Content: "old\n"}}) {
		t.Errorf("the snapshot has %+v", p.kept)
	}
	if strings.Contains(string(g.doc.Bytes()), "new") || !slices.Equal(p.res.Files, []FileRef{{"dev", "SOUL.md"}}) {
		t.Errorf("%+v\n%s", p.res.Files, g.doc.Bytes())
	}
	if len(p.preview.Files) != 1 || !p.preview.Files[0].Guarded || p.preview.Files[0].Later || !p.preview.Sends {
		t.Errorf("the preview says %+v", p.preview.Files)
	}
	i := slices.IndexFunc(p.preview.Changes, func(c PreviewChange) bool { return c.Field == "files.SOUL.md" })
	if i < 0 || string(p.preview.Changes[i].Before) != `"old\n"` || string(p.preview.Changes[i].After) != `"new\n"` ||
		p.preview.Changes[i].Impact != ImpactHot {
		t.Errorf("the changes are %+v", p.preview.Changes)
	}
}

// A push of files alone sends no config.
func TestOC2_OnlyFiles(t *testing.T) {
	g := newFileFake(t)
	p := g.push(soul("dev", "new\n", ""), nil)
	if p.err != nil || g.order() != "writeFile dev/SOUL.md" || p.res.Outcome != OutcomeApplied || !p.res.Verified {
		t.Fatalf("%s, %+v, %v", g.order(), p.res, p.err)
	}
	if p = g.push(soul("dev", "new\n", ""), nil); p.err != nil || p.res.Outcome != OutcomeUnchanged || p.preview.Sends {
		t.Fatalf("once more: %+v, %v", p.res, p.err)
	}
}

// The files of a new agent come after the config: before that the gateway has no folder for them.
func TestOC2_FilesOfANewAgentComeLast(t *testing.T) {
	g := newFileFake(t)
	add := func(team *topology.Topology) {
		soul("dev", "new\n", "")(team)
		team.Agents = append(team.Agents, topology.Agent{ID: "ops",
			Files: topology.Files{"SOUL.md": {Content: "ops\n"}}})
	}
	p := g.push(add, nil)
	if p.err != nil || g.order() != "writeFile dev/SOUL.md, apply, writeFile ops/SOUL.md" ||
		g.files["ops"]["SOUL.md"] != "ops\n" {
		t.Fatalf("%s, %v", g.order(), p.err)
	}
	i := slices.IndexFunc(p.preview.Changes, func(c PreviewChange) bool {
		return c.Agent == "ops" &&
			c.Field == "files.SOUL.md"
	})
	if i < 0 || p.preview.Changes[i].Impact != ImpactHot || !p.preview.Files[1].Later {
		t.Errorf("the review doesn't show the file whole: %+v, %+v", p.preview.Changes, p.preview.Files)
	}
}

// TestOC2_AFailureTakesTheFilesBack: whatever fails after a file was written, the old content comes back.
func TestOC2_AFailureTakesTheFilesBack(t *testing.T) {
	broken := errcode.New(errcode.Gateway, "disk full").With(errcode.KeyReason, errcode.ReasonRejected)
	cases := map[string]func(g *fakeGateway){
		"the config is refused":      func(g *fakeGateway) { g.onApply = func(int) error { return broken } },
		"the second file is refused": func(g *fakeGateway) { g.onWrite = failFor("USER.md", broken) },
		"the config never got there": func(g *fakeGateway) { g.onApply = func(int) error { return unknown() } },
		"the config changed meanwhile": func(g *fakeGateway) {
			g.onApply = func(int) error { g.set(entriesConfig + "other: 1\n"); return nil }
		},
	}
	for name, breaks := range cases {
		t.Run(name, func(t *testing.T) {
			g := newFileFake(t)
			breaks(g)
			p := g.push(func(team *topology.Topology) {
				soul("dev", "new\n", "Developer")(team)
				a, _ := team.Agent("dev")
				a.Files["USER.md"] = topology.AgentFile{Content: "Mika\n"}
			}, nil)
			if p.err == nil || g.files["dev"]["SOUL.md"] != "old\n" || g.files["dev"]["USER.md"] != "" {
				t.Fatalf("files %q, %v", g.files["dev"], p.err)
			}
			e := errcode.From(p.err)
			if e.Details["filesPutBack"] != true || !strings.Contains(e.Message, "old content again") ||
				len(p.res.Files) > 0 {
				t.Errorf("%s %+v, %+v", e.Message, e.Details, p.res.Files)
			}
		})
	}
}

func failFor(name string, err error) func(topology.AgentID, string) error {
	return func(_ topology.AgentID, n string) error {
		if n == name {
			return err
		}
		return nil
	}
}

// Where the gateway is gone, a file can't be put back, and the error names it with the way out.
func TestOC2_WhatCannotBePutBackIsNamed(t *testing.T) {
	g := newFileFake(t)
	g.onApply = func(int) error {
		g.waitErr = errors.New("gone")
		return errcode.New(errcode.Gateway, "gone").With(errcode.KeyReason, errcode.ReasonLinkDown)
	}
	p := g.push(soul("dev", "new\n", "Developer"), nil)
	e := errcode.From(p.err)
	left, _ := e.Details["filesLeft"].([]string)
	if !slices.Equal(left, []string{"SOUL.md of dev"}) || !strings.Contains(e.Message, "roll back to the snapshot") {
		t.Fatalf("%v, %+v", p.err, e.Details)
	}
}

// A file that somebody changed after we wrote it isn't put back over that.
func TestOC2_PuttingBackOverwritesNobody(t *testing.T) {
	g := newFileFake(t)
	g.onApply = func(int) error {
		g.setFile("dev", "SOUL.md", "somebody else's\n")
		return errcode.New(errcode.Gateway, "no").With(errcode.KeyReason, errcode.ReasonRejected)
	}
	p := g.push(soul("dev", "new\n", "Developer"), nil)
	if g.files["dev"]["SOUL.md"] != "somebody else's\n" || errcode.From(p.err).Details["filesLeft"] == nil {
		t.Fatalf("%q, %v", g.files["dev"]["SOUL.md"], p.err)
	}
}

// An apply whose outcome is unknown leaves the files: with the config that may be there they belong together.
func TestOC2_AnUnknownOutcomeKeepsTheFiles(t *testing.T) {
	g := newFileFake(t)
	g.onApply = func(int) error { g.waitErr = errors.New("gone"); return unknown() }
	p := g.push(soul("dev", "new\n", "Developer"), nil)
	if g.files["dev"]["SOUL.md"] != "new\n" || !errcode.HasReason(p.err, errcode.ReasonUnknown) ||
		!strings.Contains(p.err.Error(), "written before that") {
		t.Fatalf("%q, %v", g.files["dev"]["SOUL.md"], p.err)
	}
}

// The answer to a file's write is lost: the file itself tells.
func TestOC2_ALostAnswerIsLookedUp(t *testing.T) {
	g := newFileFake(t)
	g.lostFile = func(string) bool { return true }
	if p := g.push(soul("dev", "new\n", "Developer"), nil); p.err != nil || g.files["dev"]["SOUL.md"] != "new\n" ||
		g.applies != 1 {
		t.Fatalf("%q, %v", g.files["dev"]["SOUL.md"], p.err)
	}
	g.lostFile = nil
	g.onWrite = func(topology.AgentID, string) error { return unknown() }
	p := g.push(soul("dev", "newer\n", "Dev"), nil)
	if !errcode.HasReason(p.err, errcode.ReasonLinkDown) || g.files["dev"]["SOUL.md"] != "new\n" || g.applies != 1 {
		t.Fatalf("a write that never got there gave %v", p.err)
	}
}

// A file that changed after the review stops the push before anything is written; so does one that changes between the
// reading and the write.
func TestOC2_AChangedFileIsAConflict(t *testing.T) {
	g := newFileFake(t)
	p := g.push(soul("dev", "new\n", "Developer"), func(*PushInput) { g.setFile("dev", "SOUL.md", "theirs\n") })
	e := errcode.From(p.err)
	if !errcode.HasReason(p.err, errcode.ReasonFileChanged) || e.Details["current"] != "theirs\n" ||
		e.Details["file"] != "SOUL.md" ||
		len(p.kept) > 0 || g.order() != "" {
		t.Fatalf("%v %+v, %s", p.err, e.Details, g.order())
	}
	g = newFileFake(t)
	g.onWrite = func(topology.AgentID, string) error { g.setFile("dev", "SOUL.md", "theirs\n"); return nil }
	p = g.push(soul("dev", "new\n", "Developer"), nil)
	if !errcode.HasReason(p.err, errcode.ReasonFileChanged) || g.files["dev"]["SOUL.md"] != "theirs\n" ||
		g.applies > 0 {
		t.Fatalf("%v, %q", p.err, g.files["dev"]["SOUL.md"])
	}
}

// Going back restores files byte for byte. One that wasn't there can't be deleted, so it becomes empty.
func TestOC2_RollbackRestoresFiles(t *testing.T) {
	const bytes = "old\r\n\ttab 日本語 \n\n"
	g := newFake(t, newest, entriesConfig)
	g.setFile("dev", "SOUL.md", bytes)
	p := g.push(func(team *topology.Topology) {
		soul("dev", "new\n", "Developer")(team)
		a, _ := team.Agent("dev")
		a.Files["USER.md"] = topology.AgentFile{Content: "Mika\n"}
	}, nil)
	if p.err != nil {
		t.Fatal(p.err)
	}
	to, now := p.kept[0], g.snapshot()
	reading, err := now.Reading()
	if err != nil {
		t.Fatal(err)
	}
	team, err := to.Team()
	if err != nil {
		t.Fatal(err)
	}
	files, err := ReadFiles(t.Context(), g, &reading.Topology, team)
	if err != nil {
		t.Fatal(err)
	}
	preview, err := PreviewRollback(now, to, g.caps, files)
	if err != nil || len(preview.Files) != 2 || !preview.Sends {
		t.Fatalf("%+v, %v", preview.Files, err)
	}
	writes, err := RollbackFiles(now, to, g.caps, files)
	if err != nil {
		t.Fatal(err)
	}
	var kept []Snapshot
	res, err := Rollback(t.Context(), g, RollbackInput{
		BaseHash: now.Hash, To: to, Files: writes,
		KeepSnapshot: func(_ context.Context, s Snapshot) error { kept = append(kept, s); return nil },
	})
	if err != nil || g.files["dev"]["SOUL.md"] != bytes || g.files["dev"]["USER.md"] != "" || len(res.Files) != 2 {
		t.Fatalf("%q, %+v, %v", g.files["dev"], res, err)
	}
	if len(kept) != 1 || len(kept[0].Files) != 2 || kept[0].Files[0].Content != "new\n" {
		t.Errorf("the rollback itself kept %+v", kept)
	}
}

// Files that the gateway doesn't serve, or that aren't text there, stay in the team and are named.
func TestOC2_FilesThatTheGatewayDoesNotTake(t *testing.T) {
	g := newFileFake(t)
	g.setFile("dev", "MEMORY.md", "a\x00b")
	p := g.push(func(team *topology.Topology) {
		a, _ := team.Agent("dev")
		a.Files = topology.Files{"TOOLS.md": {Content: "x"}, "MEMORY.md": {Content: "y"}}
	}, nil)
	if p.err != nil || g.order() != "" || g.files["dev"]["MEMORY.md"] != "a\x00b" || p.preview.Sends {
		t.Fatalf("%s, %v", g.order(), p.err)
	}
	var lost []string
	for _, l := range p.preview.Losses {
		lost = append(lost, l.Field+" "+l.Reason)
	}
	if slices.Sort(lost); !slices.Equal(lost, []string{"files.MEMORY.md shape", "files.TOOLS.md no_place"}) {
		t.Errorf("lost %v", lost)
	}
	for _, c := range p.preview.Changes {
		if c.Impact != ImpactLocal {
			t.Errorf("%+v would be sent", c)
		}
	}
}

// OC-2: a persona that goes by a file is no setting that stays behind.
func TestOC2_PersonaInAFileIsSent(t *testing.T) {
	const block = "<!-- agentflow:persona begin -->\nBe kind.\n<!-- agentflow:persona end -->\n"
	persona := func(text string) func(*topology.Topology) {
		return func(t *topology.Topology) {
			soul("dev", text, "")(t)
			a, _ := t.Agent("dev")
			a.Persona = "Be kind."
		}
	}
	lost := func(p Preview) bool {
		return slices.ContainsFunc(p.Losses, func(l Loss) bool { return l.Agent == "dev" && l.Field == "persona" })
	}
	file := func(p Preview) string {
		i := slices.IndexFunc(p.Changes, func(c PreviewChange) bool { return c.Field == "persona" })
		if i < 0 || p.Changes[i].Impact != ImpactLocal {
			t.Fatalf("the changes are %+v", p.Changes)
		}
		return p.Changes[i].File
	}
	if p := newFileFake(t).push(persona(block), nil).preview; file(p) != "SOUL.md" || lost(p) {
		t.Errorf("by a file: %q, %+v", file(p), p.Losses)
	}
	if p := newFileFake(t).push(persona("new\n"), nil).preview; file(p) != "" || !lost(p) {
		t.Errorf("by no file: %q, %+v", file(p), p.Losses)
	}
	g := newFileFake(t)
	g.setFile("dev", "SOUL.md", block) // the file is there already
	if p := g.push(persona(block), nil).preview; lost(p) {
		t.Errorf("%+v", p.Losses)
	}
}
