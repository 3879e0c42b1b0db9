// Package worker runs jobs: a prompt in, a streamed answer out. A worker is a model in the hub or a remote agent. The
// coordinator uses them only through the Worker interface.
package worker

import (
	"context"
	"encoding/json"
	"errors"

	"agentflow/backend/base/errcode"
	"agentflow/backend/work/task"
)

// ErrStopped cancels a job's context when the hub stops: the job continues at the next start. Any other cause means
// that the job is no longer wanted.
var ErrStopped = errors.New("the hub is stopping")

// Job is one attempt at a task.
type Job struct {
	TaskID   string
	Type     string
	Prompt   string
	Context  json.RawMessage // a JSON object, or nil
	Envelope JobEnvelope
}

// Worker runs jobs.
type Worker interface {
	// Run runs the job and returns its result, a JSON object. It passes news to tell, in order; an error of tell ends
	// the job and is returned unchanged. If ctx ends, Run returns its cause. All other errors are *errcode.Error.
	Run(ctx context.Context, job Job, tell func(Update) error) (json.RawMessage, error)
}

// Update is what a worker reports during a job.
type Update struct {
	Text      string         // a piece of the answer
	Log       string         // a line about the work
	Cause     *errcode.Cause // of what Log reports
	Progress  float64        // 0 to 100
	Delegated string         // a subtask that was delegated

	Spent   *task.Spent // total so far by the worker for this job; nil: unchanged
	Charged *task.Spent // by subtasks, since the last Update
}
