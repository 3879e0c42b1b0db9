package rollout

import (
	"context"
	"slices"
	"time"

	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/team/topology"
)

// lookParts is in how many looks every agent of a gateway has its turn.
const lookParts = 10

// lookAtFiles is what the machine knows of a gateway's files from the looks at them.
type lookAtFiles struct {
	next   topology.AgentID // whose turn is next, or the one after it
	listed map[topology.AgentID]map[string]listed
}

// listed is what a list says of a file. A file whose list says the same isn't read again.
type listed struct {
	missing bool
	size    int64
	at      time.Time
}

// fileLister is a gateway that lists the files of an agent without their texts. All files of other gateways are read,
// which are on this computer.
type fileLister interface {
	// ListFiles lists the files that a team can have, those that aren't there among them.
	ListFiles(ctx context.Context, agent topology.AgentID) ([]openclaw.ListedFile, error)
}

// LookAtFiles looks at the files of a tenth of a gateway's agents, in turn, and keeps those that changed. It is called
// every minute, so a change is found within ten minutes if nobody opens the file before. For each agent it takes one
// list, and reads only the files that the list has otherwise than before. What can't be read waits for the next turn.
// While an apply runs it does nothing: the apply keeps what it makes. Implicit are the agents of a gateway whose config
// names none.
func LookAtFiles(ctx context.Context, m *Machine, gateway string, implicit ...topology.AgentID) error {
	if m.files.history == nil || m.isRunning(gateway) {
		return nil
	}
	target, err := m.gateways.Target(gateway)
	if err != nil || !target.Gateway.Capabilities().Files {
		return err
	}
	agents, err := m.agentsKept(ctx, gateway)
	if err != nil {
		return err
	}
	if len(agents) == 0 {
		agents = implicit
	}
	for _, id := range m.files.turn(gateway, agents) {
		if m.isRunning(gateway) {
			break
		}
		if err := m.lookAt(ctx, target, id); err != nil {
			return err
		}
	}
	return nil
}

// agentsKept returns the agents of the config that was kept last. Reading the config from the gateway would take more.
func (m *Machine) agentsKept(ctx context.Context, gateway string) ([]topology.AgentID, error) {
	newest, err := m.library.Snapshots(ctx, gateway, 1)
	if err != nil || len(newest) == 0 {
		return nil, err
	}
	_, config, err := m.keptConfig(ctx, gateway, newest[0].ID)
	if err != nil {
		return nil, err
	}
	var out []topology.AgentID
	if reading, broken := config.Reading(); broken == nil { // a broken config has no agents, and raises its alarm
		for _, a := range reading.Topology.Agents {
			out = append(out, a.ID)
		}
	}
	slices.Sort(out)
	return out, nil
}

// turn returns the agents whose turn it is.
func (k *fileHistory) turn(gateway string, agents []topology.AgentID) []topology.AgentID {
	k.mu.Lock()
	defer k.mu.Unlock()
	look := k.looks[gateway]
	if look == nil {
		look = &lookAtFiles{listed: map[topology.AgentID]map[string]listed{}}
		k.looks[gateway] = look
	}
	for id := range look.listed {
		if !slices.Contains(agents, id) {
			delete(look.listed, id)
		}
	}
	from, _ := slices.BinarySearch(agents, look.next)
	agents = append(slices.Clone(agents[from:]), agents[:from]...)
	n := (len(agents) + lookParts - 1) / lookParts
	if n < len(agents) {
		look.next = agents[n]
	}
	return agents[:n]
}

// lookAt looks at the files of one agent.
func (m *Machine) lookAt(ctx context.Context, target Target, agent topology.AgentID) error {
	mark, before := m.files.lookedBefore(target.Name, agent)
	now, err := listFiles(ctx, target.Gateway, agent)
	if err != nil {
		return nil // the agent can be gone, or the gateway: the next turn makes up for it
	}
	var files []seenFile
	for _, name := range topology.FileNames() {
		is, lists := now[name]
		if was, known := before[name]; now != nil && (!lists || known && was == is) {
			continue
		}
		f := openclaw.File{Missing: is.missing}
		if !is.missing {
			if f, err = target.Gateway.ReadFile(ctx, agent, name); err != nil {
				return nil // as above
			}
		}
		files = append(files, seenFile{agent, name, f})
	}
	done, err := m.see(ctx, target.Name, mark, files)
	if done && now != nil {
		m.files.mu.Lock()
		defer m.files.mu.Unlock()
		m.files.looks[target.Name].listed[agent] = now
	}
	return err
}

func (k *fileHistory) lookedBefore(gateway string, agent topology.AgentID) (mark int, files map[string]listed) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.kept[gateway], k.looks[gateway].listed[agent]
}

// listFiles lists the files of an agent that the gateway serves. It is nil where the gateway doesn't list files.
func listFiles(ctx context.Context, gw openclaw.Gateway, agent topology.AgentID) (map[string]listed, error) {
	lister, lists := gw.(fileLister)
	if !lists {
		return nil, nil
	}
	files, err := lister.ListFiles(ctx, agent)
	out := map[string]listed{}
	for _, f := range files {
		out[f.Name] = listed{f.Missing, f.Size, f.UpdatedAt}
	}
	return out, err
}
