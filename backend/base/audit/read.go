package audit

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"
)

// Query chooses entries. What is empty chooses all.
type Query struct {
	Who     string // exactly
	Text    string // somewhere in who, address, method, path, code or reason, in any case
	Refused *bool  // only refusals and failures, or only what was done
	Before  int64  // older than the entry with this number; 0 is all
}

func (q *Query) takes(e *Entry) bool {
	if q.Who != "" && e.Who != q.Who || q.Refused != nil && *q.Refused != (e.Status >= 400) || q.Before > 0 && e.Seq >= q.Before {
		return false
	}
	return q.Text == "" ||
		slices.ContainsFunc(
			[]string{e.Who, e.Address, e.Method + " " + e.Path, e.Code, e.Reason},
			func(of string) bool {
				return strings.Contains(strings.ToLower(of), strings.ToLower(q.Text))
			},
		)
}

const longestLine = 8 << 20

// count finds the number of the newest entry, once. l.mu is held.
func (l *Log) count() error {
	if l.seq >= 0 {
		return nil
	}
	newest := int64(0)
	for _, s := range []*series{&l.done, &l.refused} {
		last, err := s.newest()
		if err != nil {
			return err
		}
		newest = max(newest, last)
	}
	l.seq = newest
	return nil
}

// newest is the number of the newest entry of a series.
func (s *series) newest() (int64, error) {
	behind := int64(0) // lines without a number, as they were before there were numbers
	for n := range s.parts {
		last, since, err := numbers(s.part(n))
		if err != nil {
			return 0, err
		}
		behind += since
		if last > 0 {
			return behind + last, nil
		}
	}
	return behind, nil
}

// numbers returns the last number in a part, and how many lines without one come after it.
func numbers(path string) (last, since int64, err error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, 0, nil
	}
	if err != nil {
		return 0, 0, err
	}
	defer func() { _ = file.Close() }() // only read
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, longestLine)
	for lines.Scan() {
		if of := numberOf(lines.Bytes()); of > 0 {
			last, since = of, 0
		} else {
			since++
		}
	}
	return last, since, lines.Err()
}

// numberOf returns the number with which a line begins; 0 is none.
func numberOf(line []byte) (seq int64) {
	at, _ := bytes.CutPrefix(line, []byte(`{"seq":`))
	for i := 0; i < len(at) && i < 18 && at[i] >= '0' && at[i] <= '9'; i++ {
		seq = seq*10 + int64(at[i]-'0')
	}
	return seq
}

// opened are the parts as they are now, the newest first: what is put aside meanwhile is read
// where it was. The caller closes them.
func (l *Log) opened() (done, refused []*os.File, newest int64, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err = l.tell(time.Time{}); err == nil {
		err = l.count()
	}
	if err == nil {
		done, err = l.done.opened()
	}
	if err == nil {
		if refused, err = l.refused.opened(); err != nil {
			closeAll(done)
		}
	}
	return done, refused, l.seq, err
}

func (s *series) opened() (files []*os.File, err error) {
	for n := range s.parts {
		file, err := os.Open(s.part(n))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			closeAll(files)
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		_ = f.Close() // only read
	}
}

// backward reads the entries of a series, the newest first.
type backward struct {
	files []*os.File // not read yet
	data  []byte     // of the part that is read, as far as it was not
	next  int64      // the number of the entry before
	entry Entry      // where it is; zero at the end
}

// step goes to the next entry. A line that is damaged, as by a full disk, is passed over.
func (b *backward) step() error {
	for b.entry = (Entry{}); b.entry.At.IsZero(); {
		b.data = bytes.TrimRight(b.data, "\n")
		if len(b.data) == 0 {
			if len(b.files) == 0 {
				b.entry = Entry{}
				return nil
			}
			var err error
			if b.data, err = io.ReadAll(b.files[0]); err != nil {
				return err
			}
			b.files = b.files[1:]
			continue
		}
		at := bytes.LastIndexByte(b.data, '\n') + 1
		if json.Unmarshal(b.data[at:], &b.entry) != nil {
			b.entry = Entry{}
		}
		if b.entry.Seq == 0 {
			b.entry.Seq = b.next - 1
		}
		b.next, b.data = b.entry.Seq, b.data[:at]
	}
	return nil
}

// Newest returns the newest entries, newest first, at most so many, and whether there may be
// older ones.
func (l *Log) Newest(ctx context.Context, q Query, most int) (out []Entry, more bool, err error) {
	out = []Entry{}
	done, refused, newest, err := l.opened()
	if err != nil {
		return nil, false, err
	}
	defer closeAll(done)
	defer closeAll(refused)
	a, b := &backward{files: done, next: newest + 1}, &backward{files: refused, next: newest + 1}
	if err := errors.Join(a.step(), b.step()); err != nil {
		return nil, false, err
	}
	for {
		if ctx.Err() != nil {
			return nil, false, context.Cause(ctx)
		}
		from := a
		if a.entry.At.IsZero() || !b.entry.At.IsZero() && b.entry.Seq > a.entry.Seq {
			from = b
		}
		if from.entry.At.IsZero() {
			return out, false, nil
		}
		if q.takes(&from.entry) {
			if len(out) == most {
				return out, true, nil
			}
			out = append(out, from.entry)
		}
		if err := from.step(); err != nil {
			return nil, false, err
		}
	}
}

// forward reads the lines of a series, the oldest first.
type forward struct {
	files []*os.File // the newest first
	lines *bufio.Scanner
	entry Entry
	ended bool
}

func (f *forward) step() error {
	for {
		if f.lines == nil {
			if f.ended = len(f.files) == 0; f.ended {
				return nil
			}
			f.lines = bufio.NewScanner(f.files[len(f.files)-1])
			f.lines.Buffer(nil, longestLine)
			f.files = f.files[:len(f.files)-1]
		}
		if !f.lines.Scan() {
			if err := f.lines.Err(); err != nil {
				return err
			}
			f.lines = nil
			continue
		}
		f.entry = Entry{}
		if json.Unmarshal(f.lines.Bytes(), &f.entry) == nil {
			return nil
		}
	}
}

// Write writes the chosen entries as JSON lines, oldest first.
func (l *Log) Write(ctx context.Context, w io.Writer, q Query) error {
	done, refused, _, err := l.opened()
	if err != nil {
		return err
	}
	defer closeAll(done)
	defer closeAll(refused)
	a, b := &forward{files: done}, &forward{files: refused}
	if err := errors.Join(a.step(), b.step()); err != nil {
		return err
	}
	for {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		from := a
		if a.ended || !b.ended && b.entry.Seq < a.entry.Seq {
			from = b
		}
		if from.ended {
			return nil
		}
		if q.takes(&from.entry) {
			if _, err := w.Write(append(from.lines.Bytes(), '\n')); err != nil {
				return err
			}
		}
		if err := from.step(); err != nil {
			return err
		}
	}
}
