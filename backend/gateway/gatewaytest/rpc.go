package gatewaytest

import (
	"encoding/json"
	"strings"
)

// rpcCodes gives our refusals the codes of the interface description.
var rpcCodes = map[string]string{
	"INVALID_REQUEST": "VALIDATION_ERROR",
	"UNAVAILABLE":     "GATEWAY_ERROR",
	"NOT_FOUND":       "NOT_FOUND",
	"CONFLICT":        "CONFLICT",
}

// takeRPC handles one JSON-RPC request.
func (c *conn) takeRPC(data []byte) {
	var r struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Method  string          `json:"method"`
		Params  json.RawMessage `json:"params"`
	}
	if json.Unmarshal(data, &r) != nil || r.Method == "" {
		c.write(map[string]any{
			"jsonrpc": "2.0",
			"id":      nil,
			"error":   map[string]any{"code": -32600, "message": "invalid request"},
		})
		return
	}
	if raw, ok := c.s.fault().RawAnswer[r.Method]; ok {
		c.writeText([]byte(strings.ReplaceAll(raw, "$ID", string(r.ID))))
		return
	}
	c.serveMethod(r.Method, r.Params, func(result any, no *refusal) {
		switch {
		case no != nil:
			out := map[string]any{"jsonrpc": "2.0", "id": r.ID, "error": map[string]any{
				"code":         rpcCodes[no.Code],
				"message":      no.Message,
				"details":      no.Details,
				"retryAfterMs": no.RetryAfterMs,
			}}
			if c.s.opts.NoIDs {
				delete(out, "id")
			}
			c.write(out)
		case c.s.opts.NoIDs:
			c.write(result)
		default:
			c.write(map[string]any{"jsonrpc": "2.0", "id": r.ID, "result": result})
		}
	})
}
