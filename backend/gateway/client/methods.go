package client

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/client/internal/dialect"
)

const (
	methodConfigGet   = "config.get"
	methodConfigApply = "config.apply"
)

// Config is a gateway's config as it stands there, secrets masked by the gateway.
type Config struct {
	Hash      string          `json:"hash"`                // opaque; goes back as ApplyRequest.BaseHash
	Parsed    json.RawMessage `json:"parsed"`              // the document to edit and send back
	Raw       string          `json:"raw,omitempty"`       // the text as stored, where the gateway gives it
	RawFormat string          `json:"rawFormat,omitempty"` // "yaml", "json5", or "" without Raw
	Effective json.RawMessage `json:"effective,omitempty"` // with defaults filled in; never send this back
	Valid     bool            `json:"valid"`
	Broken    bool            `json:"broken,omitempty"` // the file is no JSON, so Parsed is {}
	Issues    []Issue         `json:"issues,omitempty"`
	Path      string          `json:"path,omitempty"` // on the gateway's computer
	Home      string          `json:"home,omitempty"` // the home folder there, where the gateway names it
}

// ApplyRequest replaces the whole config. Raw is in Features().ApplyFormat, or JSON.
type ApplyRequest struct {
	Raw      string
	BaseHash string
	Note     string
}

// ApplyResult is what the gateway said about an accepted config. Without a Hash
// the caller reads the config again; with Restart the link will drop and come back
// (JSON-RPC gateways may restart without saying so).
type ApplyResult struct {
	Hash         string        `json:"hash,omitempty"`
	Restart      bool          `json:"restart"`
	RestartDelay time.Duration `json:"restartDelay"`
}

// DeleteResult is what the gateway said about a deleted agent.
type DeleteResult struct {
	AgentID         string   `json:"agentId"`
	RemovedBindings int      `json:"removedBindings"`
	Failed          []string `json:"failed,omitempty"` // paths on the gateway's computer that are still there
}

// Model is one model a gateway can use. Ref is how a config names it.
type Model struct {
	ID            string   `json:"id"`
	Ref           string   `json:"ref"`
	Name          string   `json:"name"`
	Provider      string   `json:"provider"`
	ContextWindow int      `json:"contextWindow,omitempty"`
	Reasoning     bool     `json:"reasoning,omitempty"`
	Input         []string `json:"input,omitempty"`
}

// ConfigGet reads the config.
func (c *Client) ConfigGet(ctx context.Context) (Config, error) {
	raw, err := c.call(ctx, request{method: methodConfigGet, params: struct{}{}, timeout: c.timing.Call})
	if err != nil {
		return Config{}, err
	}
	return decodeConfig(raw)
}

// configAnswer is config.get in both dialects.
type configAnswer struct {
	Config   json.RawMessage `json:"config"`
	BaseHash string          `json:"baseHash"`
	Hash     string          `json:"hash"`
	Raw      *string         `json:"raw"`
	Parsed   json.RawMessage `json:"parsed"`
	Valid    *bool           `json:"valid"`
	Issues   []Issue         `json:"issues"`
	Path     string          `json:"path"`
	Home     string          `json:"home"`
}

func decodeConfig(raw json.RawMessage) (Config, error) {
	var a configAnswer
	if err := decodeResult(methodConfigGet, raw, &a); err != nil {
		return Config{}, err
	}
	cfg := Config{Hash: a.BaseHash, Parsed: a.Config, Issues: a.Issues, Path: a.Path, Home: a.Home}
	cfg.Valid = a.Valid == nil || *a.Valid
	format := "yaml"
	if a.Hash != "" || a.Parsed != nil {
		cfg.Hash, cfg.Parsed, cfg.Effective, format = a.Hash, a.Parsed, a.Config, "json5"
	}
	if a.Raw != nil {
		cfg.Raw, cfg.RawFormat = *a.Raw, format
	}
	if !cfg.Valid && cfg.Hash != "" && !isObject(cfg.Parsed) {
		cfg.Broken, cfg.Parsed = true, json.RawMessage(`{}`)
	}
	if !isObject(cfg.Parsed) {
		return Config{}, badAnswer(nil, methodConfigGet, "it holds no config")
	}
	return cfg, nil
}

// ConfigApply replaces the config. It is sent once and never again: when the link
// is lost before the answer the error has reason outcome_unknown, and the caller
// reads the config to learn what happened. A base that is not current is refused
// with CONFLICT, reason stale_base.
func (c *Client) ConfigApply(ctx context.Context, req ApplyRequest) (ApplyResult, error) {
	build := func(d Dialect) any {
		params := map[string]any{"raw": req.Raw, "baseHash": req.BaseHash}
		switch {
		case d == DialectJSONRPC:
			params["reason"] = req.Note
		case req.Note != "":
			params["note"] = req.Note
		}
		return params
	}
	raw, err := c.call(ctx, request{
		method: methodConfigApply, build: build, timeout: c.timing.Apply, changes: true, scope: dialect.ScopeAdmin,
	})
	if err != nil {
		return ApplyResult{}, err
	}
	return decodeApply(raw)
}

func decodeApply(raw json.RawMessage) (ApplyResult, error) {
	var a struct {
		Success *bool  `json:"success"`
		OK      *bool  `json:"ok"`
		NewHash string `json:"newHash"`
		Hash    string `json:"hash"`
		Restart *struct {
			OK      *bool `json:"ok"`
			DelayMs int64 `json:"delayMs"`
		} `json:"restart"`
		Sentinel struct {
			Payload struct {
				Stats struct {
					RequiresRestart bool `json:"requiresRestart"`
				} `json:"stats"`
			} `json:"payload"`
		} `json:"sentinel"`
	}
	if err := decodeResult(methodConfigApply, raw, &a); err != nil {
		return ApplyResult{}, unknownOutcome(err)
	}
	if a.Success != nil && !*a.Success || a.OK != nil && !*a.OK {
		return ApplyResult{}, errcode.New(errcode.Gateway, "the gateway did not take the config and did not say why").
			With(errcode.KeyReason, errcode.ReasonRejected)
	}
	if a.Success == nil && a.OK == nil && a.NewHash == "" && a.Hash == "" {
		return ApplyResult{}, unknownOutcome(
			badAnswer(nil, methodConfigApply, "it does not say whether the config was taken"),
		)
	}
	res := ApplyResult{Hash: a.NewHash, Restart: a.Sentinel.Payload.Stats.RequiresRestart}
	if a.Hash != "" {
		res.Hash = a.Hash
	}
	if a.Restart != nil && (a.Restart.OK == nil || *a.Restart.OK) {
		res.Restart = true
		res.RestartDelay = time.Duration(min(max(a.Restart.DelayMs, 0), 3_600_000)) * time.Millisecond
	}
	return res, nil
}

// AgentsDelete takes an agent out of the gateway's roster, with its sessions; with
// deleteFiles its workspace goes to the gateway's trash, from which no call brings it back. The config's hash changes.
func (c *Client) AgentsDelete(ctx context.Context, id string, deleteFiles bool) (DeleteResult, error) {
	const method = "agents.delete"
	raw, err := c.call(ctx, request{
		method: method, params: map[string]any{"agentId": id, "deleteFiles": deleteFiles},
		timeout: c.timing.Apply, changes: true, scope: dialect.ScopeAdmin,
		able: func(f Features) bool { return f.AgentsDelete },
	})
	if err != nil {
		return DeleteResult{}, err
	}
	var a struct {
		AgentID         string `json:"agentId"`
		RemovedBindings int    `json:"removedBindings"`
		Failed          []struct {
			Path string `json:"path"`
		} `json:"failed"`
	}
	if err := decodeResult(method, raw, &a); err != nil {
		return DeleteResult{}, unknownOutcome(err)
	}
	res := DeleteResult{AgentID: a.AgentID, RemovedBindings: a.RemovedBindings}
	for _, f := range a.Failed {
		res.Failed = append(res.Failed, f.Path)
	}
	return res, nil
}

// AgentsCreate creates an agent with the gateway's settings for new ones; workspace may be "". The ID must be one that
// the gateway makes of itself. The config's hash changes.
func (c *Client) AgentsCreate(ctx context.Context, id, workspace string) error {
	params := map[string]any{"name": id}
	if workspace != "" {
		params["workspace"] = workspace
	}
	return c.changeAgents(ctx, "agents.create", params)
}

// AgentsRename gives an agent another name, also in its workspace. The config's hash changes.
func (c *Client) AgentsRename(ctx context.Context, id, name string) error {
	return c.changeAgents(ctx, "agents.update", map[string]any{"agentId": id, "name": name})
}

func (c *Client) changeAgents(ctx context.Context, method string, params map[string]any) error {
	_, err := c.call(ctx, request{
		method: method, params: params, timeout: c.timing.Apply, changes: true, scope: dialect.ScopeAdmin,
		able: func(f Features) bool { return f.Has(method) },
	})
	return err
}

// AgentsReopen has the gateway use an agent again that was deleted and whose entry is back in the config. OpenClaw
// 2026.9.6 treats it as deleted until it is asked to create it, which it then refuses because the agent exists.
func (c *Client) AgentsReopen(ctx context.Context, id string) error {
	err := c.AgentsCreate(ctx, id, "")
	if err != nil && strings.Contains(err.Error(), "already exists") {
		return nil
	}
	return err
}

// Models lists the models the gateway can use, where it lists them (Features.ModelsList). A gateway with several
// agents of which none is the default lists them for one agent only, so they are those of its first agent.
func (c *Client) Models(ctx context.Context) ([]Model, error) {
	const method = "models.list"
	ask := func(agent string) (json.RawMessage, error) {
		return c.call(ctx, request{
			method: method, timeout: c.timing.Call,
			params: struct {
				AgentID string `json:"agentId,omitempty"`
			}{agent},
			able: func(f Features) bool { return f.ModelsList },
		})
	}
	raw, err := ask("")
	if errcode.HasReason(err, errcode.ReasonRejected) {
		if agent := c.firstAgent(ctx); agent != "" {
			raw, err = ask(agent)
		}
	}
	if err != nil {
		return nil, err
	}
	var a struct {
		Models []Model `json:"models"`
	}
	if err := decodeResult(method, raw, &a); err != nil {
		return nil, err
	}
	for i, m := range a.Models {
		a.Models[i].Ref = m.ID
		if m.Provider != "" {
			a.Models[i].Ref = m.Provider + "/" + m.ID
		}
	}
	return a.Models, nil
}

// firstAgent returns the ID of the gateway's first agent if its requests have to name one, and else "".
func (c *Client) firstAgent(ctx context.Context) string {
	const method = "agents.list"
	raw, err := c.call(ctx, request{
		method: method, params: struct{}{}, timeout: c.timing.Call,
		able: func(f Features) bool { return f.Has(method) },
	})
	var a struct {
		SelectionRequired bool `json:"selectionRequired"`
		Agents            []struct {
			ID string `json:"id"`
		} `json:"agents"`
	}
	if err != nil || json.Unmarshal(raw, &a) != nil || !a.SelectionRequired || len(a.Agents) == 0 {
		return "" // the caller tells why its request failed
	}
	return a.Agents[0].ID
}

func decodeResult(method string, raw json.RawMessage, v any) error {
	if !isObject(raw) {
		return badAnswer(nil, method, "it is not an object")
	}
	if err := json.Unmarshal(raw, v); err != nil {
		return badAnswer(err, method, "it has another shape")
	}
	return nil
}

func badAnswer(cause error, method, what string) *errcode.Error {
	return errcode.Wrap(errcode.Gateway, cause, "the gateway's answer to %s cannot be understood: %s", method, what).
		With(errcode.KeyReason, errcode.ReasonRejected)
}

// Details of the error of a ConfigApply with reason outcome_unknown.
const (
	KeyAnswered = "answered" // true: the gateway answered, but not whether it has the config
	KeyRestarts = "restarts" // true: it said that it is going to restart
)

// unknownOutcome marks an answer that came and cannot be read, to a call that changes something.
func unknownOutcome(err error) *errcode.Error {
	return errcode.From(err).With(errcode.KeyReason, errcode.ReasonUnknown)
}

func isObject(raw json.RawMessage) bool {
	for _, b := range raw {
		switch b {
		case ' ', '\t', '\r', '\n':
		default:
			return b == '{'
		}
	}
	return false
}
