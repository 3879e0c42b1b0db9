//go:build desktop

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func written(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
	return path
}

// The page may have only those files read and written that a person chose in a dialog:
// no other, by no other spelling, and none that a person took off the list.
func TestAPP1_ThePageReachesOnlyFilesThatWereChosen(t *testing.T) {
	data, dir := t.TempDir(), t.TempDir()
	chosen, other := written(t, filepath.Join(dir, "team.agentflow.yaml"), "agentflow: 1\n"), written(t, filepath.Join(dir, "secret.txt"), "secret")
	a := newApp(t.Context(), data, nil)
	refused := func(path string) {
		t.Helper()
		if f, err := a.ReopenTeamFile(path); err == nil || f != nil {
			t.Errorf("%s was read: %+v", path, f)
		}
		if _, err := a.RewriteTeamFile(path, "", "x"); err == nil {
			t.Errorf("%s was written", path)
		}
	}
	refused(chosen)
	first, err := a.recent.open(chosen) // what the dialog does once the person has chosen
	if err != nil || first.Text != "agentflow: 1\n" || first.Path != chosen {
		t.Fatalf("opened %+v, %v", first, err)
	}
	for _, path := range []string{other, dir, filepath.Dir(chosen) + "/./team.agentflow.yaml", chosen + "/../secret.txt", "team.agentflow.yaml", ""} {
		refused(path)
	}

	again := newApp(t.Context(), data, nil) // after a restart
	if list := again.RecentFiles(); len(list) != 1 || list[0].Path != chosen || list[0].Name != "team.agentflow.yaml" || list[0].Folder != dir || list[0].At.IsZero() {
		t.Fatalf("remembered %+v", list)
	}
	f, err := again.ReopenTeamFile(chosen)
	if err != nil || f.Stamp != first.Stamp {
		t.Fatalf("reopened %+v, %v", f, err)
	}
	stamp, err := again.RewriteTeamFile(chosen, f.Stamp, "agentflow: 1 # mine\n")
	if err != nil || stamp == f.Stamp {
		t.Fatalf("written with stamp %s, %v", stamp, err)
	}
	if info, err := os.Stat(chosen); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the file's mode is %v, %v", info.Mode(), err)
	}
	if _, err := again.RewriteTeamFile(chosen, f.Stamp, "lost"); err == nil || !strings.Contains(err.Error(), "changed meanwhile") {
		t.Errorf("a file that was changed meanwhile: %v", err)
	}
	if text, err := os.ReadFile(chosen); err != nil || string(text) != "agentflow: 1 # mine\n" {
		t.Errorf("the file holds %q, %v", text, err)
	}
	if err := again.ForgetFile(chosen); err != nil {
		t.Fatal(err)
	}
	a = again
	refused(chosen)
	if text, err := os.ReadFile(other); err != nil || string(text) != "secret" {
		t.Errorf("the other file holds %q, %v", text, err)
	}
	if kept, err := os.ReadFile(filepath.Join(data, recentFile)); err != nil || strings.TrimSpace(string(kept)) != "[]" {
		t.Errorf("the list is kept as %q, %v", kept, err)
	}
}

// A file that the program is started with is one of the recent ones, too.
func TestAFileGivenAtTheStartIsRecent(t *testing.T) {
	data, path := t.TempDir(), filepath.Join(t.TempDir(), "team.agentflow.yaml")
	if err := os.WriteFile(path, []byte("agentflow: 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	a := newApp(t.Context(), data, nil)
	if err := a.give(testHub{}, path); err != nil {
		t.Fatal(err)
	}
	if list := newApp(t.Context(), data, nil).RecentFiles(); len(list) != 1 || list[0].Path != path {
		t.Errorf("remembered %+v", list)
	}
	if err := a.give(testHub{}, path+".gone"); err == nil || len(a.RecentFiles()) != 1 {
		t.Errorf("a file that is not there: %v, %+v", err, a.RecentFiles())
	}
}

func TestARecentFileThatIsGoneIsNoFailure(t *testing.T) {
	a := newApp(t.Context(), t.TempDir(), nil)
	path := written(t, filepath.Join(t.TempDir(), "team.yaml"), "agentflow: 1\n")
	if _, err := a.recent.open(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if f, err := a.ReopenTeamFile(path); f != nil || err != nil {
		t.Errorf("a file that is gone gave %+v, %v", f, err)
	}
	if len(a.RecentFiles()) != 1 {
		t.Error("it went off the list by itself")
	}
}

func TestRecentFilesAreTheLatestAndBounded(t *testing.T) {
	data, dir := t.TempDir(), t.TempDir()
	r := readRecent(data)
	for i := range mostRecent + 5 {
		if _, err := r.open(written(t, filepath.Join(dir, fmt.Sprintf("%d.yaml", i)), "agentflow: 1\n")); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.open(filepath.Join(dir, "30.yaml")); err != nil {
		t.Fatal(err)
	}
	list := readRecent(data).list()
	if len(list) != mostRecent || list[0].Name != "30.yaml" || list[1].Name != fmt.Sprintf("%d.yaml", mostRecent+4) {
		t.Errorf("%d files, the first %+v", len(list), list[:2])
	}
	for _, broken := range []string{"{", "null", `[{"path":"relative.yaml"}]`} {
		written(t, filepath.Join(data, recentFile), broken)
		if list := readRecent(data).list(); len(list) != 0 {
			t.Errorf("%q gave %+v", broken, list)
		}
	}
}

// The window replaces a file as a whole: the old one stays as it was under another name. So a crash
// leaves the old file or the new one.
func TestTheWindowSavesFilesWhole(t *testing.T) {
	dir := t.TempDir()
	a := newApp(t.Context(), t.TempDir(), nil)
	for name, save := range map[string]func(path string) error{
		"under a new name": func(path string) error { return writeChosen(path, []byte("new")) },
		"a recent file": func(path string) error {
			f, err := a.recent.open(path)
			if err == nil {
				_, err = a.RewriteTeamFile(path, f.Stamp, "new")
			}
			return err
		},
	} {
		path := written(t, filepath.Join(dir, name+".agentflow.yaml"), "old")
		if err := os.Link(path, path+".before"); err != nil {
			t.Fatal(err)
		}
		if err := save(path); err != nil {
			t.Fatal(err)
		}
		now, err := os.ReadFile(path)
		if err != nil || string(now) != "new" {
			t.Errorf("%s: %q %v", name, now, err)
		}
		if before, err := os.ReadFile(path + ".before"); err != nil || string(before) != "old" {
			t.Errorf("%s was written in place: %q %v", name, before, err)
		}
	}
}
