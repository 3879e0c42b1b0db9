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
	return q.Text == "" || slices.ContainsFunc([]string{e.Who, e.Address, e.Method + " " + e.Path, e.Code, e.Reason}, func(of string) bool {
		return strings.Contains(strings.ToLower(of), strings.ToLower(q.Text))
	})
}

const longestLine = 8 << 20

// count finds the number of the newest entry, once. l.mu is held.
func (l *Log) count() error {
	if l.seq >= 0 {
		return nil
	}
	behind := int64(0) // lines without a number, as they were before there were numbers
	for n := range parts {
		last, since, err := numbers(l.part(n))
		if err != nil {
			return err
		}
		behind += since
		if last > 0 {
			behind += last
			break
		}
	}
	l.seq = behind
	return nil
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

// opened are the parts as they stand now, the newest first: what is put aside meanwhile is read
// where it was. The caller closes them.
func (l *Log) opened() (files []*os.File, newest int64, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.count(); err != nil {
		return nil, 0, err
	}
	for n := range parts {
		file, err := os.Open(l.part(n))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			closeAll(files)
			return nil, 0, err
		}
		files = append(files, file)
	}
	return files, l.seq, nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		_ = f.Close() // only read
	}
}

// Newest returns the newest entries, newest first, at most so many, and whether there may be
// older ones. A line that is damaged, as by a full disk, is passed over.
func (l *Log) Newest(ctx context.Context, q Query, most int) (out []Entry, more bool, err error) {
	out = []Entry{}
	files, newest, err := l.opened()
	if err != nil {
		return nil, false, err
	}
	defer closeAll(files)
	next := newest + 1
	for _, file := range files {
		data, err := io.ReadAll(file)
		if err != nil {
			return nil, false, err
		}
		for data = bytes.TrimRight(data, "\n"); len(data) > 0; data = bytes.TrimRight(data, "\n") {
			if ctx.Err() != nil {
				return nil, false, context.Cause(ctx)
			}
			at := bytes.LastIndexByte(data, '\n') + 1
			var e Entry
			if json.Unmarshal(data[at:], &e) != nil {
				e = Entry{}
			}
			if e.Seq == 0 {
				e.Seq = next - 1
			}
			next = e.Seq
			if !e.At.IsZero() && q.takes(&e) {
				if len(out) == most {
					return out, true, nil
				}
				out = append(out, e)
			}
			data = data[:at]
		}
	}
	return out, false, nil
}

// Write writes the chosen entries as JSON lines, oldest first.
func (l *Log) Write(ctx context.Context, w io.Writer, q Query) error {
	files, _, err := l.opened()
	if err != nil {
		return err
	}
	defer closeAll(files)
	for _, file := range slices.Backward(files) {
		lines := bufio.NewScanner(file)
		lines.Buffer(nil, longestLine)
		for lines.Scan() {
			var e Entry
			if json.Unmarshal(lines.Bytes(), &e) != nil || !q.takes(&e) {
				continue
			}
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if _, err := w.Write(append(lines.Bytes(), '\n')); err != nil {
				return err
			}
		}
		if err := lines.Err(); err != nil {
			return err
		}
	}
	return nil
}
