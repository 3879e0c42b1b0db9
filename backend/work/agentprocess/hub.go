package agentprocess

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/work/worker"
)

const reportWithin = 20 * time.Second

// report sends one report; false means that the coordinator no longer wants the task.
func (p *Process) report(ctx context.Context, job worker.Job, r worker.Report) (bool, error) {
	if p.o.Coordinator == "" {
		return true, nil
	}
	ctx, cancel := context.WithTimeout(ctx, reportWithin)
	defer cancel()
	p.mu.Lock()
	r.Attempt = p.attempt
	p.mu.Unlock()
	var said struct{ Success bool }
	err := p.call(ctx, http.MethodPost, "/tasks/"+url.PathEscape(job.TaskID)+"/result", r, &said)
	return said.Success, err
}

// call calls the coordinator. UNAVAILABLE means that a retry may help, FORBIDDEN that it won't.
func (p *Process) call(ctx context.Context, method, path string, body, into any) error {
	var data []byte
	if body != nil {
		var err error
		if data, err = json.Marshal(body); err != nil {
			return errcode.Wrap(errcode.Internal, err, "what the coordinator is told cannot be written")
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, strings.TrimRight(p.o.Coordinator, "/")+path,
		bytes.NewReader(data))
	if err != nil {
		return errcode.Wrap(errcode.Validation, err, "the coordinator's address cannot be used")
	}
	req.Header.Set("Authorization", "Bearer "+p.o.Secret)
	if r, ok := body.(worker.Report); ok && r.Attempt > 0 {
		req.Header.Set(worker.AttemptHeader, strconv.Itoa(r.Attempt))
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := p.o.HTTP.Do(req)
	if err != nil {
		return errcode.Wrap(errcode.Unavailable, err, "the coordinator at %s cannot be reached", p.o.Coordinator)
	}
	defer res.Body.Close() //nolint:errcheck // only read
	answer, err := io.ReadAll(io.LimitReader(res.Body, maxBody))
	switch {
	case err != nil || res.StatusCode >= http.StatusInternalServerError || res.StatusCode == http.StatusTooManyRequests:
		return errcode.New(errcode.Unavailable, "the coordinator at %s answered %d", p.o.Coordinator, res.StatusCode)
	case res.StatusCode >= http.StatusBadRequest:
		return errcode.New(errcode.Forbidden, "the coordinator at %s refused what it was told: %d", p.o.Coordinator,
			res.StatusCode)
	}
	if err := json.Unmarshal(answer, into); err != nil {
		return errcode.New(errcode.Unavailable, "what answers at %s is no coordinator", p.o.Coordinator)
	}
	return nil
}

const (
	waitSeconds = 25 // long poll of one request for a result
	waitWithin  = 40 * time.Second
)

// give delegates a part of a job to another agent through the hub, which knows the chain. It waits for the result,
// across restarts of the hub.
func (p *Process) give(job worker.Job) func(context.Context, worker.DelegationRequest) (json.RawMessage, error) {
	return func(ctx context.Context, g worker.DelegationRequest) (json.RawMessage, error) {
		g.Key = rand.Text()
		path := "/tasks/" + url.PathEscape(job.TaskID) + "/delegations"
		var got struct{ TaskID, Status, Message string }
		if err := p.insist(ctx, http.MethodPost, path, g, &got); err != nil {
			return nil, err
		}
		if got.Status != "accepted" {
			return nil, errcode.New(errcode.Conflict, "%s", got.Message)
		}
		path += fmt.Sprintf("/%s?wait=%d", url.PathEscape(got.TaskID), waitSeconds)
		for {
			var now struct {
				Status, ErrorMessage string
				Result               json.RawMessage
			}
			if err := p.insist(ctx, http.MethodGet, path, nil, &now); err != nil {
				return nil, err
			}
			switch now.Status {
			case worker.ReportCompleted:
				return now.Result, nil
			case worker.ReportFailed:
				return nil, errcode.New(errcode.Unavailable, "%s did not do it: %s", g.Agent, now.ErrorMessage)
			}
		}
	}
}

// insist retries the call until the hub has answered, or ctx ends.
func (p *Process) insist(ctx context.Context, method, path string, body, into any) error {
	for wait := firstWait; ; wait = min(2*wait, lastWait) {
		bound, cancel := context.WithTimeout(ctx, waitWithin)
		err := p.call(bound, method, path, body, into)
		cancel()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err == nil || !errcode.Is(err, errcode.Unavailable) {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(wait):
		}
	}
}
