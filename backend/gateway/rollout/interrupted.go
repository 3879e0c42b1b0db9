package rollout

import (
	"context"
	"slices"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/openclaw"
)

// begun is an apply or a rollback that hasn't ended, as it is kept for the case that the hub ends before it.
type begun struct {
	Apply  Apply         `json:"apply"`
	Writes []fileWritten `json:"writes,omitempty"` // files that weren't seen yet as it writes them
}

// journal keeps the applies and rollbacks that haven't ended in a file, one for each gateway. The zero value keeps
// nothing. It is guarded by Machine.mu.
type journal struct{ jsonFile[begun] }

func (k *journal) put(b begun) error {
	if k.path == "" {
		return nil
	}
	k.of[b.Apply.Gateway] = b
	return k.write()
}

// remove forgets an apply, unless a newer one of the gateway is kept.
func (k *journal) remove(a Apply) error {
	kept, there := k.of[a.Gateway]
	if !there || kept.Apply.ID > a.ID {
		return nil
	}
	delete(k.of, a.Gateway)
	return k.write()
}

// Remember has the machine keep its running applies and rollbacks in a file. Those that the end of a hub cut off are
// among its applies then, as failed ones with ReasonInterrupted. It must be called before Run.
func Remember(m *Machine, path string) error {
	file, err := openJSON[begun](path, "the applies that were running")
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.journal = journal{file}
	for _, b := range file.of {
		m.applies = append(m.applies, &job{apply: interrupted(b.Apply), begun: &b, cut: true, cancel: func(error) {}})
	}
	slices.SortFunc(m.applies, func(a, b *job) int { return a.apply.StartedAt.Compare(b.apply.StartedAt) })
	return nil
}

// remember keeps a running apply or rollback as it stands, and forgets one that has ended. A new one replaces what was
// cut off before on the gateway. It is called with m.mu held.
func (m *Machine) remember(j *job, ended bool) error {
	switch {
	case j.begun == nil || j.cut: // an apply whose end is only recorded, or one that the next hub is to know
		return nil
	case ended:
		return m.journal.remove(j.apply)
	}
	b := *j.begun
	b.Apply = j.apply.copy()
	return m.journal.put(b)
}

// interrupted is how an apply or a rollback stands that the end of the hub cut off.
func interrupted(a Apply) Apply {
	sent := !a.Cancellable
	a.State, a.EndedAt, a.Cancellable, a.WaitUntil = Failed, time.Now(), false, time.Time{}
	a.Error = errcode.New(errcode.Unavailable, "%s", cutMessage(a.Kind, sent)).
		With(errcode.KeyReason, ReasonInterrupted).With("sent", sent)
	a.Steps = slices.Clone(a.Steps)
	for i := range a.Steps {
		if s := &a.Steps[i]; s.State == "running" {
			s.State = "failed"
			if sent {
				s.State = "unknown"
			}
		}
	}
	return a
}

func cutMessage(kind Kind, sent bool) string {
	switch {
	case kind == KindApply && sent:
		return "AgentFlow ended during the apply, so the gateway might have only a part of it: review and apply again"
	case kind == KindApply:
		return "AgentFlow ended before the apply sent anything: apply again"
	case sent:
		return "AgentFlow ended during the rollback, so the gateway might have only a part of it: roll back again"
	}
	return "AgentFlow ended before the rollback sent anything: roll back again"
}

// arrived ends an apply that was cut off and turns out to have done everything.
func (m *Machine) arrived(gateway string) {
	if j := m.cutOff(gateway); j != nil && j.apply.Kind == KindApply {
		m.doneAfterAll(j)
	}
}

func (m *Machine) doneAfterAll(j *job) {
	m.mu.Lock()
	j.cut = false
	m.mu.Unlock()
	m.update(j, func(a *Apply) {
		a.State, a.Error = Done, nil
		for i := range a.Steps {
			if a.Steps[i].State != "done" {
				a.Steps[i].State = "skipped"
			}
		}
	})
}

// cutOff returns the apply or rollback of a gateway that the end of a hub cut off, or nil.
func (m *Machine) cutOff(gateway string) *job {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, j := range slices.Backward(m.applies) {
		if j.apply.Gateway == gateway {
			if j.cut {
				return j
			}
			return nil
		}
	}
	return nil
}

// meetCut compares the config of a gateway with what a rollback that was cut off was to bring. If that is all there,
// the rollback is done; otherwise its error says how many changes are missing. It returns whether it was cut off and
// isn't done.
func (m *Machine) meetCut(ctx context.Context, gateway string, s openclaw.Snapshot) (bool, error) {
	j := m.cutOff(gateway)
	if j == nil || j.apply.Kind == KindApply {
		return false, nil
	}
	to, team := j.begun.Apply.To, j.begun.Apply.Team
	old, err := m.kept(ctx, gateway, to)
	if errcode.Is(err, errcode.NotFound) {
		return true, nil
	}
	if err != nil {
		return true, err
	}
	target, err := m.gateways.Target(gateway)
	if err != nil {
		return true, err
	}
	reading, err := s.Reading()
	if err != nil {
		return true, err
	}
	files, err := stand{m, target, s, reading}.keptFiles(ctx, old)
	if err != nil {
		return true, err
	}
	p, err := openclaw.PreviewRollback(s, old, target.Gateway.Capabilities(), files)
	if err != nil {
		return true, err
	}
	if p.Sends {
		left := len(p.Changes)
		m.update(j, func(a *Apply) { a.Error = a.Error.With("left", left) })
		return true, nil
	}
	req := RollbackRequest{Gateway: gateway, To: to, Team: team, Keep: j.begun.Apply.Keep}
	if err := m.rolledBack(ctx, req, target, old); err != nil && !errcode.Is(err, errcode.NotFound) {
		return true, err // the team can be deleted
	}
	m.doneAfterAll(j)
	return false, nil
}
