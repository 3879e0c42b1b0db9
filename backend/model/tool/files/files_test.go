package files

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/sandbox"
	"agentflow/backend/model/tool"
	"agentflow/backend/model/tool/shell"
)

// box is two allowed folders next to a secret.
type box struct {
	t           *testing.T
	one, two    string
	outside     string
	set         *tool.Set
	folders     *Folders
	secretWords string
}

func newBox(t *testing.T) *box {
	t.Helper()
	dir := t.TempDir()
	b := &box{
		t:           t,
		one:         filepath.Join(dir, "one"),
		two:         filepath.Join(dir, "two"),
		outside:     filepath.Join(dir, "secret.txt"),
		secretWords: "not yours",
	}
	for _, d := range []string{b.one, b.two} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	b.put(b.outside, b.secretWords)
	f, err := Open(b.one, b.two)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	b.folders, b.set = f, tool.NewSet(tool.Options{Policies: tool.Policies{Default: tool.Auto}}, f.Tools()...)
	return b
}

func (b *box) put(path, text string) {
	b.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
}

func (b *box) use(name string, args any) tool.Outcome {
	b.t.Helper()
	data, _ := json.Marshal(args)
	o, err := b.set.Use(b.t.Context(), name, string(data), "")
	if err != nil {
		b.t.Fatal(err)
	}
	return o
}

type m map[string]any

// TestCH5_FilesAreReadAndWritten tests the four tools on real folders.
func TestCH5_FilesAreReadAndWritten(t *testing.T) {
	b := newBox(t)
	if o := b.use(Write, m{"path": "a/b/note.txt", "content": "first\nはい\n"}); o.Failed {
		t.Fatal(o.Text)
	}
	if o := b.use(Write, m{"path": "a/b/note.txt", "content": "third\n", "append": true}); o.Failed {
		t.Fatal(o.Text)
	}
	if data, err := os.ReadFile(filepath.Join(b.one, "a/b/note.txt")); err != nil || string(data) != "first\nはい\nthird\n" {
		t.Fatalf("%q, %v", data, err)
	}
	if o := b.use(Read, m{"path": filepath.Join(b.one, "a/b/note.txt")}); o.Failed || o.Text != "first\nはい\nthird\n" {
		t.Errorf("read %+v", o)
	}
	if o := b.use(Read, m{"path": "a/../a/b/note.txt", "offset": 6}); o.Text != "はい\nthird\n" {
		t.Errorf("read on: %+v", o)
	}
	b.put(filepath.Join(b.two, "x.go"), "package x\n// third\n")
	if o := b.use(List, m{}); o.Text != "a/\n" {
		t.Errorf("listed %+v", o)
	}
	if o := b.use(List, m{"recursive": true}); o.Text != filepath.FromSlash("a/\na/b/\na/b/note.txt  19 bytes\n") {
		t.Errorf("listed %+v", o)
	}
	if o := b.use(Search, m{"pattern": "th.rd"}); o.Text != filepath.FromSlash("a/b/note.txt")+":3: third\n" {
		t.Errorf("found %+v", o)
	}
	found := b.use(Search, m{"pattern": "third", "path": b.two, "names": "*.go"})
	path, _, _ := strings.Cut(found.Text, ":2:")
	if o := b.use(Read, m{"path": path}); o.Failed || !strings.Contains(o.Text, "package x") {
		t.Errorf("a found file can't be read: %+v, %+v", found, o)
	}
	if left, _ := filepath.Glob(filepath.Join(b.one, "a/b/.*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestFaultNoWayOut tries dots, absolute paths and links, to files and folders, at the start of a path and below.
func TestFaultNoWayOut(t *testing.T) {
	b := newBox(t)
	link := func(to, at string) {
		if err := os.Symlink(to, filepath.Join(b.one, at)); err != nil {
			t.Fatal(err)
		}
	}
	link(b.outside, "absolute")
	link("../secret.txt", "relative")
	link("..", "up")
	link(filepath.Dir(b.outside), "folder")
	link("chain2", "chain1")
	link("../secret.txt", "chain2")
	hostile := []string{
		"../secret.txt", "a/../../secret.txt", b.outside, b.one + "/../secret.txt", b.one + "x/secret.txt", "/etc/passwd", "//etc/passwd", "/ETC/PASSWD",
		strings.ToUpper(b.outside), strings.ToUpper(b.one) + "/../secret.txt", "../SECRET.TXT", "UP/secret.txt",
		"absolute", "relative", "up/secret.txt", "folder/secret.txt", "chain1", "up/one/../secret.txt", "./up/../../secret.txt",
		"..\\secret.txt", "\x00", "secret.txt\x00.txt",
	}
	for _, path := range hostile {
		for _, name := range []string{Read, Write, List, Search} {
			args := m{"path": path}
			switch name {
			case Write:
				args["content"] = "mine now"
			case Search:
				args["pattern"] = "yours"
			}
			o := b.use(name, args)
			if strings.Contains(o.Text, b.secretWords) || strings.Contains(o.Text, "root:") || strings.Contains(o.Text, "secret.txt  9 bytes") {
				t.Errorf("%s %q got out: %s", name, path, o.Text)
			}
			if !o.Failed && name == Read {
				t.Errorf("%s %q: %s", name, path, o.Text)
			}
		}
	}
	if data, _ := os.ReadFile(b.outside); string(data) != b.secretWords {
		t.Errorf("the file outside became %q", data)
	}
	if o := b.use(Search, m{"pattern": "."}); strings.Contains(o.Text, b.secretWords) {
		t.Errorf("a search followed a link: %s", o.Text)
	}
	for path, ok := range map[string]bool{"": true, b.two: true, "..": false, "up": false, "/": false, "nothing": false} {
		if _, err := b.folders.Dir(path); (err == nil) != ok {
			t.Errorf("Dir(%q): %v", path, err)
		}
	}
}

// TestFaultHostileFiles tries what isn't text, isn't a file, is too large, or is too many.
func TestFaultHostileFiles(t *testing.T) {
	b := newBox(t)
	b.put(filepath.Join(b.one, "binary"), "a\x00b")
	b.put(filepath.Join(b.one, "latin"), "caf\xe9")
	b.put(filepath.Join(b.one, "large"), strings.Repeat("あ", 100_000))
	b.put(filepath.Join(b.one, "line"), strings.Repeat("x", 5000)+" needle")
	for args, says := range map[string]string{
		`{"path":"binary"}`:                "not a text",
		`{"path":"latin"}`:                 "not a text",
		`{"path":"."}`:                     "is a folder",
		`{"path":"nothing"}`:               "does not exist",
		`{"path":"line","offset":-1}`:      "offset must be",
		`{"path":"line","offset":9999999}`: "offset must be",
		`{"path":1}`:                       "do not fit",
		`{"file":"line"}`:                  `unknown field "file"`,
	} {
		if o, _ := b.set.Use(t.Context(), Read, args, ""); !o.Failed || !strings.Contains(o.Text, says) {
			t.Errorf("%s: %+v", args, o)
		}
	}
	whole, offset := "", 0
	for len(whole) < 300_000 {
		o := b.use(Read, m{"path": "large", "offset": offset})
		piece, _, more := strings.Cut(o.Text, "\n[… ")
		if o.Failed || strings.ContainsRune(piece, '\uFFFD') {
			t.Fatalf("at %d: %.80q", offset, o.Text)
		}
		whole += piece
		if offset = len(whole); !more {
			break
		}
	}
	if whole != strings.Repeat("あ", 100_000) {
		t.Errorf("a large file in pieces has %d bytes", len(whole))
	}
	if o := b.use(Write, m{"path": "huge", "content": strings.Repeat("x", maxWrite+1)}); !o.Failed {
		t.Error("a huge content was written")
	}
	if o := b.use(Write, m{"path": "line/under", "content": "x"}); !o.Failed {
		t.Error("a file was used as a folder")
	}
	if o := b.use(Search, m{"pattern": "needle"}); len(o.Text) > 400 || !strings.HasPrefix(o.Text, "line:1:") {
		t.Errorf("%.80q", o.Text)
	}
	if o := b.use(Search, m{"pattern": "(a+"}); !o.Failed {
		t.Error("a broken pattern was searched")
	}
	for i := range maxListed + 5 {
		b.put(filepath.Join(b.two, fmt.Sprintf("%04d", i)), "hit\n")
	}
	if o := b.use(List, m{"path": b.two}); strings.Count(o.Text, "\n") != maxListed+1 || !strings.Contains(o.Text, "more than 1000") {
		t.Errorf("%d lines", strings.Count(o.Text, "\n"))
	}
	if o := b.use(Search, m{"pattern": "hit", "path": b.two}); strings.Count(o.Text, "\n") != maxMatches+1 {
		t.Errorf("%d matches", strings.Count(o.Text, "\n"))
	}
	if _, err := Open(filepath.Join(b.one, "nothing")); err == nil {
		t.Error("a missing folder was opened")
	}
}

// TestTR1_AFolderBelowHomeIsTheOneThatIsShown: ~ is the home folder, not a folder of that name below wherever the
// program runs.
func TestTR1_AFolderBelowHomeIsTheOneThatIsShown(t *testing.T) {
	home, data := t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	t.Chdir(t.TempDir())
	for path, want := range map[string]string{"~": home, "~/team/work": filepath.Join(home, "team", "work")} {
		f, err := OpenWorkspace(path, sandbox.Settings{Data: data})
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Paths(); len(got) != 1 || got[0] != want {
			t.Errorf("%s is %v, want %s", path, got, want)
		}
		if got, err := f.Dir(""); err != nil || got != want {
			t.Errorf("%s is used as %s, want %s: %v", path, got, want, err)
		}
		f.Close()
	}
	if left, _ := filepath.Glob("*"); len(left) > 0 {
		t.Errorf("made where the program runs: %v", left)
	}
}

// TestTR1_AWorkspaceIsCreatedByItsFirstUse: opening it writes nothing, and neither does a path that is rejected.
func TestTR1_AWorkspaceIsCreatedByItsFirstUse(t *testing.T) {
	base := t.TempDir()
	at := filepath.Join(base, "new", "workspace")
	f, err := OpenWorkspace(at, sandbox.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got := f.Paths(); len(got) != 1 || got[0] != at {
		t.Errorf("paths %v", got)
	}
	if left, _ := os.ReadDir(base); len(left) > 0 {
		t.Fatalf("opening it created %v", left)
	}
	if said, err := f.write(t.Context(), writeArgs{Path: "note.txt", Content: "x"}); err != nil {
		t.Fatal(said, err)
	}
	if got, err := os.ReadFile(filepath.Join(at, "note.txt")); err != nil || string(got) != "x" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestTR1_AWorkspaceThatBecomesALinkToDataIsRejected: between opening and the first use, a folder above it is
// replaced by a link into the data folder.
func TestTR1_AWorkspaceThatBecomesALinkToDataIsRejected(t *testing.T) {
	base, data := t.TempDir(), t.TempDir()
	above := filepath.Join(base, "above")
	f, err := OpenWorkspace(filepath.Join(above, "workspace"), sandbox.Settings{Data: data})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := os.Symlink(data, above); err != nil {
		t.Fatal(err)
	}
	if _, err := f.list(t.Context(), listArgs{}); !errcode.Is(err, errcode.Forbidden) {
		t.Errorf("%v", err)
	}
}

// counter counts the questions and allows everything.
type counter struct{ asked int }

func (c *counter) Ask(context.Context, tool.Question) (tool.Verdict, error) {
	c.asked++
	return tool.Verdict{Allow: true}, nil
}

// TestCH5_NobodyIsAskedAboutAPathOutside: what no answer can allow is rejected with the folders that can be used.
func TestCH5_NobodyIsAskedAboutAPathOutside(t *testing.T) {
	b := newBox(t)
	if err := os.Symlink(filepath.Dir(b.outside), filepath.Join(b.one, "up")); err != nil {
		t.Fatal(err)
	}
	absent, err := OpenWorkspace(filepath.Join(t.TempDir(), "later"), sandbox.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	defer absent.Close()
	for _, f := range []*Folders{b.folders, absent} {
		run := shell.Shell{Dir: f.Dir, Inside: f.Inside, Sandbox: sandbox.Settings{Mode: sandbox.Off}}
		person := &counter{}
		asks := tool.Options{Policies: tool.Policies{Default: tool.Ask}, Asker: person}
		set := tool.NewSet(asks, append(f.Tools(), run.Tool())...)
		says := "outside of the folders that are allowed: " + f.Paths()[0]
		paths := []string{"/etc/evil.txt", b.outside, "../secret.txt", "a/../../new/file.txt"}
		if f == b.folders {
			paths = append(paths, "up/secret.txt", "up/new/file.txt")
		}
		for _, path := range paths {
			for name, args := range map[string]m{
				Read:       {"path": path},
				Write:      {"path": path, "content": "x"},
				List:       {"path": path},
				Search:     {"path": path, "pattern": "x"},
				shell.Exec: {"command": "pwd", "dir": path},
			} {
				data, _ := json.Marshal(args)
				o, err := set.Use(t.Context(), name, string(data), "")
				if err != nil || !o.Failed || !strings.Contains(o.Text, says) {
					t.Errorf("%s %s: %+v, %v", name, path, o, err)
				}
			}
		}
		if person.asked > 0 {
			t.Errorf("asked %d times", person.asked)
		}
		if f == absent {
			if _, err := os.Stat(f.Paths()[0]); err == nil {
				t.Error("a rejected path created the workspace")
			}
		}
		o, _ := set.Use(t.Context(), Write, `{"path":"new/note.txt","content":"x"}`, "")
		if o.Failed || person.asked != 1 {
			t.Errorf("%+v after %d questions", o, person.asked)
		}
	}
}

type effects struct{ seen []tool.FileEffect }

func (e *effects) Ask(_ context.Context, q tool.Question) (tool.Verdict, error) {
	if q.Effect == nil {
		return tool.Verdict{}, errors.New("the question doesn't name the effect on the file")
	}
	e.seen = append(e.seen, *q.Effect)
	return tool.Verdict{Allow: true}, nil
}

// CH-5: the question about a write says whether there is a file already, and how large it is. Asking creates nothing.
func TestCH5_AWriteSaysWhatBecomesOfTheFile(t *testing.T) {
	b := newBox(t)
	absent, err := OpenWorkspace(filepath.Join(t.TempDir(), "later"), sandbox.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	defer absent.Close()
	person := &effects{}
	write := func(f *Folders, args string) {
		t.Helper()
		set := tool.NewSet(tool.Options{Policies: tool.Policies{Default: tool.Ask}, Asker: person}, f.Tools()...)
		if o, err := set.Use(t.Context(), Write, args, ""); err != nil || o.Failed {
			t.Fatalf("%s: %+v, %v", args, o, err)
		}
	}
	write(b.folders, `{"path":"new/notes.txt","content":"123456"}`)
	write(b.folders, `{"path":"new/notes.txt","content":"1234"}`)
	write(b.folders, `{"path":"new/notes.txt","content":"5","append":true}`)
	write(absent, `{"path":"notes.txt","content":"1"}`)
	want := []tool.FileEffect{
		{Op: tool.Creates}, {Op: tool.Replaces, Size: 6}, {Op: tool.Extends, Size: 4}, {Op: tool.Creates},
	}
	if !slices.Equal(person.seen, want) {
		t.Errorf("%+v", person.seen)
	}
}
