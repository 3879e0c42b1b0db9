package localagent

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"

	"agentflow/backend/base/atomicfile"
	"agentflow/backend/base/errcode"
	"agentflow/backend/team/topology"
)

// record is what is saved about an agent.
type record struct {
	ID        topology.AgentID `json:"id"`
	Source    Source           `json:"source"`
	Config    string           `json:"config,omitempty"` // of an agent from a file
	Autostart bool             `json:"autostart,omitempty"`
	Kept      []string         `json:"kept,omitempty"` // variables that were saved in the keyring
	Use       Use              `json:"use"`
}

func readRecords(path string) ([]record, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out []record
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil {
		return nil, errcode.Wrap(errcode.Internal, err,
			"%s cannot be read: it holds which agents run on this computer; put it aside to go on without", path)
	}
	return out, nil
}

// write saves all current records. The caller must not hold m.mu.
func (m *Machine) write() error {
	m.writing.Lock()
	defer m.writing.Unlock()
	m.mu.Lock()
	list := m.records()
	m.mu.Unlock()
	data, err := json.MarshalIndent(list, "", "  ")
	if err == nil {
		err = atomicfile.Write(m.o.Path, data, 0o600)
	}
	if err != nil {
		return atomicfile.Full(errcode.Wrap(errcode.Unavailable, err,
			"%s cannot be written, so the change is not kept. %s", m.o.Path, atomicfile.Remedy(err)))
	}
	return nil
}

// records returns the records of all agents, sorted by ID. The caller holds m.mu.
func (m *Machine) records() []record {
	list := make([]record, 0, len(m.all))
	for _, id := range slices.Sorted(maps.Keys(m.all)) {
		list = append(list, m.all[id].record)
	}
	return list
}
