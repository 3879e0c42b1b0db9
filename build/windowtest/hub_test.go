//go:build window

package windowtest

import (
	"net/http"
	"slices"
	"testing"

	"agentflow/backend/base/hubclient"
	"agentflow/backend/team/topology"
)

// hub is the window's own hub, asked from outside: what the page claims is checked there.
type hub struct {
	t      *testing.T
	client *hubclient.Client
}

// hub asks the window for its hub the way the page does.
func (w *window) hub() hub {
	w.t.Helper()
	var endpoint struct{ URL, Token string }
	w.evalAsync(&endpoint, "return await window.go.main.App.Endpoint()")
	if endpoint.URL == "" || endpoint.Token == "" {
		w.t.Fatalf("the window's endpoint is %+v", endpoint)
	}
	client, err := hubclient.New(endpoint.URL, endpoint.Token)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(client.Close)
	return hub{w.t, client}
}

func (h hub) get(path string, into any) error {
	return h.client.Call(h.t.Context(), http.MethodGet, path, nil, into)
}

// allowed lists the agents to which an agent can delegate, in the built-in gateway's config.
func (h hub) allowed(id topology.AgentID) []topology.AgentID {
	h.t.Helper()
	var got struct {
		Config struct {
			Agents map[topology.AgentID]struct {
				Subagents struct {
					AllowAgents []topology.AgentID `json:"allowAgents"`
				} `json:"subagents"`
			} `json:"agents"`
		} `json:"config"`
	}
	if err := h.client.Call(h.t.Context(), http.MethodPost, "/api/gateway/config/get", struct{}{}, &got); err != nil {
		h.t.Fatal(err)
	}
	return got.Config.Agents[id].Subagents.AllowAgents
}

// team is what the hub keeps of one team, as far as the test looks.
type team struct {
	ID       string            `json:"id"`
	Gateway  string            `json:"gateway"`
	Unsent   int               `json:"unsent"`
	CanUndo  bool              `json:"canUndo"`
	Topology topology.Topology `json:"topology"`
}

func (h hub) team(id string) (team, error) {
	var d team
	err := h.get("/api/teams/"+id, &d)
	return d, err
}

// until waits for the team to be as wanted.
func (h hub) until(id, what string, wanted func(team) bool) team {
	h.t.Helper()
	var d team
	eventually(h.t, what, func() (bool, error) {
		var err error
		d, err = h.team(id)
		return err == nil && wanted(d), err
	})
	return d
}

func (d team) agent(id topology.AgentID) topology.Agent {
	for _, a := range d.Topology.Agents {
		if a.ID == id {
			return a
		}
	}
	return topology.Agent{}
}

func (d team) commands(from, to topology.AgentID) bool {
	return slices.ContainsFunc(d.agent(from).Connections, func(c topology.Connection) bool {
		return c.TargetID == to && c.Type == topology.Command
	})
}

// strangers finds two agents of which neither has a connection to the other.
func (d team) strangers() (topology.AgentID, topology.AgentID, bool) {
	linked := func(a, b topology.Agent) bool {
		return slices.ContainsFunc(a.Connections, func(c topology.Connection) bool { return c.TargetID == b.ID })
	}
	for i, a := range d.Topology.Agents {
		for _, b := range d.Topology.Agents[i+1:] {
			if !linked(a, b) && !linked(b, a) {
				return a.ID, b.ID, true
			}
		}
	}
	return "", "", false
}
