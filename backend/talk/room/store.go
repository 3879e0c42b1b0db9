package room

import (
	"context"
	"time"
)

// Append is a message on its way into the Store.
type Append struct {
	Message
	At        time.Time // when the hub took it
	Duplicate bool      // it was stored before; Message is the stored one
}

// Range names a part of a room: the messages with an id above After and below Before
// (0: no bound); the newest Limit of them, or the oldest.
type Range struct {
	Room   string
	After  int64
	Before int64
	Oldest bool
	Limit  int
}

// Query asks for messages that hold a text, whatever the case of its letters.
type Query struct {
	Text   string
	Room   string // "": all rooms
	Before int64  // 0: no bound
	Limit  int
	Causes []string // only system messages with one of these codes; the Text may be empty then
}

// Pruning says which messages go: the oldest ones, never one that is younger than one
// that stays in the same room. The zero value deletes nothing.
type Pruning struct {
	Room     string    // "": all rooms
	Before   time.Time // taken by the hub before this
	Keep     int       // all but the newest Keep of each room
	MaxBytes int64     // of text, altogether
}

// Cut are the messages of a room up to an id.
type Cut struct {
	Room string
	ID   int64
}

// Info is a room that exists.
type Info struct {
	Name      string
	CreatedAt time.Time
	Last      *Message // its newest message
}

// State is what an agent or person does in a room, as far as it is known.
type State string

// The states.
const (
	Online    State = "online"
	Thinking  State = "thinking"
	Answering State = "answering"
	Waiting   State = "waiting" // for a person
	Failed    State = "failed"
	Offline   State = "offline"
)

// Presence is one name in a room.
type Presence struct {
	Room     string
	Name     string
	State    State
	LastSeen time.Time
}

// Store keeps rooms. What a method has returned without an error is durable. The methods
// may be called at once, but those that write only by one Hub.
type Store interface {
	// AppendMessages stores the batch whole or not at all, in its order, and sets the id
	// of each; ids follow one another without a gap, and none is used twice, not even after
	// its message was deleted. A room that does not exist yet is created. Of messages with
	// the same room, sender and client id only the first is stored.
	AppendMessages(ctx context.Context, batch []Append) error
	// LastMessageID returns the highest id that a message ever had; 0 if there was none.
	LastMessageID(ctx context.Context) (int64, error)
	// RoomMessages returns messages of a room, oldest first.
	RoomMessages(ctx context.Context, r Range) ([]Message, error)
	// SearchMessages returns what was found, newest first.
	SearchMessages(ctx context.Context, q Query) ([]Message, error)
	// IndexMessages prepares some more messages for searching; more says that it should be
	// called again.
	IndexMessages(ctx context.Context) (more bool, err error)
	// Prunable says up to which id p deletes in each room.
	Prunable(ctx context.Context, p Pruning) ([]Cut, error)
	// DeleteMessages deletes some of the cut's messages; it returns 0 once all are gone.
	DeleteMessages(ctx context.Context, c Cut) (int, error)
	// Rooms returns all rooms, by name.
	Rooms(ctx context.Context) ([]Info, error)
	// CreateRoom adds a room; one that exists is a CONFLICT.
	CreateRoom(ctx context.Context, name string, at time.Time) error
	// DeleteRoom deletes a room with all that is in it.
	DeleteRoom(ctx context.Context, name string) error
	// Presences returns all names ever seen in a room.
	Presences(ctx context.Context) ([]Presence, error)
	// PutPresences keeps the newest state of some names.
	PutPresences(ctx context.Context, list []Presence) error
}
