package httpapi

import (
	"context"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/config"
	"agentflow/backend/coordinator/board"
	"agentflow/backend/desk"
	"agentflow/backend/drawing"
	"agentflow/backend/errcode"
	"agentflow/backend/event"
	"agentflow/backend/gateway"
	"agentflow/backend/httpapi/localagents"
	"agentflow/backend/httpapi/talk"
	"agentflow/backend/inbox"
	"agentflow/backend/planner"
	"agentflow/backend/rollout"
	"agentflow/backend/room"
	"agentflow/backend/task"
	"agentflow/backend/topology"
)

// Fleet is the gateways that the hub knows.
type Fleet interface {
	Gateways() []Gateway
	Default() string
	Put(ctx context.Context, name string, edit GatewayEdit) (Gateway, error)
	Remove(ctx context.Context, name string) error
	Reconnect(name string) (Gateway, error)
	Test(ctx context.Context, edit GatewayEdit) (Gateway, error)
	RPC(name string) (RPC, error)
	Target(name string) (rollout.Target, error)
	Models(ctx context.Context) []Model
	Subscribe(buffer int) *event.Subscription[struct{}]
}

// RPC are a gateway's methods besides config.apply, which goes through Fleet.Target
// (GW-2, GW-4, GW-5). gateway.Client fulfils it.
type RPC interface {
	ConfigGet(ctx context.Context) (gateway.Config, error)
	talk.Sessions
}

// Gateway is one gateway and how its link stands.
type Gateway struct {
	Name             string         `json:"name"`
	URL              string         `json:"url"`
	Color            int            `json:"color"`
	Builtin          bool           `json:"builtin"`
	Default          bool           `json:"default"`
	HasToken         bool           `json:"hasToken"`
	TokenEnv         string         `json:"tokenEnv,omitempty"`
	State            string         `json:"state" enum:"connecting,connected,starting,down,unauthorized,pairing,no_scope,closed"`
	Dialect          string         `json:"dialect" enum:",jsonrpc,framed,local"`
	ServerVersion    string         `json:"serverVersion,omitempty"`
	LatencyMs        int64          `json:"latencyMs"`
	Insecure         bool           `json:"insecure"`                 // its token goes to another computer without TLS
	AllowsInsecure   bool           `json:"allowsInsecure,omitempty"` // the owner accepted that
	PairingRequestID string         `json:"pairingRequestId,omitempty"`
	NextRetryAt      time.Time      `json:"nextRetryAt,omitzero"`
	Error            *errcode.Error `json:"error,omitempty"`
	Drift            bool           `json:"drift"`                // its config has changed since the hub last read it
	RulesAt          time.Time      `json:"rulesAt,omitzero"`     // when it last told what it permits: findings from before are stale
	ConfigHash       string         `json:"configHash,omitempty"` // of its config, as last heard; a drawing whose base has another has drifted
}

// GatewayEdit is what a person sets about a gateway. A nil token leaves the one that is
// kept; an empty one forgets it. A nil Insecure stays as it is at the same address, and is
// false at another.
type GatewayEdit struct {
	Name    string  `json:"name" minLength:"1" maxLength:"100"`
	URL     string  `json:"url" maxLength:"2000"`
	Color   int     `json:"color,omitempty" minimum:"0" maximum:"12"`
	Token   *string `json:"token,omitempty" maxLength:"20000"`
	Default bool    `json:"default,omitempty"`
	// Insecure sends the token to another computer without TLS, where others can read it.
	Insecure *bool `json:"insecure,omitempty"`
}

// Model is a model that an agent can be given.
type Model struct {
	ID       string `json:"id"` // provider/model, as a config names it
	Provider string `json:"provider"`
	Name     string `json:"name,omitempty"`
	Gateway  string `json:"gateway,omitempty"` // where it can be used; "" everywhere
}

// About says what program this is and where it keeps things.
type About struct {
	Version  string  `json:"version"`
	Commit   string  `json:"commit,omitempty"`
	BuiltAt  string  `json:"builtAt,omitempty"`
	Go       string  `json:"go"`
	OS       string  `json:"os"`
	Arch     string  `json:"arch"`
	DataDir  string  `json:"dataDir"`
	Database string  `json:"database"`
	Settings string  `json:"settings"`
	Sandbox  Sandbox `json:"sandbox"`
}

// Sandbox says in what coding CLIs, test commands and shell commands run on this computer.
type Sandbox struct {
	Active bool          `json:"active"`
	Mode   string        `json:"mode" enum:"auto,required,off" doc:"as set in the settings file"`
	Name   string        `json:"name" doc:"landlock or sandbox-exec; empty where the system has none"`
	Gaps   []SandboxFact `json:"gaps" doc:"what it doesn't cover"`
	Why    *SandboxFact  `json:"problem,omitempty" doc:"why there is none"`
}

// SandboxFact is something about the sandbox, to be told in any language.
type SandboxFact struct {
	errcode.Cause
	Text string `json:"text" doc:"in English"`
}

// DrawingSummary is a drawing in a list.
type DrawingSummary struct {
	ID          drawing.ID        `json:"id"`
	Name        string            `json:"name"`
	Gateway     string            `json:"gateway"`
	Head        drawing.VersionID `json:"head"`
	UpdatedAt   time.Time         `json:"updatedAt"`
	Agents      int               `json:"agents"`
	Connections int               `json:"connections"`
	Changes     int               `json:"changes"` // not applied
	Errors      int               `json:"errors"`
	Warnings    int               `json:"warnings"`
}

// DrawingState is what the hub makes of a drawing.
type DrawingState struct {
	ID        drawing.ID         `json:"id"`
	Name      string             `json:"name"`
	Gateway   string             `json:"gateway"`
	Head      drawing.VersionID  `json:"head"`
	Revision  int64              `json:"revision"` // of the head: another one whenever an edit joins it
	UpdatedAt time.Time          `json:"updatedAt"`
	Changes   topology.ChangeSet `json:"changes"` // draft from base
	Unsent    int                `json:"unsent"`  // how many of them a gateway would get
	Problems  []topology.Problem `json:"problems"`
	CanUndo   bool               `json:"canUndo"`
	CanRedo   bool               `json:"canRedo"`
	UndoLabel string             `json:"undoLabel,omitempty"`
	RedoLabel string             `json:"redoLabel,omitempty"`
	// What undo would take back, or redo bring again, reached a gateway: a person may want
	// it undone or redone there as well.
	UndoApply  *AppliedStep        `json:"undoApply,omitempty"`
	RedoApply  *AppliedStep        `json:"redoApply,omitempty"`
	Collisions []drawing.Collision `json:"collisions,omitempty"` // what windows changed differently at once, of late
}

// AppliedStep is a step of a drawing that reached a gateway.
type AppliedStep struct {
	Gateway    string             `json:"gateway"`
	SnapshotID drawing.SnapshotID `json:"snapshotId"` // the gateway's config before it
}

// Drawing is a drawing, whole.
type Drawing struct {
	DrawingState
	Topology topology.Topology `json:"topology"`
	Base     *Base             `json:"base,omitempty"` // absent: never read from or applied to its gateway
}

// Base is the state in which drawing and gateway were last the same.
type Base struct {
	SnapshotID drawing.SnapshotID `json:"snapshotId"`
	Hash       string             `json:"hash"`
	ReadAt     time.Time          `json:"readAt"`
	Topology   topology.Topology  `json:"topology"`
}

// Version is one entry of a drawing's history.
type Version struct {
	ID       drawing.VersionID `json:"id"`
	ParentID drawing.VersionID `json:"parentId,omitempty"`
	At       time.Time         `json:"at"`
	Cause    drawing.Cause     `json:"cause" enum:"create,edit,import,apply,restore,layout,merge,discard,rollback"`
	Label    string            `json:"label"`
	Author   string            `json:"author"`
	Name     string            `json:"name,omitempty"`
	drawing.Counts
	Current    bool               `json:"current"`
	Gateway    string             `json:"gateway,omitempty"`
	SnapshotID drawing.SnapshotID `json:"snapshotId,omitempty"`
}

// Snapshot is a gateway's config that was kept.
type Snapshot struct {
	ID      drawing.SnapshotID `json:"id"`
	Gateway string             `json:"gateway"`
	Hash    string             `json:"hash"`
	At      time.Time          `json:"at"`
	Cause   string             `json:"cause"`
	Agents  int                `json:"agents"`
	Drawing drawing.ID         `json:"drawing,omitempty"`
}

// Notify tells a window what has changed; absent means unchanged. The first one is the
// whole picture (reset).
type Notify struct {
	Seq       int64             `json:"seq"`
	Reset     bool              `json:"reset,omitempty"`
	Drawings  []DrawingSummary  `json:"drawings,omitempty"` // those that changed; all of them on reset
	Gone      []drawing.ID      `json:"gone,omitempty"`
	Gateways  []Gateway         `json:"gateways,omitempty"` // all of them
	Applies   []rollout.Apply   `json:"applies,omitempty"`  // those that changed
	Settings  *config.UI        `json:"settings,omitempty"`
	Templates bool              `json:"templates,omitempty"` // the kept templates are not as they were
	Rooms     []room.Summary    `json:"rooms,omitempty"`     // those that changed; all of them on reset
	RoomsGone []string          `json:"roomsGone,omitempty"` // deleted ones
	Desk      *desk.News        `json:"desk,omitempty"`      // what was read, and said in sessions
	Work      *board.Work       `json:"work,omitempty"`      // what the agents are at
	Tasks     []task.Summary    `json:"tasks,omitempty"`     // those that changed
	TasksMany bool              `json:"tasksMany,omitempty"` // too many have changed to tell: the list is to be read again
	Inbox     *Inbox            `json:"inbox,omitempty"`     // all that waits for a person
	Plans     []planner.Summary `json:"plans,omitempty"`     // those that changed; all of them on reset
	PlansGone []planner.ID      `json:"plansGone,omitempty"` // deleted ones
	Given     int               `json:"given,omitempty"`     // files that the program was started with and that nobody has taken

	LocalAgents *localagents.List `json:"localAgents,omitempty"` // all that run on this computer, and what could
	Trust       bool              `json:"trust,omitempty"`       // what is asked of this computer or allowed is not as it was
}

// Inbox is what waits for a person, oldest first.
type Inbox struct {
	Waiting []inbox.Entry `json:"waiting"`
}

// registerTypes tells huma what its reflection cannot see.
func registerTypes(r huma.Registry) {
	anyObject := reflect.TypeFor[map[string]any]()
	r.RegisterTypeAlias(reflect.TypeFor[topology.Extra](), anyObject)
	_ = r.Schema(reflect.TypeFor[Notify](), true, "Notify")
}
