package localagent

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"agentflow/backend/base/atomicfile"
	"agentflow/backend/base/errcode"
	"agentflow/backend/base/proc"
	"agentflow/backend/base/safego"
	"agentflow/backend/team/roster"
	"agentflow/backend/team/topology"
	"agentflow/backend/work/agentprocess"
	"agentflow/backend/work/worker"
)

const (
	grace    = 8 * time.Second // time for returning a task
	steady   = time.Minute     // after this time, a death no longer counts as consecutive
	mostDied = 5               // consecutive deaths before it stays stopped
	lastWait = 30 * time.Second
)

var (
	errStop = errors.New("the agent was stopped")
	errEnds = errors.New("the hub is stopping")
	errWait = errors.New("what the agent asks of this computer is not allowed")
)

// Run starts the autostart agents and keeps all started agents running. When ctx ends, it stops them and returns once
// all have ended.
func (m *Machine) Run(ctx context.Context) error {
	keeping, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	m.mu.Lock()
	m.begin = func(k *kept) {
		ctx, stop := context.WithCancelCause(keeping)
		k.stop = stop
		m.keepers.Go(func() {
			defer stop(nil)
			_ = safego.Call(ctx, m.o.Logger, "the keeper of a local process", func() error {
				m.keep(ctx, k)
				return nil
			})
		})
	}
	var first []topology.AgentID
	for id, k := range m.all {
		if k.Autostart {
			first = append(first, id)
		}
	}
	m.mu.Unlock()
	m.o.Applied(m.o.Roster.Applied())
	for _, id := range first {
		if err := m.launch(id); err != nil {
			m.o.Logger.Warn("couldn't start an agent with the hub", slog.String("agent", string(id)),
				slog.Any("error", err))
		}
	}
	m.follow(ctx)
	m.mu.Lock()
	m.begin = nil
	m.mu.Unlock()
	cancel(errEnds)
	m.keepers.Wait()
	return nil
}

// follow passes each applied team to Applied and Trusted until ctx ends.
func (m *Machine) follow(ctx context.Context) {
	team := m.o.Roster.Changes(1)
	defer func() { team.Close() }()
	for {
		select {
		case <-ctx.Done():
			return
		case _, ok := <-team.C():
			if !ok {
				team = m.o.Roster.Changes(1)
			}
			m.o.Applied(m.o.Roster.Applied())
			m.Trusted()
		}
	}
}

// Start starts an agent. If it is already running or starting, Start does nothing.
func (m *Machine) Start(id topology.AgentID) (Agent, error) {
	if err := m.launch(id); err != nil {
		return Agent{}, err
	}
	return m.Agent(id)
}

func (m *Machine) launch(id topology.AgentID) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	k, err := m.get(id)
	if err != nil {
		return err
	}
	switch {
	case k.state == Stopping:
		return errcode.New(errcode.Conflict, "the agent %s is stopping. Start it again when it has stopped.", id).
			With(errcode.KeyReason, "stopping")
	case k.done != nil:
		return nil
	case m.begin == nil:
		return errcode.New(errcode.Unavailable, "the hub is starting or ending: no agent can be started now")
	}
	if _, _, err := m.config(k.record); err != nil {
		k.waits = k.Source == Drawn && m.untrusted(id) != nil
		return err
	}
	k.state, k.died, k.problem, k.waits, k.done = Starting, 0, nil, false, make(chan struct{})
	m.begin(k)
	m.tell()
	return nil
}

// Stop stops the agent and returns when its whole process tree has ended, or when ctx ends. This can take some
// seconds, because a running task is returned.
func (m *Machine) Stop(ctx context.Context, id topology.AgentID) (Agent, error) {
	m.mu.Lock()
	k, err := m.get(id)
	if err != nil {
		m.mu.Unlock()
		return Agent{}, err
	}
	done := k.done
	k.waits = false
	if done != nil {
		k.state = Stopping
		k.stop(errStop)
		m.tell()
	} else if k.state == Failed {
		k.state, k.problem = Stopped, nil
		m.tell()
	}
	m.mu.Unlock()
	if done != nil {
		select {
		case <-done:
		case <-ctx.Done():
			return Agent{}, context.Cause(ctx)
		}
	}
	return m.Agent(id)
}

// Restart stops the agent, if it runs, and starts it with its current config.
func (m *Machine) Restart(ctx context.Context, id topology.AgentID) (Agent, error) {
	if _, err := m.Stop(ctx, id); err != nil {
		return Agent{}, err
	}
	return m.Start(id)
}

// keep runs the agent's process and restarts it whenever it dies.
func (m *Machine) keep(ctx context.Context, k *kept) {
	defer m.ended(ctx, k)
	for died := 0; ctx.Err() == nil; {
		began := time.Now()
		res, err := m.once(ctx, k)
		if ctx.Err() != nil {
			return
		}
		if time.Since(began) > steady {
			died = 0
		}
		died++
		wait := min(m.o.Backoff<<(died-1), lastWait)
		m.mu.Lock()
		why := k.problem
		if why == nil {
			why = deathOf(res, err)
		}
		k.waits = k.waits || k.Source == Drawn && m.untrusted(k.ID) != nil
		hopeless := err != nil || died >= mostDied ||
			res.Code > 1 // wrong usage, a missing approval, or a missing program
		k.url, k.problem, k.died, k.state, k.next = "", why, k.died+1, Restarting, time.Now().UTC().Add(wait)
		if hopeless {
			k.state, k.next = Failed, time.Time{}
		}
		m.vacate(k, hopeless)
		m.mu.Unlock()
		k.log.note(noteEnded, "the process ended: "+why.Message, why.Message)
		m.tell()
		if hopeless {
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}

// vacate updates the roster after the process has died: its address is marked as gone, or, for good, removed, so that
// the agent runs in the hub again. The caller holds m.mu.
func (m *Machine) vacate(k *kept, forGood bool) {
	var at *roster.Place
	if !forGood && k.place != nil {
		gone := *k.place
		gone.Gone, at = true, &gone
	}
	m.o.Roster.Put(k.ID, at)
}

func deathOf(res proc.Result, err error) *errcode.Error {
	switch {
	case err != nil:
		return errcode.Wrap(errcode.Unavailable, err, "couldn't run the program")
	case res.Signal != "":
		return errcode.New(errcode.Unavailable, "a signal ended the process: %s", res.Signal)
	}
	return errcode.New(errcode.Unavailable, "the process ended with exit code %d", res.Code)
}

// ended cleans up after an agent's keeper.
func (m *Machine) ended(ctx context.Context, k *kept) {
	m.mu.Lock()
	defer m.mu.Unlock()
	close(k.done)
	k.done, k.stop, k.url, k.place, k.next, k.config, k.secret, k.started = nil, nil, "", nil, time.Time{}, "", "", time.Time{}
	if ctx.Err() != nil { // it was stopped
		k.state, k.problem = Stopped, nil
		note := noteStopped
		switch cause := context.Cause(ctx); {
		case errors.Is(cause, errEnds):
			note = noteHubEnds
		case errors.Is(cause, errWait):
			note, k.waits = noteUntrusted, true
		}
		k.log.note(note, context.Cause(ctx).Error())
	}
	m.o.Roster.Put(k.ID, nil)
	m.tell()
}

// once runs the process until it ends.
func (m *Machine) once(ctx context.Context, k *kept) (proc.Result, error) {
	m.mu.Lock()
	r, secret, all := k.record, k.secret, m.records()
	m.mu.Unlock()
	text, c, err := m.config(r)
	if err != nil {
		return proc.Result{}, err
	}
	if err := m.makeFolder(r, c); err != nil {
		return proc.Result{}, err
	}
	env, secret := m.environment(r.ID, c, secret, all)
	m.mu.Lock()
	if k.state != Stopping {
		k.state = Starting
	}
	k.config, k.secret, k.problem, k.next, k.started = text, secret, nil, time.Time{}, time.Now().UTC()
	m.mu.Unlock()
	m.tell()
	file := m.file(k.ID)
	if err := os.MkdirAll(m.o.Configs, 0o700); err != nil {
		return proc.Result{}, errcode.Wrap(errcode.Unavailable, err, "the folder %s cannot be made", m.o.Configs)
	}
	if err := atomicfile.Write(file, []byte(text), 0o600); err != nil {
		return proc.Result{}, err
	}
	hub, _ := m.o.Hub()
	path, args := m.o.Command(file, hub)
	hide := hidden(env, c, secret)
	out := &proc.LineSplitter{Most: maxLine, Line: func(line []byte, _ bool) error {
		if !m.heard(k, line, hide) {
			k.log.add("output", hide.Replace(string(line)))
		}
		return nil
	}}
	errs := &proc.LineSplitter{Most: maxLine, Line: func(line []byte, _ bool) error {
		k.log.add("errors", hide.Replace(string(line)))
		return nil
	}}
	k.log.note(noteStarted, "the process is started")
	res, err := proc.Run(
		ctx,
		proc.Command{
			Path:    path,
			Args:    args,
			Env:     env,
			Grace:   grace,
			Records: m.o.Records,
			Output:  out.Take,
			Errors:  errs.Take,
		},
	)
	_, _ = out.End(), errs.End() // they never fail
	return res, err
}

// file returns the path of an agent's config file. It is a hash, because agent names can be longer than file names
// and can differ only in case.
func (m *Machine) file(id topology.AgentID) string {
	sum := sha256.Sum256([]byte(id))
	return filepath.Join(m.o.Configs, hex.EncodeToString(sum[:16])+".yaml")
}

// heard handles a line that the process writes for the hub, one JSON object per line: its address, a task's end, or
// an error. It returns false if the line belongs in the log.
func (m *Machine) heard(k *kept, line []byte, hide *strings.Replacer) bool {
	var said struct {
		URL         string         `json:"url"`
		Agent       string         `json:"agent"`
		Fingerprint string         `json:"fingerprint"`
		Error       *errcode.Error `json:"error"`
		agentprocess.End
	}
	if len(line) == 0 || line[0] != '{' || json.Unmarshal(line, &said) != nil {
		return false
	}
	switch {
	case said.URL != "" && said.Agent != "":
		k.log.note(noteListens, "it listens on "+said.URL, said.URL)
		m.listens(k, &roster.Place{URL: said.URL, SecretEnv: secretName + string(k.ID), Fingerprint: said.Fingerprint})
	case said.Error != nil:
		said.Error.Message = hide.Replace(said.Error.Message)
		k.log.add("errors", said.Error.Message)
		m.mu.Lock()
		k.problem = said.Error
		m.mu.Unlock()
	case said.Task != "" && said.Status != "":
		m.used(k, said.End)
	default:
		return false
	}
	m.tell()
	return true
}

// listens records the agent's address.
func (m *Machine) listens(k *kept, at *roster.Place) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k.url = at.URL
	if k.state == Starting {
		k.state, k.place = Running, at
		m.o.Roster.Put(k.ID, at)
	}
}

// used counts a task that has ended.
func (m *Machine) used(k *kept, end agentprocess.End) {
	m.mu.Lock()
	k.Use.Tasks++
	if end.Status != worker.ReportCompleted {
		k.Use.Failed++
	}
	k.Use.Spent = k.Use.Spent.Plus(end.Spent)
	m.mu.Unlock()
	k.log.note(noteTask, fmt.Sprintf("task %s: %s, %d tokens", end.Task, end.Status, end.Spent.Tokens()), end.Task,
		end.Status, strconv.Itoa(end.Spent.Tokens()))
	if err := m.write(); err != nil {
		m.o.Logger.Warn("couldn't save an agent's use", slog.Any("error", err))
	}
}
