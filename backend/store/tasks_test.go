package store_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/store"
	"agentflow/backend/work/coordinator"
	"agentflow/backend/work/task"
)

func pending(id string) task.Task {
	return task.Accepted(task.Task{ID: task.ID(id), SessionID: "s", Type: task.Chat, Prompt: "prompt of " + id})
}

// What many submit at the same moment shares statements and fsyncs: each is stored once, whole
// and with its events, and who submits again is given what was stored.
func TestCO3_ManySubmittedAtOnceAreEachStoredOnce(t *testing.T) {
	manySubmit(t, store.Tasks(open(t, t.TempDir())))
}

func manySubmit(t *testing.T, s coordinator.Store) {
	t.Helper()
	const keys, callers = 60, 5
	var mu sync.Mutex
	stored, fresh := map[string][]task.ID{}, map[string]int{}
	var wg sync.WaitGroup
	for i := range keys * callers {
		wg.Go(func() {
			key := fmt.Sprintf("key-%d", i%keys)
			one := pending(fmt.Sprintf("t-%d", i))
			if i%keys%2 == 0 { // some come again by their key, some by their id
				one = pending(key)
			}
			got, isFresh, err := s.AddTask(t.Context(), one, key)
			if err != nil || got.Prompt != "prompt of "+string(got.ID) {
				t.Errorf("%s: %+v, %v", key, got, err)
			}
			mu.Lock()
			defer mu.Unlock()
			stored[key] = append(stored[key], got.ID)
			if isFresh {
				fresh[key]++
			}
		})
	}
	wg.Wait()
	for key, ids := range stored {
		if slices.Sort(ids); ids[0] != ids[len(ids)-1] || fresh[key] != 1 {
			t.Errorf("%s was stored as %v, %d of them as new", key, ids, fresh[key])
		}
	}
	all, err := s.Tasks(t.Context(), coordinator.Query{Limit: 500})
	if err != nil || len(all) != keys {
		t.Errorf("%d tasks are stored, want %d: %v", len(all), keys, err)
	}
	other := pending("elsewhere")
	other.SessionID, other.Context = `an "other" 日本 <session>`, []byte(`{"sessionId":"s"}`)
	if _, _, err := s.AddTask(t.Context(), other, ""); err != nil {
		t.Error(err)
	}
	if found, err := s.Tasks(t.Context(), coordinator.Query{Session: other.SessionID, Limit: 500}); err != nil || len(found) != 1 || found[0].ID != other.ID {
		t.Errorf("of its session: %+v, %v", found, err)
	}
	for _, one := range all {
		if events, err := s.TaskEvents(t.Context(), one.ID, 0, 10); err != nil || len(events) != 1 || events[0].Seq != 1 {
			t.Errorf("%s has the events %+v, %v", one.ID, events, err)
		}
	}
}

// A step of a task that somebody else has changed meanwhile is not kept, and the caller can tell.
func TestCO4_AStepOfAChangedTaskIsNotKept(t *testing.T) {
	changedTask(t, store.Tasks(open(t, t.TempDir())))
}

func changedTask(t *testing.T, s coordinator.Store) {
	t.Helper()
	one := pending("changed")
	if _, _, err := s.AddTask(t.Context(), one, ""); err != nil {
		t.Fatal(err)
	}
	canceled, canceling, err := task.Advance(one, task.Step{Error: "canceled"})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SaveTask(t.Context(), canceled, canceling); err != nil {
		t.Fatal(err)
	}
	started, starting, err := task.Advance(one, task.Step{Start: "dev-1"})
	if err != nil {
		t.Fatal(err)
	}
	for name, save := range map[string]func() error{
		"a step":           func() error { return s.SaveTask(t.Context(), started, starting) },
		"without an event": func() error { return s.SaveTask(t.Context(), one, nil) },
	} {
		if err := save(); !errcode.Is(err, errcode.Conflict) || !errcode.HasReason(err, coordinator.ReasonChanged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got, err := s.Task(t.Context(), one.ID); err != nil || got.Status != task.Failed || got.Seq != canceled.Seq {
		t.Errorf("it is %+v, %v", got, err)
	}
}

// A task's first event is delivered once, whether it was stored, as earlier programs did, or not.
func TestCO5_TheFirstEventIsToldOnce(t *testing.T) {
	s := store.Tasks(open(t, t.TempDir()))
	kept, derived := pending("kept"), pending("derived")
	before := kept
	before.Seq = 0
	for _, one := range []task.Task{before, derived} {
		if _, _, err := s.AddTask(t.Context(), one, ""); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.SaveTask(t.Context(), kept, []task.Event{kept.First()}); err != nil {
		t.Fatal(err)
	}
	for _, one := range []task.Task{kept, derived} {
		one.Seq = 3
		if err := s.SaveTask(t.Context(), one, []task.Event{{TaskID: one.ID, Seq: 2, Type: task.EventLog}, {TaskID: one.ID, Seq: 3, Type: task.EventLog}}); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			after int64
			limit int
			want  []int64
		}{{0, 10, []int64{1, 2, 3}}, {0, 2, []int64{1, 2}}, {1, 10, []int64{2, 3}}, {3, 10, nil}} {
			var got []int64
			events, err := s.TaskEvents(t.Context(), one.ID, c.after, c.limit)
			for _, e := range events {
				got = append(got, e.Seq)
			}
			if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("%s after %d, %d at most: %v, %v, want %v", one.ID, c.after, c.limit, got, err, c.want)
			}
		}
	}
	if events, err := s.TaskEvents(t.Context(), "nobody's", 0, 10); err != nil || len(events) != 0 {
		t.Errorf("of a task that is not there: %+v, %v", events, err)
	}
}

// A caller that leaves takes nobody's task with it, and a store that has ended rejects all.
func TestCO3_WhoLeavesTakesNoTaskWithIt(t *testing.T) {
	db, err := store.Open(t.Context(), t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(context.Background())
	s, left := store.Tasks(db), make(chan error, 1)
	leaving, leave := context.WithCancel(t.Context())
	leave()
	go func() { // the writer does not run yet, so that all of them wait for the same commit
		one := pending("leaves")
		_, _, err := s.AddTask(leaving, one, "")
		left <- err
	}()
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			one := pending(fmt.Sprint(i))
			if _, fresh, err := s.AddTask(t.Context(), one, ""); err != nil || !fresh {
				t.Errorf("%d: %v %v", i, fresh, err)
			}
		})
	}
	ended := make(chan error, 1)
	go func() { ended <- db.Run(ctx) }()
	wg.Wait()
	if err := <-left; err != nil && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	end()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	for range 3 {
		one := pending("late")
		if _, _, err := s.AddTask(t.Context(), one, ""); err == nil {
			t.Error("a store that has ended took a task")
		}
	}
	if n, err := s.CountTasks(t.Context(), task.Pending); err != nil || n < 20 {
		t.Errorf("%d tasks are stored, %v", n, err)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}

// Tasks stand in the order in which they came, whatever the clock says meanwhile (fault 13).
func TestCO4_Fault13_AClockThatJumpsMovesNoTask(t *testing.T) {
	s := store.Tasks(open(t, t.TempDir()))
	now := time.Date(2026, 11, 1, 1, 30, 0, 0, time.UTC)
	var want []task.ID
	for i, jump := range []time.Duration{0, 24 * time.Hour, -24 * time.Hour, -time.Hour, 0, 365 * 24 * time.Hour} {
		one := pending(fmt.Sprint(i))
		one.CreatedAt = now.Add(jump)
		if _, _, err := s.AddTask(t.Context(), one, ""); err != nil {
			t.Fatal(err)
		}
		want = append(want, one.ID)
	}
	ids := func(list []task.Task, err error) (out []task.ID) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range list {
			out = append(out, one.ID)
		}
		return out
	}
	if got := ids(s.Unfinished(t.Context(), "", 10)); !slices.Equal(got, want) {
		t.Errorf("taken up as %v, came as %v", got, want)
	}
	if got := ids(s.Unfinished(t.Context(), want[2], 10)); !slices.Equal(got, want[3:]) {
		t.Errorf("after %s come %v", want[2], got)
	}
	slices.Reverse(want)
	got := ids(s.Tasks(t.Context(), coordinator.Query{Limit: 4}))
	got = append(got, ids(s.Tasks(t.Context(), coordinator.Query{Limit: 4, Before: got[3]}))...)
	if !slices.Equal(got, want) {
		t.Errorf("listed as %v, want %v", got, want)
	}
}

// A backup that is taken while many submit holds every task that was accepted before it began,
// each whole, and is a database that a hub starts with (fault 20).
func TestCO3_Fault20_ABackupUnderLoadHoldsWhatWasAccepted(t *testing.T) {
	rounds := 1
	if os.Getenv(fullFaults) != "" {
		rounds = 10
	}
	for round := range rounds {
		db := open(t, t.TempDir())
		s := store.Tasks(db)
		ctx, stop := context.WithCancel(t.Context())
		accepted := make(chan task.ID, 1000)
		var load sync.WaitGroup
		for who := range 8 {
			load.Go(func() {
				for i := 0; ctx.Err() == nil; i++ {
					one := pending(fmt.Sprintf("r%d-w%d-%d", round, who, i))
					if _, _, err := s.AddTask(t.Context(), one, ""); err != nil {
						t.Error(err)
						return
					}
					select {
					case accepted <- one.ID:
					case <-ctx.Done():
					}
				}
			})
		}
		before := map[task.ID]bool{}
		for len(before) < 300 {
			before[<-accepted] = true
		}
		path, err := store.Maintenance{Store: db}.Backup(t.Context())
		stop()
		load.Wait()
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		write(t, filepath.Join(dir, "agentflow.db"), data)
		restored := store.Tasks(open(t, dir))
		list, err := restored.Unfinished(t.Context(), "", 1<<30)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range list {
			delete(before, one.ID)
			if events, err := restored.TaskEvents(t.Context(), one.ID, 0, 10); err != nil || len(events) != 1 {
				t.Fatalf("%s has the events %+v, %v", one.ID, events, err)
			}
		}
		if len(before) > 0 {
			t.Errorf("%d of the accepted tasks are not in the backup: %v", len(before), before)
		}
	}
}
