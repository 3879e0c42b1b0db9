// Package worker holds what takes a prompt and streams back an answer: a model here, an
// agent process elsewhere. The coordinator knows them only by this interface.
package worker

import (
	"context"
	"encoding/json"
	"errors"

	"agentflow/backend/errcode"
	"agentflow/backend/task"
)

// ErrStopped is the cause with which a job's context ends when the hub does: the job goes on
// at the hub's next start. With every other cause nobody wants it any more.
var ErrStopped = errors.New("the hub is stopping")

// Job is one attempt at a task.
type Job struct {
	TaskID  string
	Type    string
	Prompt  string
	Context json.RawMessage // a JSON object, or nil
	Terms   Terms
}

// Worker does jobs.
type Worker interface {
	// Run does the job and returns its result, a JSON object. What comes meanwhile is
	// handed to tell, in order; an error of tell ends the job and is returned as it is.
	// When ctx ends, Run returns its cause. Errors are *errcode.Error otherwise.
	Run(ctx context.Context, job Job, tell func(News) error) (json.RawMessage, error)
}

// News is what comes while a worker is at it.
type News struct {
	Text     string         // a piece of the answer
	Log      string         // a line about the work
	Cause    *errcode.Cause // of what Log tells
	Progress float64        // 0 to 100
	Given    string         // a task that was given on for this one

	Spent   *task.Spent // by the worker for this job until now, all together; nil: nothing new
	Charged *task.Spent // by others, since the last one
}
