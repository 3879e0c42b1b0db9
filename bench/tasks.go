package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
)

const (
	queued    = 10_000 // tasks that nobody can take
	givers    = 32     // connections that submit them
	listLimit = 50     // ms
	watchers  = 1000   // streams of one task
)

// taskFigures measures a long queue, and many who watch one task.
func taskFigures(ctx context.Context, s setup, r *report) error {
	h, err := s.startHub(ctx)
	if err != nil {
		return err
	}
	defer h.stop()
	took := new(samples)
	for _, more := range []string{"what the hub grew by for %d queued tasks", "… and for %d more, once it was at work"} {
		grown, err := h.queue(ctx, took)
		if err != nil {
			return err
		}
		r.add(
			figure{Group: "tasks", Name: fmt.Sprintf(more, queued), Unit: "MB", Value: grown, Best: grown, Samples: 1},
		)
	}
	r.add(took.figure("tasks", fmt.Sprintf("submit a task, durable, %d connections", givers)))
	list := new(samples)
	for range s.rounds {
		began := time.Now()
		var got struct{ Tasks []struct{ ID string } }
		if err := h.call(ctx, http.MethodGet, "/api/tasks?limit=50", nil, &got); err != nil {
			return err
		}
		if len(got.Tasks) != 50 {
			return fmt.Errorf("%d tasks are listed, want 50", len(got.Tasks))
		}
		list.add(time.Since(began), 0)
	}
	r.limit(list.figure("tasks", fmt.Sprintf("list of %d queued tasks, 50 a page", 2*queued)), listLimit)
	return h.watch(ctx, r)
}

func (h *hub) submit(ctx context.Context) (string, error) {
	var sent struct{ TaskID, Status, Message string }
	err := h.call(ctx, http.MethodPost, "/submit_task",
		map[string]any{"sessionId": "bench", "userPrompt": "a task with a few words", "taskType": "command_execution"},
		&sent)
	if err == nil && sent.Status != "accepted" {
		err = fmt.Errorf("the task was %s: %s", sent.Status, sent.Message)
	}
	return sent.TaskID, err
}

// queue submits tasks that wait, and returns by how many megabytes the hub grew.
func (h *hub) queue(ctx context.Context, took *samples) (float64, error) {
	before, err := processMemory(h.cmd.Process.Pid)
	if err != nil {
		return 0, err
	}
	failed := make([]error, givers)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for g := range givers {
		wg.Go(func() {
			for i := g; i < queued && failed[g] == nil; i += givers {
				began := time.Now()
				_, failed[g] = h.submit(ctx)
				mu.Lock()
				took.add(time.Since(began), 0)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if err := errors.Join(failed...); err != nil {
		return 0, err
	}
	after, err := processMemory(h.cmd.Process.Pid)
	return after.now - before.now, err
}

// watch opens many streams of one task and measures until all have told its end.
func (h *hub) watch(ctx context.Context, r *report) error {
	id, err := h.submit(ctx)
	if err != nil {
		return err
	}
	client := &http.Client{Transport: &http.Transport{MaxConnsPerHost: 0}}
	defer client.CloseIdleConnections()
	open, ended := make(chan error, watchers), make(chan error, watchers)
	for range watchers {
		go func() { ended <- h.follow(ctx, client, id, open) }() // ends with the task, or with ctx
	}
	for range watchers {
		if err := <-open; err != nil {
			return err
		}
	}
	began := time.Now()
	if err := h.call(ctx, http.MethodPost, "/tasks/"+id+"/cancel", map[string]any{}, nil); err != nil {
		return err
	}
	for range watchers {
		if err := <-ended; err != nil {
			return err
		}
	}
	took := new(samples)
	took.add(time.Since(began), 0)
	r.add(took.figure("tasks", fmt.Sprintf("a task's end to %d streams", watchers)))
	return nil
}

func (h *hub) follow(ctx context.Context, client *http.Client, id string, open chan<- error) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, h.url+"/tasks/"+id+"/events", nil)
	if err != nil {
		open <- err
		return err
	}
	req.Header.Set("Authorization", "Bearer "+h.token)
	res, err := client.Do(req)
	if err != nil {
		open <- err
		return err
	}
	defer func() { _ = res.Body.Close() }()
	first := true
	for lines := bufio.NewScanner(res.Body); lines.Scan(); {
		if first && strings.HasPrefix(lines.Text(), "data: ") {
			first = false
			open <- nil
		}
		if lines.Text() == "event: end" {
			return nil
		}
	}
	if first {
		open <- errors.New("the stream told nothing")
	}
	return errors.New("the stream ended before its task")
}
