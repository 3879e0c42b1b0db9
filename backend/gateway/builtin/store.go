package builtin

import (
	"context"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/topology"
)

// Store keeps what the local gateway must not lose.
type Store interface {
	ConfigStore
	SessionStore
}

// ConfigStore keeps one config as text.
type ConfigStore interface {
	// LoadConfig returns the text as it was saved, byte for byte; ok is false before
	// the first save.
	LoadConfig(ctx context.Context) (text string, ok bool, err error)
	// SaveConfig replaces the text and its hash if baseHash is the hash that is stored
	// ("" where nothing is), in one durable step: when it returns nil, the text
	// survives a crash. Otherwise it changes nothing and returns errcode CONFLICT.
	SaveConfig(ctx context.Context, text, hash, baseHash string, at time.Time) error
}

// SessionStore keeps the lines of all sessions.
type SessionStore interface {
	// AppendMessage stores m durably at the end of its session and returns it with
	// fresh true. If the session already holds a message with the same non-empty
	// IdempotencyKey, it stores nothing and returns that message with fresh false.
	AppendMessage(ctx context.Context, m Message) (stored Message, fresh bool, err error)
	// Messages returns the session's last messages, at most limit, in the order they
	// were appended, without the newest skip; none for a session that is not there.
	Messages(ctx context.Context, sessionKey string, limit, skip int) ([]Message, error)
	// Sessions returns one row a session, at most limit, the one with the latest
	// append first.
	Sessions(ctx context.Context, limit int) ([]SessionRow, error)
	// Unanswered returns every message of RoleUser whose RunID no message of
	// RoleAssistant in the same session has, in the order they were appended.
	Unanswered(ctx context.Context) ([]Message, error)
}

// Roles of a Message.
const (
	RoleUser      = "user"
	RoleAssistant = "assistant"
)

// MessageState says what became of a reply.
type MessageState string

// The states. Messages of a user have StateDone.
const (
	StateDone    MessageState = ""
	StateAborted MessageState = "aborted" // somebody stopped it; Text is what had come
	StateError   MessageState = "error"   // Text tells a person why there is no reply
)

// Message is one line of a session as it is stored.
type Message struct {
	ID             string // unique in the store
	SessionKey     string
	AgentID        topology.AgentID
	Role           string
	Text           string
	RunID          string // a message of a user and the reply to it have the same
	IdempotencyKey string // of a message of a user; unique within its session
	State          MessageState
	Model          string         // that wrote a reply
	Cause          *errcode.Cause // why there is no reply, with StateError
	At             time.Time
}

// SessionRow is one session.
type SessionRow struct {
	SessionKey string
	AgentID    topology.AgentID
	ActiveAt   time.Time // At of Last
	Last       Message   // appended last
}
