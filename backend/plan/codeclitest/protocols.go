package codeclitest

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
)

// APIs of a request.
const (
	Chat      = "chat"
	Responses = "responses"
	Messages  = "messages" // of Anthropic
	Generate  = "generate" // of Gemini
)

// apiOf returns the API of a request's path.
func apiOf(path string) string {
	switch {
	case strings.HasSuffix(path, "/chat/completions"):
		return Chat
	case strings.HasSuffix(path, "/responses"):
		return Responses
	case strings.HasSuffix(path, "/messages"):
		return Messages
	case strings.HasSuffix(path, ":streamGenerateContent"), strings.HasSuffix(path, ":generateContent"):
		return Generate
	}
	return ""
}

// fixed answers requests that need no model.
func fixed(w http.ResponseWriter, path string) bool {
	var text string
	switch {
	case strings.HasSuffix(path, "/models"):
		text = `{"object":"list","data":[{"id":"stub-1","object":"model"}]}`
	case strings.HasSuffix(path, "/messages/count_tokens"):
		text = `{"input_tokens":100}`
	case strings.HasSuffix(path, ":countTokens"):
		text = `{"totalTokens":100}`
	default:
		return false
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, text)
	return true
}

// Called reports whether a request contains the result of a command.
func Called(body string) bool {
	for _, mark := range []string{`"function_call_output"`, `"tool_result"`, `"functionResponse"`, `"role":"tool"`} {
		if strings.Contains(body, mark) {
			return true
		}
	}
	return false
}

type object = map[string]any

func chat(w io.Writer, r Reply) {
	delta, finish := object{"role": "assistant", "content": r.Text}, "stop"
	if r.Shell != "" {
		arguments, _ := json.Marshal(object{"command": r.Shell, "description": "works"})
		delta["tool_calls"] = []any{
			object{
				"index":    0,
				"id":       "call-1",
				"type":     "function",
				"function": object{"name": "bash", "arguments": string(arguments)},
			},
		}
		finish = "tool_calls"
	}
	frame(w, "", object{"id": "c-1", "object": "chat.completion.chunk", "choices": []any{object{"index": 0, "delta": delta, "finish_reason": nil}}})
	frame(w, "", object{"id": "c-1", "object": "chat.completion.chunk", "choices": []any{object{"index": 0, "delta": object{}, "finish_reason": finish}}})
	frame(w, "", object{"id": "c-1", "object": "chat.completion.chunk", "choices": []any{}, "usage": object{"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}})
	_, _ = io.WriteString(w, "data: [DONE]\n\n")
}

func messages(w io.Writer, r Reply) {
	usage := object{"input_tokens": 100, "output_tokens": 1}
	frame(
		w,
		"message_start",
		object{
			"message": object{
				"id":          "m-1",
				"type":        "message",
				"role":        "assistant",
				"model":       "stub-1",
				"content":     []any{},
				"stop_reason": nil,
				"usage":       usage,
			},
		},
	)
	n, stop := 0, "end_turn"
	block := func(start, delta object) {
		frame(w, "content_block_start", object{"index": n, "content_block": start})
		frame(w, "content_block_delta", object{"index": n, "delta": delta})
		frame(w, "content_block_stop", object{"index": n})
		n++
	}
	if r.Text != "" {
		block(object{"type": "text", "text": ""}, object{"type": "text_delta", "text": r.Text})
	}
	if r.Shell != "" {
		input, _ := json.Marshal(object{"command": r.Shell, "description": "works"})
		block(object{"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": object{}},
			object{"type": "input_json_delta", "partial_json": string(input)})
		stop = "tool_use"
	}
	frame(w, "message_delta",
		object{"delta": object{"stop_reason": stop, "stop_sequence": nil}, "usage": object{"output_tokens": 20}})
	frame(w, "message_stop", object{})
}

func generate(w http.ResponseWriter, stream bool, r Reply) {
	parts := []any{}
	if r.Text != "" {
		parts = append(parts, object{"text": r.Text})
	}
	if r.Shell != "" {
		parts = append(
			parts,
			object{
				"functionCall": object{
					"name": "run_shell_command",
					"args": object{"command": r.Shell, "description": "works"},
				},
			},
		)
	}
	answer := object{
		"candidates":    []any{object{"index": 0, "finishReason": "STOP", "content": object{"role": "model", "parts": parts}}},
		"usageMetadata": object{"promptTokenCount": 100, "candidatesTokenCount": 20, "totalTokenCount": 120}, "modelVersion": "stub-1",
	}
	if stream {
		frame(w, "", answer)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer)
}
