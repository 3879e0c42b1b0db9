package a2aserver_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"agentflow/backend/server/a2aserver"
	"agentflow/backend/store"
	"agentflow/backend/team/roster"
	"agentflow/backend/work/coordinator"
	"agentflow/backend/work/inbox"
	"agentflow/backend/work/task"
)

// counted counts the tasks read from the database.
type counted struct {
	coordinator.Store
	read atomic.Int64
}

func (c *counted) Tasks(ctx context.Context, q coordinator.Query) ([]task.Task, error) {
	list, err := c.Store.Tasks(ctx, q)
	c.read.Add(int64(len(list)))
	return list, err
}

func (c *counted) Recent(ctx context.Context, q coordinator.Recent) ([]task.Task, error) {
	list, err := c.Store.Recent(ctx, q)
	c.read.Add(int64(len(list)))
	return list, err
}

// openDoor serves the tasks of a real database.
func openDoor(t *testing.T) (*a2aserver.Handler, *counted) {
	t.Helper()
	s, err := store.Open(t.Context(), t.TempDir(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	tasks := &counted{Store: store.Tasks(s)}
	questions, err := inbox.New(t.Context(),
		inbox.Options{Store: store.Inbox(s), Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	c := coordinator.New(
		coordinator.Options{Store: tasks, Roster: new(roster.Roster), Logger: slog.New(slog.DiscardHandler)},
	)
	return &a2aserver.Handler{Coordinator: c, Inbox: questions, Logger: slog.New(slog.DiscardHandler)}, tasks
}

// fill adds n tasks: one in a hundred is of the session "rare", and one in twenty each has failed or is canceled.
// One more task only mentions that session.
func fill(t *testing.T, tasks coordinator.Store, n int) {
	t.Helper()
	var writers sync.WaitGroup
	numbers := make(chan int)
	for range 64 {
		writers.Go(func() {
			for i := range numbers {
				one := task.Task{
					ID:        task.ID(fmt.Sprintf("t-%05d", i)),
					SessionID: "s",
					Type:      task.Chat,
					Prompt:    "p",
					Status:    task.Completed,
					UpdatedAt: time.Unix(int64(i), 0),
				}
				if i%100 == 0 {
					one.SessionID = "rare"
				}
				if i%10 == 5 {
					one.Status, one.ErrorMessage = task.Failed, "no"
				}
				if i%20 == 5 {
					one.Status = task.Canceled
				}
				if i == 7 {
					one.Context = []byte(`{"sessionId":"rare"}`)
				}
				if _, _, err := tasks.AddTask(t.Context(), one, ""); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for i := range n {
		numbers <- i
	}
	close(numbers)
	writers.Wait()
}

// Of ten thousand tasks, a page reads no more than it contains, whatever the filter. No page misses or repeats a task,
// and those that changed last come first.
func TestAG1_APageOfTenThousandTasksReadsAPage(t *testing.T) {
	const many = 10_000
	d, tasks := openDoor(t)
	fill(t, tasks, many)

	late := time.Unix(many-251, 0)
	for _, c := range []struct {
		what  string
		ask   a2a.ListTasksRequest
		total int
		most  int64 // tasks that one page can read
	}{
		{"all", a2a.ListTasksRequest{PageSize: 100}, many, 101},
		{"completed", a2a.ListTasksRequest{PageSize: 100, Status: a2a.TaskStateCompleted}, 9 * many / 10, 101},
		{"submitted", a2a.ListTasksRequest{PageSize: 100, Status: a2a.TaskStateSubmitted}, 0, 0},
		{"asked", a2a.ListTasksRequest{PageSize: 100, Status: a2a.TaskStateInputRequired}, 0, 0},
		{"rejected", a2a.ListTasksRequest{PageSize: 100, Status: a2a.TaskStateRejected}, 0, 0},
		{"of a session", a2a.ListTasksRequest{PageSize: 30, ContextID: "rare"}, many / 100, 31},
		{"canceled", a2a.ListTasksRequest{PageSize: 100, Status: a2a.TaskStateCanceled}, many / 20, 101},
		{"failed", a2a.ListTasksRequest{PageSize: 100, Status: a2a.TaskStateFailed}, many / 20, 101},
		{"late", a2a.ListTasksRequest{PageSize: 100, StatusTimestampAfter: &late}, 250, 101},
		{"canceled late", a2a.ListTasksRequest{PageSize: 5, Status: a2a.TaskStateCanceled, StatusTimestampAfter: &late}, 12, 6},
		{"late in a session", a2a.ListTasksRequest{PageSize: 5, ContextID: "rare", StatusTimestampAfter: &late}, 2, 2},
	} {
		ids, last := map[a2a.TaskID]bool{}, time.Unix(many, 0)
		for ask := c.ask; ; {
			before := tasks.read.Load()
			got, err := d.ListTasks(t.Context(), &ask)
			if err != nil {
				t.Fatalf("%s: %v", c.what, err)
			}
			if read := tasks.read.Load() - before; read > c.most {
				t.Errorf("%s: %d tasks were read for a page of %d", c.what, read, ask.PageSize)
			}
			if got.TotalSize != c.total {
				t.Errorf("%s: want a total of %d, got %d", c.what, c.total, got.TotalSize)
			}
			for _, one := range got.Tasks {
				if at := *one.Status.Timestamp; at.After(last) || ids[one.ID] {
					t.Fatalf("%s: %s of %s comes after %s, seen before: %v", c.what, one.ID, at, last, ids[one.ID])
				}
				ids[one.ID], last = true, *one.Status.Timestamp
			}
			if got.NextPageToken == "" {
				break
			}
			if len(got.Tasks) != ask.PageSize {
				t.Fatalf("%s: a page of %d, and another one after it", c.what, len(got.Tasks))
			}
			ask.PageToken = got.NextPageToken
		}
		if len(ids) != c.total {
			t.Errorf("%s: %d tasks on all pages, of %d", c.what, len(ids), c.total)
		}
	}
	for _, token := range []string{"nothing", "5.", ".t-1", "x.t-1"} {
		if _, err := d.ListTasks(t.Context(), &a2a.ListTasksRequest{PageToken: token}); err == nil || !strings.Contains(err.Error(), "pageToken") {
			t.Errorf("an invalid token: %v", err)
		}
	}
}
