package floor

import (
	"context"
	"encoding/json"

	"agentflow/backend/errcode"
	"agentflow/backend/room"
)

// Turn is an agent's right to answer, once. A person's or another agent's message gives
// it, and the answer is stored with the turn's id as its ClientID, so that the same turn
// can never be answered twice.
type Turn struct {
	ID     string `json:"id"`
	UpTo   int64  `json:"upTo"` // answer the room up to this message
	Why    Why    `json:"why" enum:"person,mention,agent,wrap_up"`
	WrapUp bool   `json:"wrapUp,omitempty"` // it is the conversation's last word
}

// Why says what gave an agent its turn.
type Why string

// The reasons of a Turn.
const (
	ByPerson  Why = "person"
	ByMention Why = "mention"
	ByAgent   Why = "agent"
	ByWrapUp  Why = "wrap_up"
)

// Outcome is how a turn ended.
type Outcome string

// The outcomes.
const (
	Answered Outcome = "answered"
	Skipped  Outcome = "skipped" // it had nothing to say
	Failed   Outcome = "failed"
	Stopped  Outcome = "stopped"
)

// Kinds of Live.
const (
	KindStatus  = "status"  // how the room stands, whole
	KindPartial = "partial" // a piece of an answer that is not stored yet
	KindEnd     = "end"     // a turn is over; what it answered is there already, as a message
	KindTurn    = "turn"    // to the agent itself: the turn it has now, or none
)

// Live is what goes on in a room beside its messages. It is told to those who are there,
// and never stored.
type Live struct {
	Type      string  `json:"type" enum:"status,partial,end,turn"`
	Room      string  `json:"room"`
	Agent     string  `json:"agent,omitempty"`
	TurnID    string  `json:"turnId,omitempty"`
	Text      string  `json:"text,omitempty"`  // of a partial: one more piece of the answer
	Whole     bool    `json:"whole,omitempty"` // of a partial: Text is all of the answer so far, in place of what came before
	Outcome   Outcome `json:"outcome,omitempty" enum:"answered,skipped,failed,stopped"`
	MessageID int64   `json:"messageId,omitempty"` // the message in which the turn ended
	Turn      *Turn   `json:"turn,omitempty"`
	Status    *Status `json:"status,omitempty"`
}

// News is what an agent tells of its turn.
type News struct {
	TurnID string         `json:"turnId"`
	State  room.State     `json:"state,omitempty"`  // what it does now
	Text   string         `json:"text,omitempty"`   // one more piece of its answer
	Whole  bool           `json:"whole,omitempty"`  // Text is all of the answer so far
	Notice string         `json:"notice,omitempty"` // is posted as a system message: what a tool did, or why it failed
	Cause  *errcode.Cause `json:"cause,omitempty"`  // of Notice
	End    *End           `json:"end,omitempty"`
}

// End is the end of a turn.
type End struct {
	Outcome   Outcome        `json:"outcome" enum:"answered,skipped,failed,stopped"`
	Text      string         `json:"text,omitempty"`  // the answer, or why there is none
	Cause     *errcode.Cause `json:"cause,omitempty"` // why there is none
	TokensIn  int64          `json:"tokensIn,omitempty"`
	TokensOut int64          `json:"tokensOut,omitempty"`
	CostUSD   float64        `json:"costUsd,omitempty"`
	Priced    bool           `json:"priced,omitempty"` // CostUSD is all that it cost; false: that is not known
}

// Ear is what an agent hears of its room. None of its methods may block.
type Ear interface {
	// Heard gets the room's messages: each once, in order.
	Heard(m room.Message)
	// Turned gets the turn that the agent has now; nil: none.
	Turned(t *Turn)
	// Joined gets the way to tell news once the agent has taken its seat, and nil when it has
	// lost it; both may come again and again.
	Joined(v Voice)
}

// Voice tells the news of an agent's turn. A Chair is one.
type Voice interface {
	Tell(ctx context.Context, n News) error
}

// States of a room as a conversation.
const (
	Open   = "open"
	Paused = "paused" // by a person, until it is resumed
	Halted = "halted" // by a limit or a wrap-up, until a person says something or resumes it
)

// Halt says why a room is halted.
type Halt string

// The reasons of a halt.
const (
	HaltTurns   Halt = "turns"   // agents spoke too often in a row
	HaltTokens  Halt = "tokens"  // its tokens are used up
	HaltWrapped Halt = "wrapped" // it was wrapped up
)

// Status is how a room stands.
type Status struct {
	Room     string   `json:"room"`
	State    string   `json:"state" enum:"open,paused,halted"`
	Halt     Halt     `json:"halt,omitempty" enum:"turns,tokens,wrapped"`
	Policy   Policy   `json:"policy"`
	Turns    int      `json:"turns"`  // of agents, since a person spoke
	Tokens   int64    `json:"tokens"` // of all agents, ever
	CostUSD  float64  `json:"costUsd"`
	Unpriced int64    `json:"unpriced"` // tokens, of all these, that cost what nobody knows
	Agents   []Member `json:"agents"`   // by name
	Cast     *Cast    `json:"cast,omitempty"`
}

// Member is an agent of a room, as it is shown. State is offline for one that is away.
type Member struct {
	Name      string     `json:"name"`
	AgentID   string     `json:"agentId,omitempty"` // in the drawing that it is of
	Model     string     `json:"model,omitempty"`
	Elsewhere bool       `json:"elsewhere,omitempty"` // another process runs it
	State     room.State `json:"status" enum:"online,thinking,answering,waiting,failed,offline"`
	Queued    bool       `json:"queued,omitempty"` // it is to have a turn
	TurnID    string     `json:"turnId,omitempty"`
	Error     string     `json:"error,omitempty"` // why its last turn failed
	Usage
}

// Usage is what an agent has used in a room.
type Usage struct {
	Turns     int64   `json:"turns"`
	TokensIn  int64   `json:"tokensIn"`
	TokensOut int64   `json:"tokensOut"`
	CostUSD   float64 `json:"costUsd"`
	Unpriced  int64   `json:"unpriced"` // tokens, of all these, that cost what nobody knows
}

// Frame is l as it is sent: {"live":{…}}, apart from messages and from {"error":{…}}.
func (l Live) Frame() []byte {
	text, err := json.Marshal(struct {
		Live Live `json:"live"`
	}{l})
	if err != nil {
		return nil // a Live always can be written
	}
	return text
}
