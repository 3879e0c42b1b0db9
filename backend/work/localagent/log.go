package localagent

import (
	"context"
	"strings"
	"sync"
	"time"

	"agentflow/backend/team/topology"
)

// Limits of a log. The oldest lines are dropped first.
const (
	MaxLines = 2000
	MaxBytes = 1 << 20
	maxLine  = 8 << 10
)

// Line is a line of a process's output, or of the hub about the process.
type Line struct {
	Seq  int64     `json:"seq"`
	At   time.Time `json:"at"`
	From string    `json:"from" enum:"output,errors,hub" doc:"Source of the line: output, errors or the hub itself."`
	Text string    `json:"text"`

	Note string   `json:"note,omitempty" enum:"started,listens,ended,task,stopped,hub_ends,waits_for_trust" doc:"Kind of a line from the hub."`
	Args []string `json:"args,omitempty" doc:"Values of the note: URL; reason; task, status and tokens."`
}

// Codes of the hub's lines about a process.
const (
	noteStarted = "started"
	noteListens = "listens"
	noteEnded   = "ended"
	noteTask    = "task"
	noteStopped = "stopped"
	noteHubEnds = "hub_ends"

	noteUntrusted = "waits_for_trust"
)

// log contains the latest lines.
type log struct {
	mu    sync.Mutex
	lines []Line
	bytes int
	last  int64
	ended bool
	more  chan struct{} // closed when there are more lines
}

func newLog() *log { return &log{more: make(chan struct{})} }

func (l *log) add(from, text string) { l.put(Line{From: from, Text: text}) }

// note adds a line of the hub.
func (l *log) note(note, text string, args ...string) {
	l.put(Line{From: "hub", Text: text, Note: note, Args: args})
}

func (l *log) put(line Line) {
	line.Text = strings.ToValidUTF8(line.Text, "\uFFFD")
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last++
	line.Seq, line.At = l.last, time.Now().UTC()
	l.lines = append(l.lines, line)
	l.bytes += len(line.Text)
	drop := 0
	for len(l.lines)-drop > MaxLines || l.bytes > MaxBytes {
		l.bytes -= len(l.lines[drop].Text)
		drop++
	}
	if drop > 0 {
		clear(l.lines[:drop])
		l.lines = l.lines[drop:] // append copies the lines now and then, not for each new line
	}
	l.wake()
}

func (l *log) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = true
	l.wake()
}

func (l *log) wake() {
	close(l.more)
	l.more = make(chan struct{})
}

// Log is a part of a log.
type Log struct {
	Lines []Line `json:"lines"`
	First int64  `json:"first" doc:"Number of the oldest stored line."`
	Last  int64  `json:"last" doc:"Number of the newest line."`
}

// after returns the newest lines after seq, at most most, oldest first.
func (l *log) after(seq int64, most int) (part Log, more <-chan struct{}, ended bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	from := len(l.lines)
	for from > 0 && l.lines[from-1].Seq > seq && len(l.lines)-from < most {
		from--
	}
	part = Log{Lines: append([]Line{}, l.lines[from:]...), Last: l.last, First: l.last + 1}
	if len(l.lines) > 0 {
		part.First = l.lines[0].Seq
	}
	return part, l.more, l.ended
}

// Log returns the newest lines of an agent's log after the given one, at most most, oldest first. If there are none,
// it waits for one until ctx ends, which isn't an error.
func (m *Machine) Log(ctx context.Context, id topology.AgentID, after int64, most int) (Log, error) {
	m.mu.Lock()
	k, err := m.get(id)
	m.mu.Unlock()
	if err != nil {
		return Log{}, err
	}
	for {
		part, more, ended := k.log.after(after, most)
		if len(part.Lines) > 0 || ended {
			return part, nil
		}
		select {
		case <-more:
		case <-ctx.Done():
			return part, nil
		}
	}
}
