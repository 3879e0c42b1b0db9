package door

import (
	"context"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"agentflow/backend/coordinator"
	"agentflow/backend/errcode"
	"agentflow/backend/task"
)

// Bounds of a list.
const (
	pageDefault = 50
	pageMost    = 100
	pageRead    = 500
)

// ListTasks implements a2asrv.RequestHandler, the newest first. A page and how many there are
// come from the database; what it cannot tell apart is looked for in the tasks, pageRead at a time.
func (d *Door) ListTasks(ctx context.Context, req *a2a.ListTasksRequest) (*a2a.ListTasksResponse, error) {
	size := req.PageSize
	if size == 0 {
		size = pageDefault
	}
	if size < 1 || size > pageMost {
		return nil, a2a.NewError(a2a.ErrInvalidParams, "pageSize must be 1 to 100")
	}
	if err := d.tokenGiven(ctx, req.PageToken); err != nil {
		return nil, err
	}
	l := d.listOf(req)
	list, err := l.page(ctx, task.ID(req.PageToken), size+1)
	if err != nil {
		return nil, d.failure(err)
	}
	out := &a2a.ListTasksResponse{Tasks: []*a2a.Task{}, PageSize: size}
	if out.TotalSize, err = l.count(ctx); err != nil {
		return nil, d.failure(err)
	}
	if len(list) > size {
		list = list[:size]
		out.NextPageToken = string(list[size-1].ID)
	}
	history := req.HistoryLength
	if history == nil {
		history = new(int)
	}
	for i := range list {
		one := d.snapshot(ctx, &list[i], history)
		if !req.IncludeArtifacts {
			one.Artifacts = nil
		}
		out.Tasks = append(out.Tasks, one)
	}
	return out, nil
}

// tokenGiven refuses a token that no list has given; a token is the last task of its page.
func (d *Door) tokenGiven(ctx context.Context, token string) error {
	if token == "" {
		return nil
	}
	_, err := d.Coordinator.Task(ctx, task.ID(token))
	if err == nil {
		return nil
	}
	if errcode.From(err).Code == errcode.NotFound {
		return a2a.NewError(a2a.ErrInvalidParams, "pageToken is not one that this list has given")
	}
	return d.failure(err)
}

// list is what was asked for: the part that the database knows, and, if that is not all, the
// rest.
type list struct {
	coordinator *coordinator.Machine
	query       coordinator.Query
	fits        func(ctx context.Context, t *task.Task) bool // nil: the query says it all
}

func (d *Door) listOf(req *a2a.ListTasksRequest) list {
	q := coordinator.Query{Session: req.ContextID}
	exact := req.StatusTimestampAfter == nil
	waiting := len(d.Inbox.Waiting()) > 0
	switch req.Status {
	case "":
	case a2a.TaskStateCompleted:
		q.Status = task.Completed
	case a2a.TaskStateFailed, a2a.TaskStateCanceled:
		q.Status, exact = task.Failed, false
	case a2a.TaskStateSubmitted:
		q.Status, exact = task.Pending, exact && !waiting
	case a2a.TaskStateWorking:
		q.Status, exact = task.InProgress, exact && !waiting
	default:
		exact = false
	}
	l := list{coordinator: d.Coordinator, query: q}
	if !exact {
		l.fits = func(ctx context.Context, t *task.Task) bool {
			after := req.StatusTimestampAfter
			return (after == nil || t.UpdatedAt.After(*after)) && (req.Status == "" || state(t, len(d.asked(ctx, t)) > 0) == req.Status)
		}
	}
	return l
}

// page reads at most so many tasks that are older than one.
func (l list) page(ctx context.Context, before task.ID, most int) ([]task.Task, error) {
	q := l.query
	q.Before, q.Limit = before, most
	if l.fits == nil {
		return l.coordinator.Tasks(ctx, q)
	}
	var out []task.Task
	err := l.walk(ctx, q, func(t *task.Task) bool {
		out = append(out, *t)
		return len(out) < most
	})
	return out, err
}

// count counts all tasks of the list.
func (l list) count(ctx context.Context) (n int, err error) {
	if l.fits != nil || l.query.Session != "" {
		err = l.walk(ctx, l.query, func(*task.Task) bool {
			n++
			return true
		})
		return n, err
	}
	by, err := l.coordinator.Count(ctx)
	if l.query.Status != "" {
		return by[l.query.Status], err
	}
	for _, c := range by {
		n += c
	}
	return n, err
}

// walk goes through the tasks that fit, until it is told not to go on.
func (l list) walk(ctx context.Context, q coordinator.Query, each func(*task.Task) bool) error {
	q.Limit = pageRead
	for {
		found, err := l.coordinator.Tasks(ctx, q)
		if err != nil {
			return err
		}
		for i := range found {
			q.Before = found[i].ID
			if (l.fits == nil || l.fits(ctx, &found[i])) && !each(&found[i]) {
				return nil
			}
		}
		if len(found) < pageRead {
			return nil
		}
	}
}
