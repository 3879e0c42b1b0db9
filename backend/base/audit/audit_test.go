package audit

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The log turns at its size; the newest entries are in the file, and so many parts stay.
func TestAG7_TheAuditLogTurns(t *testing.T) {
	dir := t.TempDir()
	l := Open(dir, func(err error) { t.Error(err) })
	long := "/" + strings.Repeat("x", 64<<10)
	each := partSize/len(long) + 1
	total := each*(parts+2) + 1
	for n := range total {
		l.Note(Entry{Who: "owner", Method: "POST", Path: long, Status: n})
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	last := total
	for part := range parts {
		file, err := os.Open(l.done.part(part))
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

// Refusals of strangers are one line for each address and minute, in parts of their own: however
// many come, what was done stays.
func TestTR4_F11_StrangersPushNothingOut(t *testing.T) {
	dir := t.TempDir()
	l := Open(dir, func(err error) { t.Error(err) })
	began := time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)
	l.Note(Entry{At: began, Who: "owner", Method: "POST", Path: "/api/settings", Status: 200})
	const each = 400
	for minute := range 3 {
		for n := range each {
			l.Note(Entry{
				At:      began.Add(time.Duration(minute) * time.Minute),
				Address: "192.0.2.7",
				Method:  "GET",
				Path:    "/" + strings.Repeat("x", 3000),
				Status:  401,
				Ms:      int64(n),
			})
		}
	}
	l.Note(Entry{At: began.Add(3 * time.Minute), Who: "caller:x", Method: "POST", Path: "/api/settings", Status: 403})
	l.Note(Entry{At: began.Add(3 * time.Minute), Who: "page", Method: "PUT", Path: "/api/settings", Status: 200})
	got, more, err := l.Newest(t.Context(), Query{}, 100)
	if err != nil || more {
		t.Fatal(more, err)
	}
	want := []struct {
		who   string
		count int
	}{{"page", 0}, {"caller:x", 0}, {"", each}, {"", each}, {"", each}, {"owner", 0}}
	if len(got) != len(want) {
		t.Fatalf("%d entries, want %d", len(got), len(want))
	}
	for i, w := range want {
		if got[i].Who != w.who || got[i].Count != w.count || i > 0 && got[i].Seq >= got[i-1].Seq {
			t.Errorf("entry %d: %s %d times, number %d; want %v", i, got[i].Who, got[i].Count, got[i].Seq, w)
		}
	}
	for n := range 3 * kindsAtMost { // more addresses than are counted separately
		l.Note(Entry{At: began.Add(4 * time.Minute), Address: fmt.Sprint("2001:db8::", n), Status: 401})
	}
	if got, _, err = l.Newest(t.Context(), Query{}, 10*kindsAtMost); err != nil || len(got) > len(want)+kindsAtMost+1 {
		t.Errorf("%d entries of many addresses, %v", len(got), err)
	}
	var lines bytes.Buffer
	if err := l.Write(t.Context(), &lines, Query{}); err != nil || strings.Count(lines.String(), "\n") != len(got) || !strings.Contains(lines.String()[:200], `"who":"owner"`) {
		t.Errorf("%d lines of %d, %v", strings.Count(lines.String(), "\n"), len(got), err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(filepath.Join(dir, FileName)); err != nil || strings.Count(string(data), "\n") != 2 {
		t.Errorf("what was done: %s %v", data, err)
	}
	if again, _, err := Open(dir, nil).Newest(t.Context(), Query{}, 10*kindsAtMost); err != nil || len(again) != len(got) || again[0].Seq != got[0].Seq {
		t.Errorf("after a restart: %d entries, %v", len(again), err)
	}
}
