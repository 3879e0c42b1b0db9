package llm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"strings"

	openai "github.com/sashabaranov/go-openai"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/netlisten"
)

const maxKeepAlives = 1 << 20 // lines without data between two pieces; time bounds them, not their number

// chatServer is a server with OpenAI's chat completions.
type chatServer struct {
	name     string
	base     string // ends in /v1 or the like, without a slash
	keyEnv   string
	insecure bool // the key goes to another computer without TLS too
	key      func() string
	http     *http.Client
	wait     Waits
}

// Readable is what to answer where a key would go to an address on whose way others can read it;
// nil elsewhere.
func Readable(name, address string) *errcode.Error {
	if !netlisten.Readable(address) {
		return nil
	}
	return refuse(errcode.Validation, errcode.ReasonReadable, "the key of %s isn't sent to %s, because others can read it on the way. Use https:// or a tunnel to this computer, or accept it with insecure: true on this provider in the settings file", name, address).
		With(errcode.KeyField, "baseUrl")
}

func (c *chatServer) readable() *errcode.Error {
	if refused := Readable(c.name, c.base); refused != nil && !c.insecure && c.key() != "" {
		return refused
	}
	return nil
}

func (c *chatServer) client(answer *answerMeta) (*openai.Client, error) {
	if refused := c.readable(); refused != nil {
		return nil, refused
	}
	key := c.key()
	if key == "" && c.keyEnv != "" {
		return nil, refuse(errcode.Unauthorized, ReasonNoKey,
			"the provider %s takes its key from the environment variable %s, which is not set", c.name, c.keyEnv)
	}
	cfg := openai.DefaultConfig(key)
	cfg.BaseURL, cfg.EmptyMessagesLimit = c.base, maxKeepAlives
	cfg.HTTPClient = recordingDoer{client: c.http, answer: answer}
	return openai.NewClientWithConfig(cfg), nil
}

// Stream implements Provider.
func (c *chatServer) Stream(ctx context.Context, r Request, onDelta func(string) error) (Answer, error) {
	meta := answerMeta{options: r.Options}
	client, err := c.client(&meta)
	if err != nil {
		return Answer{}, err
	}
	ctx, idle := c.wait.withIdleTimer(ctx)
	defer idle.stop()
	stream, err := client.CreateChatCompletionStream(ctx, chatRequest(r))
	if err != nil {
		return Answer{}, c.providerError(ctx, err, &meta, r.Model)
	}
	defer stream.Close() //nolint:errcheck // the answer has been read, or has failed
	a, err := collect(stream, idle, onDelta)
	if mine := (*callbackError)(nil); errors.As(err, &mine) {
		return a, mine.err
	}
	if err != nil {
		return a, c.providerError(ctx, err, &meta, r.Model)
	}
	return a, nil
}

// callbackError keeps the caller's own error apart from the server's.
type callbackError struct{ err error }

func (e *callbackError) Error() string { return e.err.Error() }

var (
	errEndedEarly = errors.New("the answer ended in the middle")
	errNothing    = errors.New("the response contains no answer")
	errTooLong    = fmt.Errorf("the answer is longer than %d bytes", MaxAnswer)
	errNoText     = errors.New("the answer contains no text")
	errManyCalls  = fmt.Errorf("the answer calls more than %d tools at once", MaxCalls)
)

// finishRefusal is the finish reason of servers that pass on Anthropic's.
const finishRefusal = "refusal"

// refusalError is a model that doesn't answer, or a filter that withholds its answer.
type refusalError struct {
	filtered bool
	said     string // the model's own words, if it gave any
}

func (e *refusalError) Error() string {
	switch {
	case e.said != "":
		return "the model refused to answer: " + e.said
	case e.filtered:
		return "the content filter withheld the answer"
	}
	return "the model refused to answer"
}

// collect reads a stream to its end. That a stream just stops says nothing: only a
// finish reason makes an answer whole.
func collect(stream *openai.ChatCompletionStream, idle *idleTimer, onDelta func(string) error) (Answer, error) {
	answer := streamAccumulator{onDelta: onDelta}
	for {
		piece, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return answer.whole()
		}
		if err != nil {
			return answer.Answer, err
		}
		idle.touch()
		if piece.Usage != nil {
			answer.TokensIn, answer.TokensOut = piece.Usage.PromptTokens, piece.Usage.CompletionTokens
		}
		if len(piece.Choices) == 0 {
			continue
		}
		choice := piece.Choices[0]
		if choice.FinishReason != "" {
			answer.Finish = string(choice.FinishReason)
		}
		for _, c := range choice.Delta.ToolCalls {
			if err := answer.call(c.Index, c.ID, c.Function.Name, c.Function.Arguments); err != nil {
				return answer.Answer, err
			}
		}
		if err := answer.refuse(choice.Delta.Refusal); err != nil {
			return answer.Answer, err
		}
		if err := answer.say(choice.Delta.Content); err != nil {
			return answer.Answer, err
		}
	}
}

func chatRequest(r Request) openai.ChatCompletionRequest {
	out := openai.ChatCompletionRequest{
		Model: string(r.Model), Stream: true, StreamOptions: &openai.StreamOptions{IncludeUsage: true},
	}
	if r.System != "" {
		out.Messages = append(out.Messages,
			openai.ChatCompletionMessage{Role: openai.ChatMessageRoleSystem, Content: r.System})
	}
	for _, m := range r.Messages {
		out.Messages = append(out.Messages, chatMessage(m))
	}
	for _, t := range r.Tools {
		out.Tools = append(out.Tools, openai.Tool{
			Type:     openai.ToolTypeFunction,
			Function: &openai.FunctionDefinition{Name: t.Name, Description: t.Description, Parameters: t.Schema},
		})
	}
	if r.Temperature != nil {
		// The library leaves zero out, which would mean the server's default.
		out.Temperature = max(float32(*r.Temperature), math.SmallestNonzeroFloat32)
	}
	if countsThoughts(string(r.Model)) {
		out.MaxCompletionTokens = r.MaxTokens
	} else {
		out.MaxTokens = r.MaxTokens //nolint:staticcheck // compatible servers know only the older name
	}
	return out
}

func chatMessage(m Message) openai.ChatCompletionMessage {
	out := openai.ChatCompletionMessage{Role: m.Role, Content: m.Text, ToolCallID: m.Call.ID}
	for _, c := range m.Calls {
		out.ToolCalls = append(out.ToolCalls, openai.ToolCall{
			ID:       c.ID,
			Type:     openai.ToolTypeFunction,
			Function: openai.FunctionCall{Name: c.Name, Arguments: string(c.object())},
		})
	}
	return out
}

// countsThoughts reports whether a model of OpenAI's takes max_completion_tokens only.
// Other servers know max_tokens only.
func countsThoughts(model string) bool {
	return slices.ContainsFunc([]string{"o1", "o3", "o4", "gpt-5", "gpt-6"},
		func(p string) bool { return strings.HasPrefix(model, p) })
}

// Models implements Provider.
func (c *chatServer) Models(ctx context.Context) ([]string, error) {
	var meta answerMeta
	client, err := c.client(&meta)
	if err != nil {
		return nil, err
	}
	ctx, idle := c.wait.withIdleTimer(ctx)
	defer idle.stop()
	list, err := client.ListModels(ctx)
	if err != nil {
		return nil, c.providerError(ctx, err, &meta, "")
	}
	var names []string
	for _, m := range list.Models {
		names = append(names, m.ID)
	}
	slices.Sort(names)
	return names, nil
}
