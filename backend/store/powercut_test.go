//go:build linux

package store_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"agentflow/backend/store"
	"agentflow/backend/talk/room"
)

// leniency is how many cuts NORMAL has to lose something: a busy machine may write back by
// itself before one.
const leniency = 20

// The power goes off: the writer stands still, and what its disk has by then is all there
// is. Nothing that was acknowledged may be missing with FULL; with NORMAL it is, which
// shows that the test can tell (fault 2).
func TestFault2_PowerCutLosesNothing(t *testing.T) {
	rounds := 1
	if os.Getenv(fullFaults) != "" {
		rounds = 20
	}
	if err := tryMount(t); err != nil {
		t.Skipf("NOT RUN: a power cut needs root and loop devices: %v", err)
	}
	for level, loses := range map[string]bool{"FULL": false, "NORMAL": true} {
		t.Run(level, func(t *testing.T) {
			lost, cuts := int64(0), 0
			for cuts < rounds || loses && lost == 0 && cuts < leniency {
				lost += cutPower(t, level, writtenMessages)
				cuts++
			}
			if (lost > 0) != loses {
				t.Errorf("%d acknowledged messages were lost in %d power cuts", lost, cuts)
			}
		})
	}
}

func tryMount(t *testing.T) error {
	image, at := newImage(t), t.TempDir()
	if out, err := exec.Command("mount", "-o", "loop", image, at).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return exec.Command("umount", at).Run()
}

func newImage(t *testing.T) string {
	t.Helper()
	image := filepath.Join(t.TempDir(), "disk.img")
	if err := os.WriteFile(image, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(image, 64<<20); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mkfs.ext4", "-q", "-F", image).CombinedOutput(); err != nil {
		t.Skipf("NOT RUN: a power cut needs mkfs.ext4: %v %s", err, out)
	}
	return image
}

func mount(t *testing.T, image string) string {
	t.Helper()
	at := t.TempDir()
	if out, err := exec.Command("mount", "-o", "loop", image, at).CombinedOutput(); err != nil {
		t.Fatalf("mount: %v %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", at).CombinedOutput(); err != nil {
			t.Errorf("umount: %v %s", err, out)
		}
	})
	return at
}

// cutPower returns how much of what was acknowledged one power cut lost.
func cutPower(t *testing.T, level string, w written) int64 {
	t.Helper()
	image := newImage(t)
	after := filepath.Join(t.TempDir(), "after.img")
	acked := int64(0)
	t.Run("write", func(t *testing.T) {
		acked = writeUntilCut(t, level, image, after, w.env)
	})
	survived := int64(0)
	t.Run("read", func(t *testing.T) {
		survived = w.survived(t, open(t, mount(t, after)))
	})
	return max(0, acked-survived)
}

// written is what a writer writes, and how much of it is there.
type written struct {
	env      string
	survived func(t *testing.T, s *store.Store) int64
}

var writtenMessages = written{"", func(t *testing.T, db *store.Store) int64 {
	s := db.Rooms()
	survived, err := s.LastMessageID(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	list, err := s.RoomMessages(t.Context(), room.Range{Room: "r", Oldest: true, Limit: 1 << 30})
	if err != nil || int64(len(list)) != survived {
		t.Errorf("%d messages, the last id is %d, %v", len(list), survived, err)
	}
	for i, m := range list {
		if m.ID != int64(i+1) {
			t.Fatalf("message %d has the id %d", i, m.ID)
		}
	}
	return survived
}}

var writtenTasks = written{writeTasks + "=1", func(t *testing.T, db *store.Store) int64 {
	s := store.Tasks(db)
	list, err := s.Unfinished(t.Context(), "", 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range list {
		if events, err := s.TaskEvents(t.Context(), one.ID, 0, 10); err != nil || len(events) != 1 {
			t.Errorf("the task %s has the events %+v, %v", one.ID, events, err)
		}
	}
	return int64(len(list))
}}

// A task that was accepted is there after a power cut, with its event (fault 2).
func TestCO3_Fault2_PowerCutLosesNoTask(t *testing.T) {
	rounds := 1
	if os.Getenv(fullFaults) != "" {
		rounds = 20
	}
	if err := tryMount(t); err != nil {
		t.Skipf("NOT RUN: a power cut needs root and loop devices: %v", err)
	}
	for range rounds {
		if lost := cutPower(t, "FULL", writtenTasks); lost > 0 {
			t.Errorf("%d accepted tasks were lost", lost)
		}
	}
}

func writeUntilCut(t *testing.T, level, image, after, what string) (acked int64) {
	t.Helper()
	at := mount(t, image)
	writer := exec.Command(os.Args[0])
	writer.Env = append(os.Environ(), writeInto+"="+at, withLevel+"="+level, what)
	out, err := writer.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := writer.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = writer.Process.Kill()
		_ = writer.Wait()
	})
	lines := bufio.NewReader(out)
	for acked < ackedAtLeast {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if acked, err = strconv.ParseInt(strings.TrimSpace(line), 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	if err := writer.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	copyFile(t, image, after)
	return acked
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	in, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	out, err := os.Create(to)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(out, in); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
}
