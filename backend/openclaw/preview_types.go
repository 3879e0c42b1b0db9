package openclaw

import "agentflow/backend/topology"

// Impact says what an apply makes of one change.
type Impact string

// The impacts.
const (
	ImpactHot     Impact = "hot"     // takes effect while the gateway runs
	ImpactRestart Impact = "restart" // the gateway restarts
	ImpactLocal   Impact = "local"   // never sent: it stays in the drawing
	ImpactDelete  Impact = "delete"  // by the gateway's own delete, before the apply
)

// PreviewInput is what a preview is made of. Draft has been merged with Snapshot if
// the gateway's config has moved since Base was read.
type PreviewInput struct {
	Snapshot     Snapshot
	BaseHash     string             // where Base was read; "" for a team that was never read. Another one than Snapshot's is stale
	Base         *topology.Topology // as last read, with what the gateway cannot hold; nil: what the snapshot holds
	Draft        *topology.Topology
	Capabilities Capabilities
}

// Preview says what an apply would do, before anything is sent.
type Preview struct {
	BaseHash     string          `json:"baseHash"`
	Changes      []PreviewChange `json:"changes"`
	Sends        bool            `json:"sends"`  // whether anything goes to the gateway at all
	Before       string          `json:"before"` // the config's text, secrets masked
	After        string          `json:"after"`  // the same, as it would be sent
	Language     string          `json:"language" enum:"yaml,json"`
	Restart      Restart         `json:"restart"`
	CommentsLost bool            `json:"commentsLost"`
	Deletions    []Deletion      `json:"deletions"`
	Losses       []Loss          `json:"losses"`
	Warnings     []Finding       `json:"warnings,omitempty"`
}

// PreviewChange is a change and what becomes of it.
type PreviewChange struct {
	topology.Change
	Impact  Impact   `json:"impact" enum:"hot,restart,local,delete"`
	Needs   []string `json:"needs,omitempty"`   // ids of changes that this one cannot be made without
	LeftOut bool     `json:"leftOut,omitempty"` // the person, or what it needs, keeps it out of this apply
}

// Restart says whether the gateway goes away for a while.
type Restart struct {
	Needed  bool   `json:"needed"`
	Reason  string `json:"reason,omitempty"`
	Seconds int    `json:"seconds,omitempty"` // expected
}

// Deletion is one agent that goes, with what goes with it.
type Deletion struct {
	Agent       topology.AgentID `json:"agent"`
	Name        string           `json:"name,omitempty"`
	ByGateway   bool             `json:"byGateway"` // by the gateway's own delete; needs PushInput.AllowDelete
	Possible    bool             `json:"possible"`
	Reason      string           `json:"reason,omitempty"` // why it is not possible
	Connections []DeletedLink    `json:"connections"`      // in and out
	Bindings    int              `json:"bindings"`         // channel bindings to it
	Workspace   string           `json:"workspace,omitempty"`
	Files       string           `json:"files" enum:"stay,trash"`
}

// DeletedLink is a connection that goes with an agent.
type DeletedLink struct {
	From topology.AgentID `json:"from"`
	To   topology.AgentID `json:"to"`
	Kind topology.Kind    `json:"kind"`
}
