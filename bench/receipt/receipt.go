// Package receipt measures how long a task is on its way from who submits it to the agent
// elsewhere that is given it: by a hub that keeps every step, and by a relay that keeps nothing.
package receipt

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"time"
)

// Agent is an agent elsewhere, which tells when it is given a task.
type Agent struct {
	server *httptest.Server
	got    chan given
}

type given struct {
	task string
	at   time.Time
}

// Listen starts one on this computer; close it.
func Listen() *Agent {
	a := &Agent{got: make(chan given, 1)}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /tasks", func(w http.ResponseWriter, r *http.Request) {
		at := time.Now()
		var job struct{ TaskID string }
		if err := json.NewDecoder(r.Body).Decode(&job); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		_, _ = io.WriteString(w, `{"status":"accepted"}`) // who asked may have left
		a.got <- given{job.TaskID, at}
	})
	mux.HandleFunc("GET /status", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"agentName":"Dev","role":"Developer","status":"idle"}`)
	})
	a.server = httptest.NewServer(mux)
	return a
}

// URL is where it listens.
func (a *Agent) URL() string { return a.server.URL }

// Close ends it.
func (a *Agent) Close() { a.server.Close() }

// Took submits a task and returns how long it took to the agent, and which task that was.
func (a *Agent) Took(ctx context.Context, submit func(context.Context) error) (time.Duration, string, error) {
	began := time.Now()
	if err := submit(ctx); err != nil {
		return 0, "", err
	}
	select {
	case g := <-a.got:
		return g.at.Sub(began), g.task, nil
	case <-ctx.Done():
		return 0, "", fmt.Errorf("the agent was given nothing: %w", context.Cause(ctx))
	}
}

// Relay takes tasks as a hub does and gives them to the agent, and keeps nothing. Close it.
func Relay(a *Agent) *httptest.Server {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 4}}
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var sent struct{ UserPrompt, TaskType string }
		if err := json.NewDecoder(r.Body).Decode(&sent); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		job, err := json.Marshal(
			map[string]string{"taskId": "bare", "taskType": sent.TaskType, "prompt": sent.UserPrompt},
		)
		if err == nil {
			err = post(r.Context(), client, a.URL()+"/tasks", job)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
		}
	}))
}

func post(ctx context.Context, client *http.Client, url string, body []byte) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	_, err = io.Copy(io.Discard, res.Body)
	return err
}

// Submit gives a relay a task.
func Submit(ctx context.Context, url string, body []byte) error {
	return post(ctx, http.DefaultClient, url+"/submit_task", body)
}

// Sync measures one write of a page to the end of a file and the wait until the disk has it.
func Sync(dir string) (time.Duration, error) {
	f, err := os.OpenFile(filepath.Join(dir, "sync"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }() // it is synced
	page := make([]byte, 4096)
	began := time.Now()
	if _, err := f.Write(page); err != nil {
		return 0, err
	}
	if err := f.Sync(); err != nil {
		return 0, err
	}
	return time.Since(began), nil
}
