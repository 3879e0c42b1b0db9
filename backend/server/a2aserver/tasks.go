package a2aserver

import (
	"context"
	"encoding/json"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"agentflow/backend/base/errcode"
	"agentflow/backend/work/task"
)

// IDs of a task's artifacts.
const (
	answerID a2a.ArtifactID = "answer" // the text
	resultID a2a.ArtifactID = "result" // the whole result
)

// state returns the A2A state of a task. For the coordinator, a task that waits for an answer is in progress.
func state(t *task.Task, asked bool) a2a.TaskState {
	switch {
	case t.Status == task.Completed:
		return a2a.TaskStateCompleted
	case t.Status == task.Canceled:
		return a2a.TaskStateCanceled
	case t.Status == task.Failed:
		return a2a.TaskStateFailed
	case asked:
		return a2a.TaskStateInputRequired
	case t.Status == task.InProgress:
		return a2a.TaskStateWorking
	}
	return a2a.TaskStateSubmitted
}

func info(t *task.Task) a2a.TaskInfo {
	return a2a.TaskInfo{TaskID: a2a.TaskID(t.ID), ContextID: t.SessionID}
}

// status returns the A2A status of a task, with its message.
func (d *Handler) status(ctx context.Context, t *task.Task) a2a.TaskStatus {
	waiting := d.asked(ctx, t)
	at := t.UpdatedAt
	s := a2a.TaskStatus{State: state(t, len(waiting) > 0), Timestamp: &at}
	switch {
	case t.Status == task.Failed || t.Status == task.Canceled:
		s.Message = says(t, t.ErrorMessage)
	case len(waiting) > 0:
		s.Message = says(t, inWords(&waiting[0]))
	}
	return s
}

func says(t *task.Task, text string) *a2a.Message {
	return a2a.NewMessageForTask(a2a.MessageRoleAgent, info(t), a2a.NewTextPart(text))
}

// snapshot returns the whole task. history limits its messages; nil: all.
func (d *Handler) snapshot(ctx context.Context, t *task.Task, history *int) *a2a.Task {
	out := &a2a.Task{
		ID:        a2a.TaskID(t.ID),
		ContextID: t.SessionID,
		Status:    d.status(ctx, t),
		Artifacts: artifacts(t),
		Metadata:  map[string]any{"progress": t.Progress},
	}
	if history == nil || *history > 0 {
		m := a2a.NewMessageForTask(a2a.MessageRoleUser, info(t), a2a.NewTextPart(t.Prompt))
		m.ID = string(t.ID) + "-asked"
		out.History = []*a2a.Message{m}
	}
	return out
}

// artifacts returns the result of a completed task.
func artifacts(t *task.Task) []*a2a.Artifact {
	if t.Status != task.Completed {
		return nil
	}
	var fields map[string]any
	_ = json.Unmarshal(t.Result, &fields) // a result is an object
	var out []*a2a.Artifact
	if text, _ := fields["text"].(string); text != "" {
		out = append(out, words(text))
	}
	return append(out, &a2a.Artifact{ID: resultID, Name: "Result", Parts: a2a.ContentParts{a2a.NewDataPart(fields)}})
}

func words(text string) *a2a.Artifact {
	return &a2a.Artifact{ID: answerID, Name: "Answer", Parts: a2a.ContentParts{a2a.NewTextPart(text)}}
}

// GetTask implements a2asrv.RequestHandler.
func (d *Handler) GetTask(ctx context.Context, req *a2a.GetTaskRequest) (*a2a.Task, error) {
	t, err := d.task(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	return d.snapshot(ctx, &t, req.HistoryLength), nil
}

func (d *Handler) task(ctx context.Context, id a2a.TaskID) (task.Task, error) {
	t, err := d.Coordinator.Task(ctx, task.ID(id))
	if err != nil {
		return t, d.failure(err)
	}
	return t, nil
}

// CancelTask implements a2asrv.RequestHandler.
func (d *Handler) CancelTask(ctx context.Context, req *a2a.CancelTaskRequest) (*a2a.Task, error) {
	if err := d.Coordinator.Cancel(ctx, task.ID(req.ID)); err != nil {
		if e := errcode.From(err); e.Code == errcode.Conflict {
			return nil, a2a.NewError(a2a.ErrTaskNotCancelable, e.Message)
		}
		return nil, d.failure(err)
	}
	return d.GetTask(ctx, &a2a.GetTaskRequest{ID: req.ID})
}

// GetTaskPushConfig implements a2asrv.RequestHandler. Push notifications aren't supported.
func (d *Handler) GetTaskPushConfig(context.Context, *a2a.GetTaskPushConfigRequest) (*a2a.PushConfig, error) {
	return nil, a2a.ErrPushNotificationNotSupported
}

// ListTaskPushConfigs implements a2asrv.RequestHandler.
func (d *Handler) ListTaskPushConfigs(
	context.Context,
	*a2a.ListTaskPushConfigRequest,
) (*a2a.ListTaskPushConfigResponse, error) {
	return nil, a2a.ErrPushNotificationNotSupported
}

// CreateTaskPushConfig implements a2asrv.RequestHandler.
func (d *Handler) CreateTaskPushConfig(context.Context, *a2a.PushConfig) (*a2a.PushConfig, error) {
	return nil, a2a.ErrPushNotificationNotSupported
}

// DeleteTaskPushConfig implements a2asrv.RequestHandler.
func (d *Handler) DeleteTaskPushConfig(context.Context, *a2a.DeleteTaskPushConfigRequest) error {
	return a2a.ErrPushNotificationNotSupported
}
