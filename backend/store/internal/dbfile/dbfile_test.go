package dbfile_test

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/store/database"
	"agentflow/backend/store/internal/dbfile"
)

// header is the first 100 bytes of a SQLite database.
func header(tables, version, id uint32) string {
	head := make([]byte, 100)
	copy(head, "SQLite format 3\x00")
	binary.BigEndian.PutUint32(head[40:], tables)
	binary.BigEndian.PutUint32(head[60:], version)
	binary.BigEndian.PutUint32(head[68:], id)
	return string(head)
}

var (
	ours    = header(9, dbfile.SchemaVersion, dbfile.ApplicationID)
	older   = header(9, dbfile.SchemaVersion-1, dbfile.ApplicationID)
	newer   = header(9, dbfile.SchemaVersion+1, dbfile.ApplicationID)
	foreign = header(9, 0, 7)
	unused  = header(0, 0, 0) // SQLite created it, and it never had a table
)

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Error(err)
	}
	return string(data)
}

// list returns the names in a folder.
func list(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// Only a database of this program, no newer than it, is opened or restored. Others are left as
// they are, and the error says what each is.
func TestInspect_EachKindOfFile(t *testing.T) {
	for name, tc := range map[string]struct {
		content string
		refused string // by Inspect; "": the file is opened
		reason  string // why it is no backup; "": it is one
	}{
		"ours":            {ours, "", ""},
		"older":           {older, "", ""},
		"unused":          {unused, "", database.ReasonForeign},
		"newer":           {newer, "newer AgentFlow", database.ReasonNewer},
		"another program": {foreign, "another program", database.ReasonForeign},
		"emptied":         {"", "has been emptied", database.ReasonNoDatabase},
		"cut off":         {ours[:99], "not a database", database.ReasonNoDatabase},
		"a text":          {strings.Repeat("hello ", 30), "not a database", database.ReasonNoDatabase},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), dbfile.Name)
			write(t, path, tc.content)
			err := dbfile.Inspect(path)
			if (err == nil) != (tc.refused == "") {
				t.Errorf("inspected: %v", err)
			}
			if err != nil && (!errcode.Is(err, errcode.Unavailable) || !strings.Contains(err.Error(), tc.refused) ||
				errcode.From(err).Details[errcode.KeyFile] != path) {
				t.Errorf("inspected: %#v", err)
			}
			err = dbfile.InspectBackup(path)
			if (err == nil) != (tc.reason == "") || err != nil && !errcode.HasReason(err, tc.reason) {
				t.Errorf("inspected as a backup: %v", err)
			}
			if got := read(t, path); got != tc.content {
				t.Errorf("the file was changed: %q", got)
			}
		})
	}
	missing := filepath.Join(t.TempDir(), dbfile.Name)
	if err := dbfile.Inspect(missing); err != nil {
		t.Errorf("the first start: %v", err)
	}
	if err := dbfile.InspectBackup(missing); err == nil {
		t.Error("a missing backup is no backup")
	}
}

// The database and all that belongs to it is the owner's alone.
func TestProtect_ClosesTheFiles(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no file modes")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, dbfile.Name)
	kept := filepath.Join(dir, "agentflow-before-restore-20260102-030405.db")
	closed := []string{path, path + "-wal", path + "-journal", kept, kept + "-wal"}
	other := filepath.Join(dir, "other.txt")
	for _, name := range append([]string{other}, closed...) {
		write(t, name, "x")
		if err := os.Chmod(name, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := dbfile.Protect(path); err != nil { // path-shm is missing
		t.Fatal(err)
	}
	for _, name := range closed {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", name, info.Mode(), err)
		}
	}
	if info, err := os.Stat(other); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("a file that isn't the database's: %v %v", info.Mode(), err)
	}
}

// A received backup replaces what was there. One that didn't arrive whole is an error with its cause.
func TestReceive(t *testing.T) {
	path := filepath.Join(t.TempDir(), "in.db")
	write(t, path, "a longer backup from before")
	if n, err := dbfile.Receive(path, strings.NewReader("hello")); err != nil || n != 5 || read(t, path) != "hello" {
		t.Errorf("%d bytes, %v", n, err)
	}
	own := errcode.New(errcode.RateLimited, "too many backups at once")
	for name, tc := range map[string]struct {
		cause  error
		code   errcode.Code
		reason string
	}{
		"cut off":   {io.ErrUnexpectedEOF, errcode.Validation, ""},
		"full disk": {syscall.ENOSPC, errcode.Unavailable, errcode.ReasonDiskFull},
		"own":       {own, errcode.RateLimited, ""},
	} {
		n, err := dbfile.Receive(path, io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(tc.cause)))
		if n != 3 || !errcode.Is(err, tc.code) || errcode.From(err).Reason() != tc.reason || !errors.Is(err, tc.cause) {
			t.Errorf("%s: %d bytes, %v", name, n, err)
		}
	}
}

var decidedAt = time.Date(2026, 1, 2, 3, 4, 5, 678, time.UTC)

const asideName = "agentflow-before-restore-20260102-030405.db"

// powerCut is the panic that ends a restore at a step.
type powerCut struct{}

// cutAt runs what ends after n steps, and reports whether it was cut.
func cutAt(n int, run func()) (cut bool) {
	defer func() {
		dbfile.Step = func(string) {}
		if e := recover(); e != nil {
			if _, cut = e.(powerCut); !cut {
				panic(e)
			}
		}
	}()
	dbfile.Step = func(string) {
		if n--; n < 0 {
			panic(powerCut{})
		}
	}
	run()
	return false
}

// restorable is a folder with a database, its log, and a checked backup.
func restorable(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	write(t, filepath.Join(dir, dbfile.Name), "present")
	write(t, filepath.Join(dir, dbfile.Name+"-wal"), "present log")
	write(t, filepath.Join(dir, dbfile.Name+"-shm"), "index")
	write(t, dbfile.Staged(dir), "backup")
	return dir
}

// A restore that was decided on is carried out, whatever step the power went at. One that wasn't
// leaves the database. No step leaves the log of one database beside another.
func TestRestore_SurvivesAPowerCutAtEveryStep(t *testing.T) {
	whole := []string{dbfile.Name, asideName, asideName + "-wal"}
	slices.Sort(whole)
	for cut, step := true, 0; cut; step++ {
		dir := restorable(t)
		present := filepath.Join(dir, dbfile.Name)
		cut = cutAt(step, func() {
			if aside, err := dbfile.Decide(dir, decidedAt); err != nil || aside != asideName {
				t.Errorf("%s %v", aside, err)
			}
			if err := dbfile.Take(dir); err != nil {
				t.Error(err)
			}
		})
		decided := !slices.Contains(list(t, dir), filepath.Base(dbfile.Staged(dir)))
		if slices.Contains(list(t, dir), dbfile.Name+"-wal") && read(t, present) != "present" {
			t.Errorf("step %d: the log is beside another database", step)
		}
		if err := dbfile.Take(dir); err != nil { // the next start
			t.Errorf("step %d: %v", step, err)
		}
		if !decided {
			if step != 0 || read(t, present) != "present" || read(t, present+"-wal") != "present log" {
				t.Errorf("step %d: nothing was decided, and there are %q", step, list(t, dir))
			}
			continue
		}
		if got := list(t, dir); !slices.Equal(got, whole) {
			t.Errorf("step %d: there are %q, want %q", step, got, whole)
		}
		if read(t, present) != "backup" || read(t, filepath.Join(dir, asideName)) != "present" ||
			read(t, filepath.Join(dir, asideName+"-wal")) != "present log" {
			t.Errorf("step %d: the databases are mixed up", step)
		}
		if !cut && step < 4 {
			t.Errorf("only %d steps were cut", step)
		}
	}
}

// A second restore in the same second keeps the database of the first.
func TestDecide_NeverOverwritesAKeptDatabase(t *testing.T) {
	dir := restorable(t)
	write(t, filepath.Join(dir, asideName), "kept before")
	aside, err := dbfile.Decide(dir, decidedAt)
	if err != nil || aside == asideName {
		t.Fatalf("%s %v", aside, err)
	}
	if err := dbfile.Take(dir); err != nil {
		t.Fatal(err)
	}
	if read(t, filepath.Join(dir, asideName)) != "kept before" || read(t, filepath.Join(dir, aside)) != "present" {
		t.Errorf("there are %q", list(t, dir))
	}
}

// Without a checked backup there is nothing to decide, and nothing to carry out.
func TestDecide_NeedsACheckedBackup(t *testing.T) {
	dir := restorable(t)
	dbfile.DropStaged(dir)
	if _, err := dbfile.Decide(dir, decidedAt); !errcode.HasReason(err, "nothing_staged") {
		t.Error(err)
	}
	if err := dbfile.Take(dir); err != nil || read(t, filepath.Join(dir, dbfile.Name)) != "present" {
		t.Errorf("%v, there are %q", err, list(t, dir))
	}
}

// What a killed hub left half done is removed. The databases and a decided restore stay.
func TestDropLeftovers(t *testing.T) {
	dir := restorable(t)
	if _, err := dbfile.Decide(dir, decidedAt); err != nil {
		t.Fatal(err)
	}
	want := append(list(t, dir), asideName)
	write(t, filepath.Join(dir, asideName), "kept")
	slices.Sort(want)
	for _, name := range []string{"backup-123.db", "restore-checked.db", "restore-checked.db-wal"} {
		write(t, filepath.Join(dir, name), "half")
	}
	dbfile.DropLeftovers(dir)
	if got := list(t, dir); !slices.Equal(got, want) {
		t.Errorf("there are %q, want %q", got, want)
	}
}
