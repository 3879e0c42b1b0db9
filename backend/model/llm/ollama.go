package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	openai "github.com/sashabaranov/go-openai"
)

// ollama is an Ollama, spoken to in its own protocol.
type ollama struct{ chatServer }

type ollamaRequest struct {
	Model    Model           `json:"model"`
	Messages []ollamaMessage `json:"messages"`
	Tools    []openai.Tool   `json:"tools,omitempty"`
	Options  ollamaOptions   `json:"options"`
	Stream   bool            `json:"stream"`
}

type ollamaOptions struct {
	Temperature *float64 `json:"temperature,omitempty"`
	NumPredict  int      `json:"num_predict,omitempty"`
}

type ollamaMessage struct {
	Role      string       `json:"role"`
	Content   string       `json:"content"`
	ToolCalls []ollamaCall `json:"tool_calls,omitempty"`
	ToolName  string       `json:"tool_name,omitempty"`
}

type ollamaCall struct {
	ID       string `json:"id,omitempty"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

// ollamaPiece is one line of an answer.
type ollamaPiece struct {
	Message    ollamaMessage `json:"message"`
	Done       bool          `json:"done"`
	DoneReason string        `json:"done_reason"`
	TokensIn   int           `json:"prompt_eval_count"`
	TokensOut  int           `json:"eval_count"`
	Error      string        `json:"error"`
}

// Stream implements Provider.
func (o *ollama) Stream(ctx context.Context, r Request, onDelta func(string) error) (Answer, error) {
	var meta answerMeta
	ctx, idle := o.wait.withIdleTimer(ctx)
	defer idle.stop()
	body, err := nativeBody(nativeRequest(r), r.Options)
	if err != nil {
		return Answer{}, o.providerError(ctx, err, &meta, r.Model)
	}
	resp, err := o.call(ctx, http.MethodPost, "/api/chat", body, &meta)
	if err != nil {
		return Answer{}, o.providerError(ctx, err, &meta, r.Model)
	}
	defer resp.Body.Close() //nolint:errcheck // the answer has been read, or has failed
	a, err := o.collect(json.NewDecoder(resp.Body), idle, onDelta)
	if mine := (*callbackError)(nil); errors.As(err, &mine) {
		return a, mine.err
	}
	if err != nil {
		return a, o.providerError(ctx, err, &meta, r.Model)
	}
	return a, nil
}

// collect reads an answer's lines to the one that says it is done.
func (o *ollama) collect(lines *json.Decoder, idle *idleTimer, onDelta func(string) error) (Answer, error) {
	answer := streamAccumulator{onDelta: onDelta}
	for {
		var piece ollamaPiece
		err := lines.Decode(&piece)
		if errors.Is(err, io.EOF) {
			return answer.whole()
		}
		if err != nil {
			return answer.Answer, err
		}
		idle.touch()
		if piece.Error != "" {
			return answer.Answer, &openai.APIError{Message: piece.Error}
		}
		for _, c := range piece.Message.ToolCalls {
			next := len(answer.calls) // each comes whole
			if err := answer.call(&next, c.ID, c.Function.Name, plainArguments(c.Function.Arguments)); err != nil {
				return answer.Answer, err
			}
		}
		if err := answer.say(piece.Message.Content); err != nil {
			return answer.Answer, err
		}
		if piece.Done {
			answer.TokensIn, answer.TokensOut, answer.Finish = piece.TokensIn, piece.TokensOut, piece.DoneReason
			if answer.Finish == "" { // older servers give none
				answer.Finish = FinishStop
			}
			return answer.whole()
		}
	}
}

// plainArguments unwraps arguments that came as a text.
func plainArguments(data json.RawMessage) string {
	var text string
	if json.Unmarshal(data, &text) == nil {
		return text
	}
	return string(data)
}

func nativeRequest(r Request) ollamaRequest {
	out := ollamaRequest{
		Model: r.Model, Stream: true, Tools: chatRequest(r).Tools,
		Options: ollamaOptions{Temperature: r.Temperature, NumPredict: r.MaxTokens},
	}
	if r.System != "" {
		out.Messages = append(out.Messages, ollamaMessage{Role: openai.ChatMessageRoleSystem, Content: r.System})
	}
	for _, m := range r.Messages {
		said := ollamaMessage{Role: m.Role, Content: m.Text, ToolName: m.Call.Name}
		for _, c := range m.Calls {
			call := ollamaCall{}
			call.Function.Name, call.Function.Arguments = c.Name, c.object()
			said.ToolCalls = append(said.ToolCalls, call)
		}
		out.Messages = append(out.Messages, said)
	}
	return out
}

// call sends one request. What is refused comes back as the library's errors do.
func (o *ollama) call(ctx context.Context, method, path string, body []byte, meta *answerMeta) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(o.base, "/v1")+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if refused := o.readable(); refused != nil {
		return nil, refused
	}
	if key := o.key(); key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	resp, err := recordingDoer{client: o.http, answer: meta}.Do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode == http.StatusOK {
		return resp, nil
	}
	defer resp.Body.Close() //nolint:errcheck // only read
	said, _ := io.ReadAll(io.LimitReader(resp.Body, maxSaid))
	return nil, &openai.RequestError{
		HTTPStatus:     nativeError(said, resp.Status),
		HTTPStatusCode: resp.StatusCode,
		Err:            errors.New(resp.Status),
	}
}

const maxSaid = 16 << 10 // of a refusal

// nativeError reads {"error":"…"}; a proxy before the server may say {"error":{"message":"…"}}.
func nativeError(said []byte, otherwise string) string {
	var body struct {
		Error json.RawMessage `json:"error"`
	}
	var text string
	var object struct{ Message string }
	if json.Unmarshal(said, &body) != nil {
		return otherwise
	}
	if json.Unmarshal(body.Error, &text) == nil && text != "" {
		return text
	}
	if json.Unmarshal(body.Error, &object) == nil && object.Message != "" {
		return object.Message
	}
	return otherwise
}

// Models implements Provider.
func (o *ollama) Models(ctx context.Context) ([]string, error) {
	var meta answerMeta
	ctx, idle := o.wait.withIdleTimer(ctx)
	defer idle.stop()
	resp, err := o.call(ctx, http.MethodGet, "/api/tags", nil, &meta)
	if err != nil {
		return nil, o.providerError(ctx, err, &meta, "")
	}
	defer resp.Body.Close() //nolint:errcheck // it has been read
	var list struct {
		Models []struct {
			Name string `json:"name"`
		} `json:"models"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&list); err != nil {
		return nil, o.providerError(ctx, fmt.Errorf("its list of models cannot be read: %w", err), &meta, "")
	}
	names := make([]string, 0, len(list.Models))
	for _, m := range list.Models {
		names = append(names, strings.TrimSuffix(m.Name, ":latest"))
	}
	slices.Sort(names)
	return names, nil
}
