package localagent

import (
	"context"
	"os"
	"slices"
	"strings"

	"agentflow/backend/errcode"
	"agentflow/backend/topology"
)

// Edit is what a person sets about an agent. What is nil stays.
type Edit struct {
	Autostart *bool
	Config    *string // of a file
}

// Change changes an agent. Another config holds from its next start on.
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
			return Agent{}, errcode.New(errcode.Conflict, "the config of %s is what is drawn: change it on the canvas", id).With(errcode.KeyReason, "drawn")
		case topology.AgentID(c.Agent.Name) != id:
			return Agent{}, errcode.New(errcode.Validation, "this is the config of %s, not of %s", c.Agent.Name, id).With(errcode.KeyField, "config")
		}
		after.Config = *e.Config
	}
	if err := m.rewrite(before, after); err != nil {
		return Agent{}, err
	}
	m.tell()
	return m.Agent(id)
}

// Keep keeps the value of a variable that the agent's config names; "" forgets it. It
// holds from the next start on.
func (m *Machine) Keep(id topology.AgentID, name, value string) (Agent, error) {
	m.edits.Lock()
	defer m.edits.Unlock()
	before, err := m.record(id)
	if err != nil {
		return Agent{}, err
	}
	if !m.names(before, name) {
		return Agent{}, errcode.New(errcode.NotFound, "the config of %s names no variable %s", id, name).With(errcode.KeyField, "name")
	}
	if strings.ContainsAny(value, "\x00\n\r") {
		return Agent{}, errcode.New(errcode.Validation, "the value must be one line").With(errcode.KeyField, "value")
	}
	if value != "" && !slices.Contains(before.Kept, name) {
		after := before
		after.Kept = append(slices.Clone(before.Kept), name) // first, so that Remove finds it
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

// Remove stops the agent and forgets it with its secrets.
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
	for _, name := range k.Kept { // whatever its config names by now
		_ = m.o.Secrets.Set(secretKey(id, name), "") // who it was for is gone
	}
	_ = os.Remove(m.file(id)) // it may never have been started
	k.log.close()
	m.tell()
	return nil
}

// forget takes an agent out that does not run.
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

// record copies what is kept of an agent.
func (m *Machine) record(id topology.AgentID) (record, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k, err := m.get(id)
	if err != nil {
		return record{}, err
	}
	return k.record, nil
}

// rewrite puts what a person has set in the place of what was; m.edits is held.
func (m *Machine) rewrite(before, after record) error {
	m.set(after)
	err := m.write()
	if err != nil {
		m.set(before)
	}
	return err
}

// set takes over what a person sets. What an agent has used is counted meanwhile.
func (m *Machine) set(r record) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if k := m.all[r.ID]; k != nil {
		k.Autostart, k.Config, k.Kept = r.Autostart, r.Config, r.Kept
	}
}
