package runner

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/plan/meta"
)

// entry is one line of a journal: the start of a step, or its result.
type entry struct {
	Step  string          `json:"step"`
	At    time.Time       `json:"at"`
	Begun bool            `json:"begun,omitempty"`
	Told  bool            `json:"told,omitempty"` // it was stopped, and its use has been reported
	Value json.RawMessage `json:"value,omitempty"`
}

// journal stores the result of each step. A step in the journal is never repeated: its result is read instead, so
// that a killed task resumes where it was.
type journal struct {
	path  string
	file  *os.File
	kept  []entry // results to replay, in order
	begun string  // the step that was running when the task was killed
	told  bool    // its use has been reported
	count int
}

const journalName = "journal.jsonl"

// openJournal opens the journal in a folder. It truncates a half-written line at the end.
func openJournal(dir string) (*journal, error) {
	j := &journal{path: filepath.Join(dir, journalName)}
	data, err := os.ReadFile(j.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, unkept(err)
	}
	whole := 0
	lines := bufio.NewReader(bytes.NewReader(data))
	for {
		line, err := lines.ReadBytes('\n')
		var e entry
		if err != nil || json.Unmarshal(line, &e) != nil {
			break
		}
		whole += len(line)
		if j.begun = ""; e.Begun {
			j.begun, j.told = e.Step, e.Told
			continue
		}
		j.kept = append(j.kept, e)
	}
	j.count = len(j.kept)
	if j.file, err = os.OpenFile(j.path, os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
		if err = j.file.Truncate(int64(whole)); err == nil {
			_, err = j.file.Seek(int64(whole), 0)
		}
	}
	if err != nil {
		return nil, unkept(err)
	}
	return j, nil
}

const callsName = "calls.jsonl"

// KeepCall saves one call to the planner next to the task's journal.
func KeepCall(dir, id string, c meta.Call) error {
	path := filepath.Join(dir, runsDir, id, callsName)
	line, err := json.Marshal(c)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o700)
	}
	if err != nil {
		return unkept(err)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return unkept(err)
	}
	_, err = f.Write(append(line, '\n'))
	if err = errors.Join(err, f.Close()); err != nil {
		return unkept(err)
	}
	return nil
}

func unkept(err error) error {
	return errcode.Wrap(errcode.Unavailable, err, "the task's journal cannot be kept: %s", err.Error())
}

func (j *journal) close() { _ = j.file.Close() }

// write appends a line and returns once it is on disk.
func (j *journal) write(e entry) error {
	e.At = time.Now().UTC()
	line, err := json.Marshal(e)
	if err == nil {
		if _, err = j.file.Write(append(line, '\n')); err == nil {
			err = j.file.Sync()
		}
	}
	if err != nil {
		return unkept(err)
	}
	return nil
}

// again reports whether the next step is a replay.
func (j *journal) again() bool { return len(j.kept) > 0 }

// startsWith reports whether the first step of the run is the named one, replayed or interrupted.
func (j *journal) startsWith(name string) bool {
	return (j.again() && j.kept[0].Step == name) || (j.count == 0 && j.begun == name)
}

// step runs a step, or returns its stored result. interrupted reports whether the step was running when the task was
// killed.
func step[T any](j *journal, name string, do func(interrupted bool) (T, error)) (T, error) {
	var value T
	if j.again() {
		e := j.kept[0]
		j.kept = j.kept[1:]
		if e.Step != name || json.Unmarshal(e.Value, &value) != nil {
			return value, errcode.New(errcode.Internal,
				"the journal %s does not fit this task: it has %s where %s is next. Move it away to begin anew", j.path,
				e.Step, name)
		}
		return value, nil
	}
	interrupted := j.begun == name
	j.begun = ""
	if err := j.write(entry{Step: name, Begun: true}); err != nil {
		return value, err
	}
	value, err := do(interrupted)
	if err != nil {
		return value, err
	}
	data, err := json.Marshal(value)
	if err != nil {
		return value, errcode.Wrap(errcode.Internal, err, "what came of %s cannot be written", name)
	}
	j.count++
	return value, j.write(entry{Step: name, Value: data})
}
