package httpapi

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/base/config"
	"agentflow/backend/base/errcode"
	"agentflow/backend/base/event"
	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/gateway/rollout"
	"agentflow/backend/plan/planner"
	"agentflow/backend/server/httpapi/cronapi"
	"agentflow/backend/server/httpapi/internal/agentsapi"
	"agentflow/backend/server/httpapi/sessionsapi"
	"agentflow/backend/talk/readstate"
	"agentflow/backend/talk/room"
	"agentflow/backend/team/gatewayguard"
	"agentflow/backend/team/gatewayschema"
	"agentflow/backend/team/library"
	"agentflow/backend/team/topology"
	"agentflow/backend/work/coordinator/activity"
	"agentflow/backend/work/inbox"
	"agentflow/backend/work/task"
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
	AgentSettings(ctx context.Context, name string) (AgentSettings, error)
	AgentTools(ctx context.Context, name string, agent topology.AgentID) (client.AgentTools, error)
	Subscribe(buffer int) *event.Subscription[struct{}]
}

// RPC are a gateway's methods besides config.apply, which goes through Fleet.Target
// (GW-2, GW-4, GW-5).
type RPC interface {
	ConfigGet(ctx context.Context) (client.Config, error)
	Cron() (cronapi.Jobs, error)
	sessionsapi.Sessions
}

// Gateway is one gateway and how its link stands.
type Gateway struct {
	Name             string         `json:"name"`
	URL              string         `json:"url"`
	Color            int            `json:"color" doc:"Color, 1 to 12. 0 is neutral."`
	Builtin          bool           `json:"builtin" doc:"This is the built-in gateway."`
	Default          bool           `json:"default"`
	HasToken         bool           `json:"hasToken" doc:"A token is stored."`
	TokenEnv         string         `json:"tokenEnv,omitempty" doc:"Environment variable that holds the token."`
	State            string         `json:"state" enum:"connecting,connected,starting,down,unauthorized,pairing,no_scope,closed" doc:"State of the connection. pairing: the gateway waits for an approval. no_scope: the token lacks rights."`
	Dialect          string         `json:"dialect" enum:",jsonrpc,framed,local" doc:"Protocol of the gateway. Empty: unknown."`
	ServerVersion    string         `json:"serverVersion,omitempty"`
	OptInMessages    bool           `json:"optInMessages,omitempty" doc:"Agents can message each other only if the config allows it, as in releases before 2026.8."`
	ListsRuns        bool           `json:"listsRuns,omitempty" doc:"The list of sessions tells which have an active run, as in releases since 2026.8."`
	LatencyMs        int64          `json:"latencyMs" doc:"Round-trip time in milliseconds."`
	Insecure         bool           `json:"insecure" doc:"The token is sent to another computer without TLS."`
	AllowsInsecure   bool           `json:"allowsInsecure,omitempty" doc:"The owner accepted that."`
	Fingerprint      string         `json:"fingerprint,omitempty" doc:"Fingerprint of the one certificate that is trusted at this URL: sha256: and 64 hexadecimal digits. Absent: the certificates that the hub's computer trusts."`
	PairingRequestID string         `json:"pairingRequestId,omitempty" doc:"ID of the pairing request to approve on the gateway."`
	NextRetryAt      time.Time      `json:"nextRetryAt,omitzero" doc:"Time of the next connection attempt."`
	Error            *errcode.Error `json:"error,omitempty" doc:"Why there is no connection."`
	Drift            bool           `json:"drift" doc:"The config changed since the hub last read it."`
	RulesAt          time.Time      `json:"rulesAt,omitzero" doc:"Time when the gateway last said what it permits. For the built-in gateway: when the providers changed."`
	ConfigHash       string         `json:"configHash,omitempty" doc:"Hash of the current config. A team whose base has another hash has drifted."`
	KeptHash         string         `json:"keptHash,omitempty" doc:"Hash of the config that was kept last."`
	KeptFile         library.FileID `json:"keptFile,omitempty" doc:"ID of the workspace file that was kept last, since the hub started. Another one means that the list of file snapshots changed."`
	AsksDenied       bool           `json:"asksDenied,omitempty" doc:"The token may not see what the gateway asks a person, so that this doesn't appear in the inbox."`
	Alarm            *GatewayAlarm  `json:"alarm,omitempty" doc:"What the config lost, if somebody else removed most of something. It stands until the config has it again or a person dismisses it."`

	ReadOnly openclaw.ReadOnly `json:"readOnly,omitempty" enum:"managed,unwritable" doc:"Why the config is read-only."`

	SessionActs []client.SessionAct `json:"sessionActs,omitempty" enum:"stop,reset,compact,fork" doc:"What the gateway offers to do with a session."`
	Cron        *GatewayCron        `json:"cron,omitempty" doc:"Its cron jobs. Absent: the gateway has none to offer, or isn't connected."`
}

// GatewayCron says what is known of a gateway's cron jobs.
type GatewayCron struct {
	Acts   []client.CronAct `json:"acts" enum:"list,add,update,remove,run,runs" doc:"What the gateway offers to do with cron jobs."`
	Agents []string         `json:"agents" doc:"IDs of the agents with enabled jobs, without jobs that the gateway added itself."`
	Off    bool             `json:"off,omitempty" doc:"The gateway's scheduler is switched off: no job runs at its time, although each has a next time."`
	ReadAt time.Time        `json:"readAt,omitzero" doc:"When the hub read the jobs last, after the gateway said that one changed."`
}

// GatewayAlarm says what the config of a gateway lost.
type GatewayAlarm struct {
	SnapshotID library.SnapshotID  `json:"snapshotId" doc:"Snapshot of the config with the losses."`
	Before     Snapshot            `json:"before" doc:"Last config before the losses. A rollback can restore it."`
	At         time.Time           `json:"at" doc:"Time when the losses were found."`
	Losses     []gatewayguard.Lost `json:"losses" doc:"What was lost."`
}

// GatewayEdit is what a person sets about a gateway. A nil token leaves the one that is
// kept; an empty one forgets it. A nil Insecure or Fingerprint stays as it is at the same
// address, and is false or none at another.
type GatewayEdit struct {
	Name    string  `json:"name" minLength:"1" maxLength:"100" doc:"Name of the gateway, 1 to 100 characters."`
	URL     string  `json:"url" maxLength:"2000" doc:"WebSocket URL of the gateway, at most 2000 characters."`
	Color   int     `json:"color,omitempty" minimum:"0" maximum:"12" doc:"Color, 1 to 12. Default: 0, neutral."`
	Token   *string `json:"token,omitempty" maxLength:"20000" doc:"Token, at most 20000 characters. An empty one deletes the stored token. Default: unchanged."`
	Default bool    `json:"default,omitempty" doc:"Make it the default gateway. Default: false."`
	// Insecure sends the token to another computer without TLS, where others can read it.
	Insecure *bool `json:"insecure,omitempty" doc:"Send the token to another computer without TLS, where others can read it. Default: unchanged for the same URL, otherwise false."`
	// Fingerprint belongs to the URL, as the token does.
	Fingerprint *string `json:"fingerprint,omitempty" maxLength:"200" doc:"Fingerprint of the one certificate to trust at this URL: sha256: and 64 hexadecimal digits, at most 200 characters. An empty one trusts what the hub's computer trusts. Default: unchanged for the same URL, otherwise none."`
}

// States of AgentSettings.
const (
	SettingsCurrent = "current"
	SettingsKept    = "kept"
	SettingsNone    = "none"
)

// AgentSettings are the settings that a gateway offers for one agent.
type AgentSettings struct {
	State     string                  `json:"state" enum:"current,kept,none" doc:"current: as the gateway says in this connection. kept: as it said before, because it can't be asked now. none: nothing is known, or the gateway offers no schema."`
	Version   string                  `json:"version,omitempty" doc:"Version of the gateway that the settings are from."`
	At        time.Time               `json:"at,omitzero" doc:"Time when the gateway was asked."`
	Settings  []gatewayschema.Setting `json:"settings" doc:"Settings in the order of the gateway's schema."`
	Everyone  []gatewayschema.Setting `json:"everyone,omitempty" doc:"Settings of agents.defaults, which every agent inherits. Absent: the gateway doesn't describe them."`
	Truncated bool                    `json:"truncated,omitempty" doc:"The schema has more settings than are listed."`
	Defaults  json.RawMessage         `json:"defaults,omitempty" doc:"Values that each agent inherits, from agents.defaults of the gateway's config. Secrets are replaced."`
	Error     *errcode.Error          `json:"error,omitempty" doc:"Why the gateway can't be asked now."`
}

// Model is a model that an agent can be given.
type Model struct {
	ID       string `json:"id" doc:"Model as provider/model."`
	Provider string `json:"provider"`
	Name     string `json:"name,omitempty"`
	Gateway  string `json:"gateway,omitempty" doc:"Gateway that offers the model. Empty: all."`
}

// About says what program this is and where it keeps things. The place of secrets is read at each request.
type About struct {
	Version   string              `json:"version" doc:"Version of AgentFlow."`
	Commit    string              `json:"commit,omitempty" doc:"Commit that it was built from."`
	BuiltAt   string              `json:"builtAt,omitempty" doc:"Time of the build."`
	Go        string              `json:"go" doc:"Version of Go that it was built with."`
	OS        string              `json:"os"`
	Arch      string              `json:"arch"`
	DataDir   string              `json:"dataDir" doc:"Data folder."`
	Database  string              `json:"database" doc:"Database: a file, or a PostgreSQL server without its password."`
	Settings  string              `json:"settings" doc:"Path of the settings file."`
	SecretsIn config.SecretsPlace `json:"secretsIn" enum:"file,keyring,none" doc:"Where tokens and API keys are saved. none: no secrets are saved yet."`
	Secrets   string              `json:"secrets,omitempty" doc:"Path of the file with tokens and API keys. Absent unless secretsIn is file."`
	Sandbox   Sandbox             `json:"sandbox" doc:"Sandbox for coding CLIs, test commands and shell commands."`
}

// Sandbox says in what coding CLIs, test commands and shell commands run on this computer.
type Sandbox struct {
	Active bool          `json:"active" doc:"Commands run in the sandbox."`
	Mode   string        `json:"mode" enum:"auto,required,off" doc:"Mode in the settings file."`
	Name   string        `json:"name" doc:"Sandbox of the system, such as landlock or sandbox-exec. Empty: none."`
	Gaps   []SandboxFact `json:"gaps" doc:"What the sandbox doesn't cover."`
	Why    *SandboxFact  `json:"problem,omitempty" doc:"Why there is no sandbox."`
}

// SandboxFact is something about the sandbox, to be told in any language.
type SandboxFact struct {
	errcode.Cause
	Text string `json:"text" doc:"Text in English."`
}

// TeamSummary is a team in a list.
type TeamSummary struct {
	ID          library.ID        `json:"id"`
	Name        string            `json:"name"`
	Gateway     string            `json:"gateway"`
	Head        library.VersionID `json:"head" doc:"ID of the newest version."`
	UpdatedAt   time.Time         `json:"updatedAt"`
	Agents      int               `json:"agents"`
	Connections int               `json:"connections"`
	Models      []string          `json:"models" doc:"Models that its agents name, also as fallbacks, in alphabetical order."`
	Changes     int               `json:"changes" doc:"Number of changes that aren't applied."`
	Errors      int               `json:"errors" doc:"Number of errors."`
	Warnings    int               `json:"warnings" doc:"Number of warnings."`
	AppliedAt   time.Time         `json:"appliedAt,omitzero" doc:"Time of the team's last apply to its gateway. The gateway runs the team that was applied last. Missing if it was never applied, or if its first apply is undone."`
}

// TeamState is what the hub makes of a team.
type TeamState struct {
	ID        library.ID         `json:"id"`
	Name      string             `json:"name"`
	Gateway   string             `json:"gateway"`
	Head      library.VersionID  `json:"head" doc:"ID of the newest version."`
	Revision  int64              `json:"revision" doc:"Revision of the newest version. It rises when an edit joins it."`
	UpdatedAt time.Time          `json:"updatedAt"`
	Changes   topology.ChangeSet `json:"changes" doc:"Changes that aren't applied."`
	Unsent    int                `json:"unsent" doc:"Number of changes that an apply would send."`
	Staying   []int              `json:"staying,omitempty" doc:"Positions of changes that an apply would not send."`
	Problems  []topology.Problem `json:"problems" doc:"What the linter reports."`
	CanUndo   bool               `json:"canUndo"`
	CanRedo   bool               `json:"canRedo"`
	UndoLabel string             `json:"undoLabel,omitempty" doc:"Name of the edit that undo reverts."`
	RedoLabel string             `json:"redoLabel,omitempty" doc:"Name of the edit that redo repeats."`
	// The edit that undo reverts, or redo repeats, reached a gateway: a person may want
	// it undone or redone there as well.
	UndoApply  *AppliedStep        `json:"undoApply,omitempty" doc:"The edit that undo reverts was applied to this gateway."`
	RedoApply  *AppliedStep        `json:"redoApply,omitempty" doc:"The edit that redo repeats was applied to this gateway."`
	Collisions []library.Collision `json:"collisions,omitempty" doc:"Recent edits from two windows that changed the same."`
}

// AppliedStep is a step of a team that reached a gateway.
type AppliedStep struct {
	Gateway    string             `json:"gateway"`
	SnapshotID library.SnapshotID `json:"snapshotId" doc:"Snapshot of the gateway's config before the apply."`
}

// Team is a saved team with its topology, its changes and its problems.
type Team struct {
	TeamState
	Topology topology.Topology  `json:"topology"`
	Base     *Base              `json:"base,omitempty" doc:"Config of the gateway that the draft is based on. Absent if it was never read."`
	Taken    []topology.AgentID `json:"takenIds,omitempty" doc:"IDs of the agents that the target gateway is known to have, or to have had. New agents need others."`
}

// Base is the state in which team and gateway were last the same.
type Base struct {
	SnapshotID library.SnapshotID `json:"snapshotId" doc:"Snapshot with the config."`
	Hash       string             `json:"hash" doc:"Hash of the gateway's config."`
	ReadAt     time.Time          `json:"readAt" doc:"Time when the config was read."`
	Topology   topology.Topology  `json:"topology" doc:"Team that the config describes."`
}

// Version is one entry of a team's history.
type Version struct {
	ID       library.VersionID `json:"id"`
	ParentID library.VersionID `json:"parentId,omitempty" doc:"ID of the version before."`
	At       time.Time         `json:"at"`
	Cause    library.Cause     `json:"cause" enum:"create,edit,import,apply,restore,layout,merge,discard,rollback" doc:"What created the version."`
	Label    string            `json:"label" doc:"Name of the edit."`
	Author   string            `json:"author" doc:"Who created it."`
	Name     string            `json:"name,omitempty"`
	library.Counts
	Current    bool               `json:"current" doc:"This is the newest version."`
	Gateway    string             `json:"gateway,omitempty" doc:"Gateway that it was imported from or applied to."`
	SnapshotID library.SnapshotID `json:"snapshotId,omitempty" doc:"Snapshot of the gateway's config before the apply."`
}

// Snapshot is a gateway's config that was kept.
type Snapshot struct {
	ID      library.SnapshotID `json:"id"`
	Gateway string             `json:"gateway"`
	Hash    string             `json:"hash" doc:"Hash of the config."`
	At      time.Time          `json:"at"`
	Cause   string             `json:"cause" doc:"Why it was saved."`
	Agents  int                `json:"agents" doc:"Number of agents."`
	Team    library.ID         `json:"team,omitempty" doc:"ID of the team that was applied."`

	Losses []gatewayguard.Lost `json:"losses,omitempty" doc:"What the config lost against the one before it."`
}

// Notify tells a window what has changed; absent means unchanged. The first one is the
// whole picture (reset).
type Notify struct {
	Seq       int64             `json:"seq"`
	Reset     bool              `json:"reset,omitempty" doc:"The lists hold everything, not only changes."`
	Teams     []TeamSummary     `json:"teams,omitempty" doc:"Teams that changed. All of them on reset."`
	Gone      []library.ID      `json:"gone,omitempty" doc:"IDs of deleted teams."`
	Gateways  []Gateway         `json:"gateways,omitempty" doc:"All gateways."`
	Applies   []rollout.Apply   `json:"applies,omitempty" doc:"Applies that changed."`
	Settings  *config.UI        `json:"settings,omitempty"`
	Templates bool              `json:"templates,omitempty" doc:"Templates changed. Read the list again."`
	Rooms     []room.Summary    `json:"rooms,omitempty" doc:"Rooms that changed. All of them on reset."`
	RoomsGone []string          `json:"roomsGone,omitempty" doc:"Names of deleted rooms."`
	Desk      *readstate.News   `json:"desk,omitempty" doc:"Read positions, and sessions with new messages."`
	Work      *activity.Work    `json:"work,omitempty" doc:"What the agents do."`
	Tasks     []task.Summary    `json:"tasks,omitempty" doc:"Tasks that changed."`
	TasksMany bool              `json:"tasksMany,omitempty" doc:"Too many tasks changed. Read the list again."`
	Inbox     *Inbox            `json:"inbox,omitempty" doc:"Everything that waits for a person."`
	Plans     []planner.Summary `json:"plans,omitempty" doc:"Plans that changed. All of them on reset."`
	PlansGone []planner.ID      `json:"plansGone,omitempty" doc:"IDs of deleted plans."`
	Given     int               `json:"given,omitempty" doc:"Number of files that AgentFlow was started with and that no page has taken."`

	LocalAgents *agentsapi.List `json:"localAgents,omitempty" doc:"All local processes."`
	Trust       bool            `json:"trust,omitempty" doc:"Permissions changed. Read them again."`
}

// Inbox is what waits for a person, oldest first.
type Inbox struct {
	Waiting []inbox.Entry `json:"waiting"`
}

// registerTypes tells huma what its reflection cannot see.
func registerTypes(r huma.Registry) {
	anyObject := reflect.TypeFor[map[string]any]()
	r.RegisterTypeAlias(reflect.TypeFor[topology.Extra](), anyObject)
	r.RegisterTypeAlias(reflect.TypeFor[topology.Kind](), reflect.TypeFor[connectionKind]())
	r.RegisterTypeAlias(reflect.TypeFor[task.Type](), reflect.TypeFor[taskType]())
	_ = r.Schema(reflect.TypeFor[Notify](), true, "Notify")
}

// taskType describes task.Type: its values are the rows of task.Types.
type taskType string

// Schema implements huma.SchemaProvider.
func (taskType) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, name := range task.TypeList() {
		s.Enum = append(s.Enum, name)
	}
	return s
}

// connectionKind describes topology.Kind. It has no enum, because unknown kinds are kept.
type connectionKind string

// Schema implements huma.SchemaProvider.
func (connectionKind) Schema(huma.Registry) *huma.Schema {
	var names []string
	for _, k := range topology.Kinds() {
		names = append(names, string(k.Kind)+" ("+k.Name+")")
	}
	return &huma.Schema{
		Type:        huma.TypeString,
		Description: "Kind of a connection: " + strings.Join(names, ", ") + ". Other kinds are kept as they are.",
	}
}
