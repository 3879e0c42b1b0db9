package topology

import (
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
)

func withFiles(files Files) *Topology { return &Topology{Agents: []Agent{{ID: "a", Files: files}}} }

func text(content string) Files { return Files{"SOUL.md": {Content: content}} }

func from(content, seen string) Files {
	return Files{"SOUL.md": {Content: content, BasedOn: HashFile(seen)}}
}

// OC-2: files are merged one by one; what both sides changed differently is a conflict with all texts.
func TestOC2_FilesAreMergedOneByOne(t *testing.T) {
	cases := map[string]struct {
		base, mine, theirs Files
		want               string // "" for none
		conflict           string // reason
	}{
		"only mine changed":              {text("0"), text("1"), text("0"), "1", ""},
		"only theirs changed":            {text("0"), text("0"), text("2"), "2", ""},
		"both alike":                     {text("0"), text("1"), text("1"), "1", ""},
		"both":                           {text("0"), text("1"), text("2"), "1", ReasonBothChanged},
		"first edit of what is there":    {nil, from("1", "0"), text("0"), "1", ""},
		"first edit, changed since":      {nil, from("1", "0"), text("2"), "1", ReasonBothChanged},
		"never seen, but there":          {nil, text("1"), text("2"), "1", ReasonBothChanged},
		"never seen, the same":           {nil, text("1"), text("1"), "1", ""},
		"new, and none there":            {nil, text("1"), nil, "1", ""},
		"edited from a newer one":        {text("0"), from("3", "2"), text("2"), "3", ""},
		"edited from one that is gone":   {text("0"), from("3", "2"), text("4"), "3", ReasonBothChanged},
		"applied, and edited on":         {from("1", "1"), from("2", "1"), from("1", "1"), "2", ""},
		"the gateway lost an unread one": {text("0"), text("0"), nil, "", ""},
		"theirs was edited in a window":  {from("0", "0"), from("0", "0"), from("2", "0"), "2", ""},
	}
	for name, c := range cases {
		got := Merge(withFiles(c.base), withFiles(c.mine), withFiles(c.theirs), nil)
		reason := ""
		for _, x := range got.Conflicts {
			reason = x.Reason
			if x.Field != "files.SOUL.md" || x.Mine == nil || x.Theirs == nil || x.ID != "agent:a:files.SOUL.md" {
				t.Errorf("%s: conflict %+v", name, x)
			}
		}
		if content := got.Topology.Agents[0].Files["SOUL.md"].Content; content != c.want || reason != c.conflict {
			t.Errorf("%s: %q, conflict %q", name, content, reason)
		}
	}
	other := Merge(withFiles(text("0")), withFiles(Files{"SOUL.md": {Content: "1"}}),
		withFiles(Files{"SOUL.md": {Content: "0"}, "USER.md": {Content: "u"}}), nil)
	if f := other.Topology.Agents[0].Files; len(other.Conflicts) > 0 || f["SOUL.md"].Content != "1" ||
		f["USER.md"].Content != "u" {
		t.Errorf("two files: %+v, %+v", f, other.Conflicts)
	}
}

// A decision takes either text, or both.
func TestOC2_AConflictOfFilesIsDecided(t *testing.T) {
	for choice, want := range map[Choice]string{ChooseMine: "1", ChooseTheirs: "2", ChooseBase: "0",
		ChooseBoth: "1\n\n2"} {
		got := Merge(withFiles(text("0")), withFiles(text("1")), withFiles(text("2")),
			map[string]Choice{"agent:a:files.SOUL.md": choice})
		if content := got.Topology.Agents[0].Files["SOUL.md"].Content; content != want {
			t.Errorf("%s gave %q", choice, content)
		}
	}
}

// What the text was edited from isn't content, and a merge takes what was seen last.
func TestOC2_TheBasisOfAFile(t *testing.T) {
	if !withFiles(from("1", "0")).Equal(withFiles(text("1"))) ||
		len(Diff(withFiles(text("1")), withFiles(from("1", "0")))) > 0 {
		t.Error("two files with the same text differ")
	}
	got := Merge(withFiles(from("1", "0")), withFiles(from("2", "0")), withFiles(from("1", "1")), nil)
	if f := got.Topology.Agents[0].Files["SOUL.md"]; f.Content != "2" || f.BasedOn != HashFile("1") ||
		len(got.Conflicts) > 0 {
		t.Errorf("an edit while the team is applied: %+v, %+v", f, got.Conflicts)
	}
}

// The text that an edit began from is kept with it, because the gateway may have changed the file before anything else
// saw it. A text with another hash doesn't count.
func TestOC2_TheTextThatAnEditBeganFrom(t *testing.T) {
	kept := func(base string) Files {
		return Files{"SOUL.md": {Content: "1\nb\n", BasedOn: HashFile("0\nb\n"), Base: base}}
	}
	theirs := withFiles(text("0\nb\n2\n"))
	for base, want := range map[string]string{"0\nb\n": `"0\nb\n"`, "another": "", "": ""} {
		got := Merge(withFiles(nil), withFiles(kept(base)), theirs, nil)
		if len(got.Conflicts) != 1 || string(got.Conflicts[0].Base) != want {
			t.Errorf("%q: %+v", base, got.Conflicts)
		}
	}
	id := "agent:a:files.SOUL.md"
	for choice, want := range map[Choice]string{ChooseBase: "0\nb\n", ChooseBoth: "1\nb\n2\n"} {
		got := Merge(withFiles(nil), withFiles(kept("0\nb\n")), theirs, map[string]Choice{id: choice})
		f := got.Topology.Agents[0].Files["SOUL.md"]
		if f.Content != want || f.BasedOn != "" && f.Base != "" && HashFile(f.Base) != f.BasedOn {
			t.Errorf("%s gave %+v", choice, f)
		}
	}
	theirs = withFiles(from("0\nb\n2\n", "0\nb\n2\n"))
	got := Merge(withFiles(nil), withFiles(kept("0\nb\n")), theirs, map[string]Choice{id: ChooseMine})
	if f := got.Topology.Agents[0].Files["SOUL.md"]; f.Base != "" || f.BasedOn != HashFile("0\nb\n2\n") {
		t.Errorf("after the merge the text of before is kept: %+v", f)
	}
}

// The files of a new agent are changes of their own, so that each can be read and left out.
func TestOC2_FilesOfANewAgentAreChanges(t *testing.T) {
	draft := withFiles(Files{"SOUL.md": {Content: "s"}, "AGENTS.md": {Content: "a"}})
	cs := Diff(&Topology{}, draft)
	if len(cs) != 3 || cs[1].Field != "files.SOUL.md" || cs[2].Field != "files.AGENTS.md" ||
		strings.Contains(string(cs[0].After), "files") {
		t.Fatalf("%+v", cs)
	}
	got, err := Apply(&Topology{}, cs[:2])
	if err != nil || len(got.Agents[0].Files) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
}

// What can't be a workspace file is refused with the agent and the file.
func TestOC2_FilesAreLimited(t *testing.T) {
	ok := withFiles(Files{"SOUL.md": {Content: strings.Repeat("x", MaxFile)}, "HEARTBEAT.md": {}})
	if err := ok.Validate(); err != nil {
		t.Error(err)
	}
	for name, c := range map[string]struct{ file, content string }{
		"10 MB": {"SOUL.md", strings.Repeat("x", 10<<20)}, "binary": {"SOUL.md", "a\x00b"}, "not UTF-8": {"SOUL.md",
			"\xff"},
		"another name": {"EVIL.md", "x"}, "a path": {"../SOUL.md", "x"}, "lower case": {"soul.md", "x"},
	} {
		err := withFiles(Files{c.file: {Content: c.content}}).Validate()
		if !errcode.Is(err, errcode.Validation) || !strings.Contains(err.Error(), `"a"`) ||
			!strings.Contains(err.Error(), c.file) ||
			errcode.From(err).Details[errcode.KeyField] != "agents[0].files."+c.file {
			t.Errorf("%s: %v", name, err)
		}
	}
	many := &Topology{}
	for i := range 40 {
		many.Agents = append(many.Agents, Agent{ID: AgentID(rune('A' + i)), Files: text(strings.Repeat("x", MaxFile))})
	}
	if err := many.Validate(); err == nil || !strings.Contains(err.Error(), "32 MiB") {
		t.Errorf("40 MiB of files: %v", err)
	}
}

// OC-4: the page counts tokens alike, see frontend/src/topology/files.test.ts.
func TestOC4_TokensAreCountedAsInThePage(t *testing.T) {
	for text, want := range map[string]int{"": 0, "four letters make one": 6, "日本語": 3, "é": 1, "👋": 2} {
		if got := AboutTokens(text); got != want {
			t.Errorf("%q has %d tokens, want %d", text, got, want)
		}
	}
}
