//go:build !windows

package proc

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// tagName is the environment variable that marks a program and all that it starts.
const tagName = "AGENTFLOW_RUN"

// record describes a running tree and the process that started it.
type record struct {
	path  string
	Tag   string `json:"tag"`
	Boot  string `json:"boot"`
	PID   int    `json:"pid"` // who holds the tree
	Birth string `json:"birth"`
	Owner int    `json:"owner"` // who started it
	Since string `json:"since"` // the owner's birth
}

const recordEnd = ".process.json"

func newTag() string { return rand.Text() }

// note writes down that a process holds a tree, before the tree has anything in it. That it
// cannot is no reason not to run: the record is for the case that this program is killed.
func note(dir, tag string, pid int) *record {
	if dir == "" {
		return nil
	}
	if tag == "" {
		tag = newTag()
	}
	r := &record{
		path:  filepath.Join(dir, tag+recordEnd),
		Tag:   tag,
		Boot:  boot(),
		PID:   pid,
		Birth: startTime(pid),
		Owner: os.Getpid(),
		Since: startTime(os.Getpid()),
	}
	data, err := json.Marshal(r)
	if err == nil {
		_ = os.MkdirAll(dir, 0o700)
		err = os.WriteFile(r.path, data, 0o600)
	}
	if err != nil {
		return nil
	}
	return r
}

func (r *record) remove() {
	if r != nil {
		_ = os.Remove(r.path)
	}
}

// Sweep ends what programs that wrote their records into the folder left running when they
// were killed, and returns how many processes that were. A process is known by its number
// and the time of its birth, or by the tag in its environment; no other is ever touched,
// and none whose owner is still there. When ctx ends, its cause is returned.
func Sweep(ctx context.Context, dir string) (int, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	ended := 0
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), recordEnd) {
			continue
		}
		r := &record{path: filepath.Join(dir, e.Name())}
		data, err := os.ReadFile(r.path)
		if err != nil || json.Unmarshal(data, r) != nil || r.Tag == "" {
			r.remove() // one that was being written: what it is about had not begun
			continue
		}
		if r.Boot == boot() && r.Owner != 0 && startTime(r.Owner) == r.Since {
			continue
		}
		n := 0
		if r.Boot == boot() {
			n, err = r.sweep(ctx)
		}
		if ended += n; err != nil {
			return ended, err
		}
		r.remove()
	}
	return ended, nil
}

func (r *record) sweep(ctx context.Context) (int, error) {
	seen, asked := map[int]string{}, map[int]bool{}
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for began := time.Now(); ; {
		left := r.left()
		if len(left) == 0 {
			return len(seen), nil
		}
		maps.Copy(seen, left)
		for pid := range left {
			switch {
			case time.Since(began) > Grace:
				_ = syscall.Kill(pid, syscall.SIGKILL)
			case !asked[pid]:
				asked[pid] = true
				_ = syscall.Kill(pid, syscall.SIGTERM)
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return len(seen), context.Cause(ctx)
		}
	}
}

// left are those of the tree that are there now.
func (r *record) left() map[int]string {
	found := tagged(r.Tag)
	if found == nil {
		found = map[int]string{}
	}
	if r.Birth != "" && startTime(r.PID) == r.Birth {
		found[r.PID] = r.Birth
	}
	maps.Copy(found, descendants(slices.Collect(maps.Keys(found))))
	delete(found, os.Getpid())
	return found
}
