// Package llm asks a language model and streams the answer. A Registry knows the
// providers that are configured, finds the one a Model names, and tries again where
// that is safe. Every error is an *errcode.Error; none holds a key.
package llm

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"agentflow/backend/base/errcode"
)

// Model names a model as provider/model; a bare name goes to the default provider.
type Model string

// Split returns the provider's name, "" for the default provider, and the model's own
// name, which may hold further slashes.
func (m Model) Split() (provider, name string) {
	if provider, name, ok := strings.Cut(string(m), "/"); ok {
		return provider, name
	}
	return "", string(m)
}

// Roles of a Message.
const (
	RoleUser      = "user"
	RoleAssistant = "assistant"
	RoleTool      = "tool" // what came of a Call
)

// Message is one line of the conversation so far.
type Message struct {
	Role  string
	Text  string
	Calls []Call // of RoleAssistant: what the model wanted done
	Call  Call   // of RoleTool: the call that Text is the result of
}

// Tool is something that a model may ask to have done.
type Tool struct {
	Name        string
	Description string
	Schema      json.RawMessage // of the arguments, a JSON schema whose type is object
}

// Call is a model's wish to have a Tool used.
type Call struct {
	ID        string
	Name      string
	Arguments string // as the model wrote them: JSON, unless it made a mistake
}

// Request asks for the answer to the last of Messages.
type Request struct {
	Model       Model
	System      string
	Messages    []Message
	Temperature *float64                   // nil leaves it to the provider
	MaxTokens   int                        // of the answer; 0 leaves it to the provider
	Tools       []Tool                     // what the model may ask for
	Options     map[string]json.RawMessage // of the provider, passed on as they are

	// Agent says who asks, and For what for (room:NAME, task:ID, session:KEY); both are only
	// for the record of model calls, and are not sent to the provider.
	Agent, For string
	// Whole says that nobody watches the answer come: it may be asked for again even
	// after a piece of it came.
	Whole bool
	// Timeout bounds one try from question to end; 0 leaves it to Waits alone.
	Timeout time.Duration
}

// Answer is a whole answer.
type Answer struct {
	Text      string
	Calls     []Call // what the model wants done before it goes on
	Model     Model  // as asked for, with the provider's name
	Finish    string // stop, calls, or length: the answer was cut off at its largest size
	TokensIn  int    // 0 where the provider does not tell
	TokensOut int
	CostUSD   float64
	Priced    bool // CostUSD is what it cost; false: nobody has said what the model costs
}

// Finishes of an Answer.
const (
	FinishStop   = "stop"
	FinishCalls  = "calls"
	FinishLength = "length"
)

// Provider is one server or program that has models.
type Provider interface {
	// Stream asks the model, once, and hands over every piece of the answer as it
	// comes. Request.Model is the provider's own name of the model. An error that
	// onDelta returns ends the stream and is returned as it is.
	Stream(ctx context.Context, r Request, onDelta func(delta string) error) (Answer, error)
	// Models lists the provider's own names of its models, sorted.
	Models(ctx context.Context) ([]string, error)
}

// Bounds of an answer.
const (
	MaxAnswer = 1 << 20 // bytes of text and of calls
	MaxCalls  = 64
)

func rateLimited(wait time.Duration, format string, args ...any) *errcode.Error {
	return refuse(
		errcode.RateLimited,
		errcode.ReasonRateLimited,
		format,
		args...).With(errcode.KeyRetryAfterMs, wait.Milliseconds())
}
