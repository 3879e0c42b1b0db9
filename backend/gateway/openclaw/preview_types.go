package openclaw

import "agentflow/backend/team/topology"

// Impact says what an apply makes of one change.
type Impact string

// The impacts.
const (
	ImpactHot     Impact = "hot"     // takes effect while the gateway runs
	ImpactRestart Impact = "restart" // the gateway restarts
	ImpactLocal   Impact = "local"   // never sent: it stays in the team
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
	Files        Files // as the gateway has them now: those that Base or Draft names
}

// Preview says what an apply would do, before anything is sent.
type Preview struct {
	BaseHash     string          `json:"baseHash" doc:"Hash of the gateway's current config. Send it as hash of the apply."`
	Changes      []PreviewChange `json:"changes"`
	Files        []PreviewFile   `json:"files" doc:"Workspace files that an apply would write. Their text is in changes."`
	Sends        bool            `json:"sends" doc:"An apply would send something to the gateway."`
	Before       string          `json:"before" doc:"Current config, without secrets."`
	After        string          `json:"after" doc:"Config after an apply, without secrets."`
	Language     string          `json:"language" enum:"yaml,json"`
	ReadOnly     ReadOnly        `json:"readOnly,omitempty" enum:"managed,unwritable" doc:"Why it can't be applied."`
	Restart      Restart         `json:"restart" doc:"Whether the gateway must restart."`
	CommentsLost bool            `json:"commentsLost" doc:"Comments in the config would be lost."`
	Deletions    []Deletion      `json:"deletions" doc:"Agents that an apply would delete. This needs deleteAgents."`
	RestoredJobs []string        `json:"restoredJobs,omitempty" doc:"Scheduled jobs that a rollback adds again."`
	Losses       []Loss          `json:"losses" doc:"What stays in AgentFlow because the gateway has no place for it."`
	Warnings     []Finding       `json:"warnings,omitempty" doc:"Parts of the config that AgentFlow doesn't understand. They are kept."`
}

// PreviewChange is a change and its effect.
type PreviewChange struct {
	topology.Change
	Impact  Impact   `json:"impact" enum:"hot,restart,local,delete" doc:"Effect on the gateway: none (local), at once (hot), a restart or a deletion."`
	Needs   []string `json:"needs,omitempty" doc:"IDs of changes that this one needs."`
	File    string   `json:"file,omitempty" doc:"Workspace file that is sent and tells the agent this. The config can't store it."`
	LeftOut bool     `json:"leftOut,omitempty" doc:"The change isn't part of this apply."`
}

// Restart says whether the gateway goes away for a while.
type Restart struct {
	Needed  bool   `json:"needed" doc:"The gateway must restart."`
	Reason  string `json:"reason,omitempty"`
	Seconds int    `json:"seconds,omitempty" doc:"Expected duration in seconds."`

	Recreated []topology.AgentID `json:"recreated,omitempty" doc:"New agents with a deleted agent's ID."`
}

// Deletion is one agent that goes, with what goes with it.
type Deletion struct {
	Agent       topology.AgentID `json:"agent"`
	Name        string           `json:"name,omitempty"`
	ByGateway   bool             `json:"byGateway" doc:"The gateway itself deletes the agent. This needs deleteAgents."`
	Possible    bool             `json:"possible" doc:"The agent can be deleted."`
	Reason      string           `json:"reason,omitempty" doc:"Why it can't be deleted."`
	Cause       string           `json:"cause,omitempty" enum:"default_agent,not_offered" doc:"Code of the reason."`
	Connections []DeletedLink    `json:"connections" doc:"Connections that are deleted with it."`
	Bindings    int              `json:"bindings" doc:"Number of channel bindings to it."`
	Broadcast   int              `json:"broadcast,omitempty" doc:"Number of broadcast groups that it leaves."`
	Jobs        []string         `json:"jobs,omitempty" doc:"Scheduled jobs that the gateway deletes with it."`
	JobsUnread  bool             `json:"jobsUnread,omitempty" doc:"Its jobs couldn't be listed."`
	Workspace   string           `json:"workspace,omitempty" doc:"Folder of its files."`
	Files       string           `json:"files" enum:"stay" doc:"What happens to its files: they stay on the gateway."`
}

// DeletedLink is a connection that goes with an agent.
type DeletedLink struct {
	From topology.AgentID `json:"from"`
	To   topology.AgentID `json:"to"`
	Kind topology.Kind    `json:"kind"`
}
