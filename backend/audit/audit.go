// Package audit keeps who asked the hub for what and what the hub decided, as JSON lines
// (AG-7). It never holds secrets: no headers, queries or bodies. What was asked of agents stands in
// it only where the owner has that kept.
package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// FileName is the log in the data folder. Older parts stand beside it: audit.1.jsonl is
// the newest of them.
const FileName = "audit.jsonl"

const (
	partSize = 10 << 20
	parts    = 10
)

// Entry is one request and the hub's decision.
type Entry struct {
	Seq     int64     `json:"seq"` // counts up, over all parts and restarts
	At      time.Time `json:"at"`
	Who     string    `json:"who"`     // owner, page, caller:NAME, agent:NAME; "" is nobody known
	Address string    `json:"address"` // the other side's, without port
	Method  string    `json:"method"`
	Path    string    `json:"path"`
	Status  int       `json:"status"`
	Code    string    `json:"code,omitempty"`   // of a refusal, as the API has it
	Reason  string    `json:"reason,omitempty"` // of a refusal, finer than the code
	Ms      int64     `json:"ms"`
	Said    string    `json:"said,omitempty"` // what was asked of agents, if that is kept
}

// Log is the file. All methods may be called from several goroutines.
type Log struct {
	dir    string
	failed func(error)

	mu   sync.Mutex
	file *os.File
	size int64
	down bool
	line bytes.Buffer // the entry that is written
	seq  int64        // of the newest entry; -1 until the file was looked at
}

// Open returns the log of a data folder. It is made when the first entry comes. failed is
// told when entries cannot be written any more, once each time.
func Open(dir string, failed func(error)) *Log { return &Log{dir: dir, failed: failed, seq: -1} }

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
	if err := l.count(); err != nil {
		return err
	}
	e.Seq = l.seq + 1
	l.line.Reset()
	if err := json.NewEncoder(&l.line).Encode(e); err != nil {
		return err
	}
	err := l.write(l.line.Bytes())
	if err == nil {
		l.seq = e.Seq
	}
	return err
}

func (l *Log) write(line []byte) error {
	if l.file != nil && l.size+int64(len(line)) > partSize {
		if err := l.turn(); err != nil {
			return err
		}
	}
	if l.file == nil {
		if err := l.open(); err != nil {
			return err
		}
	}
	n, err := l.file.Write(line)
	l.size += int64(n)
	return err
}

func (l *Log) open() error {
	file, err := os.OpenFile(filepath.Join(l.dir, FileName), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	about, err := file.Stat()
	if err != nil {
		_ = file.Close()
		return err
	}
	l.file, l.size = file, about.Size()
	return nil
}

// turn puts the file aside, and every older part one further; the oldest goes.
func (l *Log) turn() error {
	err := l.file.Close()
	l.file = nil
	if err != nil {
		return err
	}
	for n := parts - 1; n > 0; n-- {
		err := os.Rename(l.part(n-1), l.part(n))
		if err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	return nil
}

func (l *Log) part(n int) string {
	if n == 0 {
		return filepath.Join(l.dir, FileName)
	}
	return filepath.Join(l.dir, fmt.Sprintf("audit.%d.jsonl", n))
}

// Close ends the log; a later Note opens it again.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return nil
	}
	err := l.file.Close()
	l.file = nil
	return err
}
