package audit

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The log turns at its size; the newest entries are in the file, and so many parts stay.
func TestAG7_TheAuditLogTurns(t *testing.T) {
	dir := t.TempDir()
	l := Open(dir, func(err error) { t.Error(err) })
	long := "/" + strings.Repeat("x", 64<<10)
	each := partSize/len(long) + 1
	total := each*(parts+2) + 1
	for n := range total {
		l.Note(Entry{Method: "POST", Path: long, Status: n})
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	last := total
	for part := range parts {
		file, err := os.Open(l.part(part))
		if err != nil {
			t.Fatal(err)
		}
		about, err := file.Stat()
		if err != nil || about.Size() > partSize || about.Mode().Perm() != 0o600 {
			t.Errorf("part %d: %v %v", part, about, err)
		}
		lines := bufio.NewScanner(file)
		lines.Buffer(nil, 1<<20)
		first, now := -1, -1
		for lines.Scan() {
			var e Entry
			if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
				t.Fatal(err)
			}
			if first < 0 {
				first = e.Status
			} else if e.Status != now+1 {
				t.Fatalf("part %d: %d after %d", part, e.Status, now)
			}
			now = e.Status
		}
		_ = file.Close()
		if now != last-1 {
			t.Errorf("part %d ends with %d, want %d", part, now, last-1)
		}
		last = first
	}
	if all, _ := filepath.Glob(filepath.Join(dir, "*")); len(all) != parts {
		t.Errorf("%v", all)
	}
}

func TestAG7_AnAuditLogThatCannotBeWrittenIsToldOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "later")
	told := 0
	l := Open(dir, func(error) { told++ })
	l.Note(Entry{Path: "/a"})
	l.Note(Entry{Path: "/b"})
	if told != 1 {
		t.Errorf("told %d times", told)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	l.Note(Entry{Path: "/c"})
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(filepath.Join(dir, FileName)); err != nil || strings.Count(string(data), "\n") != 1 || !strings.Contains(string(data), `"/c"`) {
		t.Errorf("%s %v", data, err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	l.Note(Entry{Path: "/d"})
	l.Note(Entry{Path: "/e"})
	if told != 2 {
		t.Errorf("told %d times in all", told)
	}
}
