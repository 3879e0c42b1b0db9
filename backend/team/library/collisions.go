package library

import (
	"slices"
	"sync"
	"time"

	"agentflow/backend/team/topology"
)

// Collision is one thing that two windows changed differently at once: Mine of the later
// save stands, Theirs was saved before it.
type Collision struct {
	Version VersionID `json:"version" doc:"Version that holds your side."`
	At      time.Time `json:"at"`
	topology.Conflict
}

const (
	collisionsKept = 20
	collisionsFor  = 10 * time.Minute
)

// collisions remembers the last ones of each team.
type collisions struct {
	mu   sync.Mutex
	last map[ID][]Collision
}

// met takes in what the save of a version ran into, and returns what there is of late.
func (c *collisions) met(v Version, found []topology.Conflict) []Collision {
	if len(found) > 0 {
		c.mu.Lock()
		if c.last == nil {
			c.last = map[ID][]Collision{}
		}
		list := c.last[v.Team]
		for _, x := range found {
			list = append(list, Collision{Version: v.ID, At: v.At, Conflict: x})
		}
		c.last[v.Team] = list[max(0, len(list)-collisionsKept):]
		c.mu.Unlock()
	}
	return c.of(v.Team)
}

func (c *collisions) of(id ID) []Collision {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := slices.DeleteFunc(slices.Clone(c.last[id]),
		func(x Collision) bool { return time.Since(x.At) > collisionsFor })
	if len(list) == 0 {
		delete(c.last, id)
	}
	return list
}
