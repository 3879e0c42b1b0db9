package a2aserver

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"agentflow/backend/work/coordinator"
	"agentflow/backend/work/task"
)

// Limits of a list.
const (
	pageDefault = 50
	pageMost    = 100
)

// ListTasks implements a2asrv.RequestHandler. The tasks that changed last come first. The database uses an index for
// a page and the count.
func (d *Handler) ListTasks(ctx context.Context, req *a2a.ListTasksRequest) (*a2a.ListTasksResponse, error) {
	size := req.PageSize
	if size == 0 {
		size = pageDefault
	}
	if size < 1 || size > pageMost {
		return nil, a2a.NewError(a2a.ErrInvalidParams, "pageSize must be 1 to 100")
	}
	q := d.wanted(ctx, req)
	q.Limit = size + 1
	var err error
	if q.Before, err = markOf(req.PageToken); err != nil {
		return nil, err
	}
	list, all, err := d.Coordinator.Recent(ctx, q)
	if err != nil {
		return nil, d.failure(err)
	}
	out := &a2a.ListTasksResponse{Tasks: []*a2a.Task{}, PageSize: size, TotalSize: all}
	if len(list) > size {
		list = list[:size]
		out.NextPageToken = tokenOf(&list[size-1])
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

// tokenOf returns the page token: change time and ID of a page's last task.
func tokenOf(t *task.Task) string {
	return strconv.FormatInt(t.UpdatedAt.UnixNano(), 10) + "." + string(t.ID)
}

// markOf parses a page token, and rejects any other text.
func markOf(token string) (mark coordinator.Mark, err error) {
	if token == "" {
		return mark, nil
	}
	at, id, _ := strings.Cut(token, ".")
	nanos, err := strconv.ParseInt(at, 10, 64)
	if err != nil || id == "" {
		return mark, a2a.NewError(a2a.ErrInvalidParams, "pageToken is not one that this list has given")
	}
	return coordinator.Mark{At: time.Unix(0, nanos), ID: task.ID(id)}, nil
}

// wanted converts the filter. Only the inbox knows which tasks wait for an answer.
func (d *Handler) wanted(ctx context.Context, req *a2a.ListTasksRequest) coordinator.Recent {
	q := coordinator.Recent{Session: req.ContextID}
	if req.StatusTimestampAfter != nil {
		q.Since = *req.StatusTimestampAfter
	}
	switch req.Status {
	case "":
	case a2a.TaskStateCompleted:
		q.Status = task.Completed
	case a2a.TaskStateFailed:
		q.Status = task.Failed
	case a2a.TaskStateCanceled:
		q.Status = task.Canceled
	case a2a.TaskStateSubmitted:
		q.Status, q.But = task.Pending, d.askedAll(ctx)
	case a2a.TaskStateWorking:
		q.Status, q.But = task.InProgress, d.askedAll(ctx)
	case a2a.TaskStateInputRequired:
		q.Only = d.askedAll(ctx)
	default: // no task has this state
		q.Only = []task.ID{}
	}
	return q
}
