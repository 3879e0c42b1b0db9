// Package consent keeps what the owner of this computer allowed agents of teams to do, and says
// who may be used. What is kept stays on this computer: no backup and no file carries it.
package consent

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"agentflow/backend/base/atomicfile"
	"agentflow/backend/base/errcode"
	"agentflow/backend/base/event"
	"agentflow/backend/team/topology"
	"agentflow/backend/team/trust"
)

// Bounds of what is kept.
const (
	maxEntries  = 20000
	maxPerAgent = 10 // earlier requests of one agent that stay allowed
)

// Entry is one request that the owner allowed.
type Entry struct {
	Team    string           `json:"team"`
	Agent   topology.AgentID `json:"agent"`
	Hash    string           `json:"hash"`
	At      time.Time        `json:"at"`
	Request trust.Request    `json:"request" doc:"Request as it was shown."`
	From    string           `json:"from,omitempty" doc:"For the applied team: the saved team that was allowed this. Absent: it came from no saved team."`
}

// Change reports a change in which agents may be used.
type Change struct {
	Team string
	Lost []topology.AgentID // can no longer be used as before: what rested on it ends
}

// Options of Open.
type Options struct {
	Path  string // of the file
	Rules func() trust.Rules
	// Has reports whether a variable that an agent asks for has a value on this computer; nil: nobody can say.
	Has func(agent topology.AgentID, variable string) bool
}

// Record is what was allowed. Its methods can be called from anywhere.
type Record struct {
	o       Options
	changes event.Topic[Change]

	mu      sync.Mutex
	entries []Entry
	hooks   []func(Change)
	known   map[string]map[topology.AgentID]string // by team: the hashes of what the team at work asks for
	seen    struct {                               // the team that was checked last
		team    string
		t       *topology.Topology
		secrets map[string][]topology.AgentID
		agents  map[topology.AgentID]checked
	}
}

// Open reads the record from its file, if it is there.
func Open(o Options) (*Record, error) {
	c := &Record{o: o, known: map[string]map[topology.AgentID]string{}}
	data, err := os.ReadFile(o.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &c.entries)
	}
	if err != nil {
		return nil, errcode.Wrap(errcode.Internal, err, "%s can't be read. It holds what agents are allowed to do. Move it away to continue; then everything is asked again.", o.Path)
	}
	return c, nil
}

// OnChange has a function called after each change. It must not block.
func (c *Record) OnChange(hook func(Change)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hooks = append(c.hooks, hook)
}

// Subscribe tells of each change.
func (c *Record) Subscribe(buffer int) *event.Subscription[Change] {
	return c.changes.Subscribe(buffer)
}

func (c *Record) tell(change Change) {
	c.mu.Lock()
	hooks := slices.Clone(c.hooks)
	c.mu.Unlock()
	for _, hook := range hooks {
		hook(change)
	}
	c.changes.Publish(change)
}

// Check says why an agent of a team can't be used as it stands there, or nil.
func (c *Record) Check(team string, t *topology.Topology, who *topology.Agent) error {
	if trust.Quiet(who) {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen.agents == nil || c.seen.team != team || c.seen.t != t {
		c.seen.team, c.seen.t, c.seen.agents = team, t, map[topology.AgentID]checked{}
		c.seen.secrets = trust.Secrets(t)
	}
	if known, is := c.seen.agents[who.ID]; is && trust.Same(&known.agent, who) {
		return known.err
	}
	var err error
	if a, asks := trust.One(who, c.o.Rules(), c.seen.secrets); asks {
		err = c.refusal(team, a)
	}
	c.seen.agents[who.ID] = checked{*who, err}
	return err
}

// checked is an agent as it was checked last.
type checked struct {
	agent topology.Agent
	err   error
}

// refusal says why an agent can't be used; c.mu is held.
func (c *Record) refusal(team string, a trust.Agent) error {
	if a.Err != nil {
		return a.Err
	}
	if c.allowed(team, a.ID, a.Request.Hash()) != nil {
		return nil
	}
	return errcode.New(errcode.Forbidden,
		"the agent %s waits for trust: nobody has allowed what it asks of this computer. Run agentflow trust list.", a.ID).
		With(errcode.KeyReason, trust.ReasonWaits).
		With(errcode.KeyCause, trust.ReasonWaits).
		With(trust.KeyAgent, string(a.ID))
}

// allowed finds the entry; c.mu is held.
func (c *Record) allowed(team string, id topology.AgentID, hash string) *Entry {
	for i := range c.entries {
		if e := &c.entries[i]; e.Agent == id && e.Team == team && e.Hash == hash {
			return e
		}
	}
	return nil
}

// Seen is an agent with the hash of what was shown of it.
type Seen struct {
	Agent topology.AgentID `json:"agent" maxLength:"200" doc:"ID of the agent, at most 200 characters."`
	Hash  string           `json:"hash" maxLength:"100" doc:"Hash of the request as it was shown, at most 100 characters."`
}

// Allow allows agents of one team what was shown. It allows all of them or none: if one asks for
// something else by now, the answer is a conflict. from is the saved team that the applied team came from, which is
// allowed the same, or "".
func (c *Record) Allow(team, from string, t *topology.Topology, list []Seen) error {
	asks := trust.Team(t, c.o.Rules())
	now := time.Now().UTC()
	var fresh []Entry
	for _, s := range list {
		i := slices.IndexFunc(asks, func(a trust.Agent) bool { return a.ID == s.Agent })
		switch {
		case i < 0:
			return moved(s.Agent)
		case asks[i].Err != nil:
			return asks[i].Err
		case asks[i].Request.Hash() != s.Hash:
			return moved(s.Agent)
		}
		e := Entry{Team: team, Agent: s.Agent, Hash: s.Hash, At: now, Request: asks[i].Request, From: from}
		if fresh = append(fresh, e); from != "" {
			e.Team, e.From = from, ""
			fresh = append(fresh, e)
		}
	}
	err := c.edit(func(all []Entry) []Entry {
		for _, e := range fresh {
			all = slices.DeleteFunc(all,
				func(o Entry) bool { return o.Team == e.Team && o.Agent == e.Agent && o.Hash == e.Hash })
			all = bounded(append(all, e), e)
		}
		return all
	})
	if err != nil {
		return err
	}
	c.tell(Change{Team: team})
	return nil
}

// bounded drops the oldest entries of the agent, and of all, that are too many.
func bounded(all []Entry, of Entry) []Entry {
	same := func(e Entry) bool { return e.Team == of.Team && e.Agent == of.Agent }
	n := 0
	for _, e := range all {
		if same(e) {
			n++
		}
	}
	for ; n > maxPerAgent; n-- {
		i := slices.IndexFunc(all, same)
		all = slices.Delete(all, i, i+1)
	}
	if len(all) > maxEntries {
		all = all[len(all)-maxEntries:]
	}
	return all
}

func moved(id topology.AgentID) error {
	return errcode.New(errcode.Conflict,
		"the agent %s now asks for something else. Nothing was allowed. Check it again.", id).
		With(errcode.KeyReason, trust.ReasonMoved).
		With(trust.KeyAgent, string(id))
}

// Revoke takes back what was allowed to agents of a team; without agents, to all of it.
func (c *Record) Revoke(team string, agents []topology.AgentID) error {
	var lost []topology.AgentID
	err := c.edit(func(all []Entry) []Entry {
		return slices.DeleteFunc(all, func(e Entry) bool {
			gone := e.Team == team && (len(agents) == 0 || slices.Contains(agents, e.Agent))
			if gone && !slices.Contains(lost, e.Agent) {
				lost = append(lost, e.Agent)
			}
			return gone
		})
	})
	if err != nil || len(lost) == 0 {
		return err
	}
	c.tell(Change{Team: team, Lost: lost})
	return nil
}

// Count returns how many agents' requests the owner allows now.
func (c *Record) Count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.entries)
}

// Clear takes everything back, as a restored backup needs it.
func (c *Record) Clear() error {
	lost := map[string][]topology.AgentID{}
	err := c.edit(func(all []Entry) []Entry {
		for _, e := range all {
			lost[e.Team] = append(lost[e.Team], e.Agent)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for team, agents := range lost {
		c.tell(Change{team, agents})
	}
	return nil
}

// Applied tells who lost their leave because another team is at work, or the same with another
// request, and that something else is asked for. It is to be called once for every team that is
// applied.
func (c *Record) Applied(team string, t *topology.Topology) {
	now := map[topology.AgentID]string{}
	for _, a := range trust.Team(t, c.o.Rules()) {
		if a.Err == nil {
			now[a.ID] = a.Request.Hash()
		}
	}
	c.mu.Lock()
	before := c.known[team]
	var lost []topology.AgentID
	for id, hash := range before {
		if now[id] != hash && c.allowed(team, id, hash) != nil {
			lost = append(lost, id)
		}
	}
	c.known[team] = now
	c.mu.Unlock()
	if !maps.Equal(before, now) {
		slices.Sort(lost)
		c.tell(Change{team, lost})
	}
}

// edit changes the entries once the file holds them.
func (c *Record) edit(change func([]Entry) []Entry) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	next := change(slices.Clone(c.entries))
	data, err := json.MarshalIndent(next, "", " ")
	if err == nil {
		err = atomicfile.Write(c.o.Path, data, 0o600)
	}
	if err != nil {
		return atomicfile.Full(errcode.Wrap(errcode.Unavailable, err, "%s can't be written, so nothing was changed. %s",
			c.o.Path, atomicfile.Remedy(err)))
	}
	c.entries, c.seen.agents = next, nil
	return nil
}
