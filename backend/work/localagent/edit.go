package localagent

import (
	"context"
	"os"
	"slices"
	"strings"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/topology"
)

// Edit is a change by a person. nil leaves a value unchanged.
type Edit struct {
	Autostart *bool
	Config    *string // of an agent from a file
}

// Change changes an agent. A new config takes effect at the next start.
func (m *Machine) Change(id topology.AgentID, e Edit) (Agent, error) {
	m.edits.Lock()
	defer m.edits.Unlock()
	before, err := m.record(id)
	if err != nil {
		return Agent{}, err
	}
	after := before
	if e.Autostart != nil {
		after.Autostart = *e.Autostart
	}
	if e.Config != nil {
		c, err := readConfig(*e.Config)
		switch {
		case err != nil:
			return Agent{}, err
		case before.Source != File:
			return Agent{}, errcode.New(errcode.Conflict,
				"the config of %s is what is drawn: change it on the canvas", id).
				With(errcode.KeyReason, "drawn")
		case topology.AgentID(c.Agent.Name) != id:
			return Agent{}, errcode.New(errcode.Validation, "this is the config of %s, not of %s", c.Agent.Name, id).
				With(errcode.KeyField, "config")
		}
		after.Config = *e.Config
	}
	if err := m.rewrite(before, after); err != nil {
		return Agent{}, err
	}
	m.tell()
	return m.Agent(id)
}

// Keep saves the value of a variable that the agent's config names; "" deletes it. It takes effect at the next start.
func (m *Machine) Keep(id topology.AgentID, name, value string) (Agent, error) {
	m.edits.Lock()
	defer m.edits.Unlock()
	before, err := m.record(id)
	if err != nil {
		return Agent{}, err
	}
	if !m.names(before, name) {
		return Agent{}, errcode.New(errcode.NotFound, "the config of %s names no variable %s", id, name).
			With(errcode.KeyField, "name")
	}
	if strings.ContainsAny(value, "\x00\n\r") {
		return Agent{}, errcode.New(errcode.Validation, "the value must be one line").With(errcode.KeyField, "value")
	}
	if value != "" && !slices.Contains(before.Kept, name) {
		after := before
		after.Kept = append(slices.Clone(before.Kept), name) // before the keyring, so that Remove finds it
		if err := m.rewrite(before, after); err != nil {
			return Agent{}, err
		}
	}
	if err := m.o.Secrets.Set(secretKey(id, name), value); err != nil {
		return Agent{}, err
	}
	m.mu.Lock()
	if k := m.all[id]; k != nil {
		k.has[name] = value != ""
	}
	m.mu.Unlock()
	m.tell()
	return m.Agent(id)
}

// Remove stops the agent and deletes it with its secrets.
func (m *Machine) Remove(ctx context.Context, id topology.AgentID) error {
	if _, err := m.Stop(ctx, id); err != nil {
		return err
	}
	m.edits.Lock()
	defer m.edits.Unlock()
	k, err := m.forget(id)
	if err != nil {
		return err
	}
	if err := m.write(); err != nil {
		m.mu.Lock()
		m.all[id] = k
		m.mu.Unlock()
		return err
	}
	for _, name := range k.Kept { // even those its config no longer names
		_ = m.o.Secrets.Set(secretKey(id, name), "") // a failure doesn't matter: the agent is gone
	}
	_ = os.Remove(m.file(id)) // the file is missing if it was never started
	k.log.close()
	m.tell()
	return nil
}

// forget removes an agent that isn't running from memory.
func (m *Machine) forget(id topology.AgentID) (*kept, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k, err := m.get(id)
	if err != nil {
		return nil, err
	}
	if k.done != nil {
		return nil, errcode.New(errcode.Conflict, "the agent %s was started again meanwhile", id)
	}
	delete(m.all, id)
	return k, nil
}

// record returns a copy of an agent's record.
func (m *Machine) record(id topology.AgentID) (record, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k, err := m.get(id)
	if err != nil {
		return record{}, err
	}
	return k.record, nil
}

// rewrite replaces before with after, and undoes that if it can't be saved. The caller holds m.edits.
func (m *Machine) rewrite(before, after record) error {
	m.set(after)
	err := m.write()
	if err != nil {
		m.set(before)
	}
	return err
}

// set copies the fields that a person edits. Use isn't copied, because it is counted meanwhile.
func (m *Machine) set(r record) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if k := m.all[r.ID]; k != nil {
		k.Autostart, k.Config, k.Kept = r.Autostart, r.Config, r.Kept
	}
}
