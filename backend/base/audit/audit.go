// Package audit keeps who asked the hub for what and what the hub decided, as JSON lines
// (AG-7). It never holds secrets: no headers, queries or bodies. What was asked of agents stands in
// it only where the owner has that kept.
package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// FileName is the log in the data folder, RefusedName that of what was refused to others than the
// owner, so that refusals never push out what was done. Older parts stand beside each:
// audit.1.jsonl is the newest of them.
const (
	FileName    = "audit.jsonl"
	RefusedName = "audit-refused.jsonl"
)

const (
	partSize     = 10 << 20
	parts        = 10
	refusedParts = 3
)

// Entry is one request and the hub's decision.
type Entry struct {
	Seq     int64     `json:"seq" doc:"Number of the entry. It rises over restarts."`
	At      time.Time `json:"at"`
	Who     string    `json:"who" doc:"Requester: owner, page, caller:NAME or agent:NAME. Empty: unknown."`
	Address string    `json:"address" doc:"Address of the requester, without port."`
	Method  string    `json:"method"`
	Path    string    `json:"path"`
	Status  int       `json:"status"`
	Code    string    `json:"code,omitempty" doc:"Error code of a refusal."`
	Reason  string    `json:"reason,omitempty" doc:"Reason of a refusal, finer than the code."`
	Ms      int64     `json:"ms" doc:"Duration in milliseconds."`
	Said    string    `json:"said,omitempty" doc:"Prompt to an agent, if prompts are recorded."`

	// Count is how many requests of nobody known were refused alike, to this address within a
	// minute; the entry is the first of them.
	Count int `json:"count,omitempty" doc:"Number of equal refusals from this address within a minute. The entry is the first of them."`
}

// ofOwner reports whether the owner sent a request.
func (e *Entry) ofOwner() bool { return e.Who == "owner" || e.Who == "page" }

// Log is the file. All methods may be called from several goroutines.
type Log struct {
	dir    string
	failed func(error)

	mu      sync.Mutex
	done    series
	refused series
	counted counted
	down    bool
	line    bytes.Buffer // the entry that is written
	seq     int64        // of the newest entry; -1 until the files were looked at
}

// series is a file and its older parts.
type series struct {
	dir, name string
	parts     int
	file      *os.File
	size      int64
}

// Open returns the log of a data folder. It is made when the first entry comes. failed is
// told when entries cannot be written any more, once each time.
func Open(dir string, failed func(error)) *Log {
	return &Log{
		dir:     dir,
		failed:  failed,
		seq:     -1,
		done:    series{dir: dir, name: FileName, parts: parts},
		refused: series{dir: dir, name: RefusedName, parts: refusedParts},
	}
}

// Note writes an entry. The hub goes on where the log cannot be written.
func (l *Log) Note(e Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.note(e)
	if err != nil && !l.down {
		l.failed(err)
	}
	l.down = err != nil
}

func (l *Log) note(e Entry) error {
	if err := l.tell(e.At); err != nil {
		return err
	}
	switch {
	case e.Status >= 400 && e.Who == "":
		l.counted.add(e)
		return nil
	case e.Status >= 400 && !e.ofOwner():
		return l.put(&l.refused, e)
	}
	return l.put(&l.done, e)
}

func (l *Log) put(to *series, e Entry) error {
	if err := l.count(); err != nil {
		return err
	}
	e.Seq = l.seq + 1
	l.line.Reset()
	if err := json.NewEncoder(&l.line).Encode(e); err != nil {
		return err
	}
	err := to.write(l.line.Bytes())
	if err == nil {
		l.seq = e.Seq
	}
	return err
}

func (s *series) write(line []byte) error {
	if s.file != nil && s.size+int64(len(line)) > partSize {
		if err := s.turn(); err != nil {
			return err
		}
	}
	if s.file == nil {
		if err := s.open(); err != nil {
			return err
		}
	}
	n, err := s.file.Write(line)
	if err != nil && n > 0 && s.file.Truncate(s.size) == nil {
		n = 0 // half a line, on a full disk: the next entry would be lost in it
	}
	s.size += int64(n)
	return err
}

func (s *series) open() error {
	file, err := os.OpenFile(s.part(0), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	about, err := file.Stat()
	if err != nil {
		_ = file.Close()
		return err
	}
	s.file, s.size = file, about.Size()
	return nil
}

// turn puts the file aside, and every older part one further; the oldest goes.
func (s *series) turn() error {
	if err := s.close(); err != nil {
		return err
	}
	for n := s.parts - 1; n > 0; n-- {
		err := os.Rename(s.part(n-1), s.part(n))
		if err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	return nil
}

func (s *series) part(n int) string {
	if n == 0 {
		return filepath.Join(s.dir, s.name)
	}
	return filepath.Join(s.dir, fmt.Sprintf("%s.%d.jsonl", strings.TrimSuffix(s.name, ".jsonl"), n))
}

func (s *series) close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	s.file = nil
	return err
}

// Close ends the log; a later Note opens it again.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return errors.Join(l.tell(time.Time{}), l.done.close(), l.refused.close())
}
