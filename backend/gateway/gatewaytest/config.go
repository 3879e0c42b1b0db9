package gatewaytest

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/titanous/json5"
	"gopkg.in/yaml.v3"

	"agentflow/backend/gateway/client"
)

// Redacted is what real gateways show in place of a secret.
const Redacted = "__OPENCLAW_REDACTED__"

// store is the config file of a Server.
type store struct {
	opts Options

	mu   sync.Mutex
	doc  map[string]any
	text string
}

func newStore(opts Options) *store {
	st := &store{opts: opts}
	doc := opts.Config
	if doc == nil {
		doc = defaultConfig(opts)
	}
	st.put(clone(doc))
	return st
}

func defaultConfig(opts Options) map[string]any {
	if opts.Dialect == client.DialectJSONRPC {
		return map[string]any{"agents": map[string]any{"main": map[string]any{"name": "Main", "model": "fake/fake-1"}}}
	}
	agents := map[string]any{"defaults": map[string]any{"model": map[string]any{"primary": "fake/fake-1"}}}
	if opts.Generation == February {
		agents["list"] = []any{map[string]any{"id": "main", "default": true, "name": "Main"}}
	} else {
		agents["ownership"] = "explicit"
		agents["entries"] = map[string]any{"main": map[string]any{"name": "Main"}}
	}
	return map[string]any{
		"gateway": map[string]any{
			"mode": "local",
			"auth": map[string]any{"mode": "token", "token": "the-gateway-secret"},
		},
		"models": map[string]any{"providers": map[string]any{"fake": map[string]any{"apiKey": "the-provider-secret"}}},
		"agents": agents,
	}
}

// put keeps a document; the caller holds mu, or is alone.
func (st *store) put(doc map[string]any) {
	st.doc = doc
	data, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		panic("gatewaytest: a config that is no JSON: " + err.Error())
	}
	st.text = string(data)
}

func (st *store) hash() string {
	sum := sha256.Sum256([]byte(st.text))
	switch {
	case st.opts.Dialect == client.DialectJSONRPC:
		return hex.EncodeToString(sum[:6])
	case st.opts.Generation == February:
		return hex.EncodeToString(sum[:])
	}
	mac := hmac.New(sha256.New, []byte("one installation"))
	mac.Write([]byte(st.text))
	return "hmac-sha256:v1:" + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// Config returns a copy of the config as it stands in the file, secrets included.
func (s *Server) Config() map[string]any {
	s.config.mu.Lock()
	defer s.config.mu.Unlock()
	return clone(s.config.doc)
}

// Hash returns the current hash.
func (s *Server) Hash() string {
	s.config.mu.Lock()
	defer s.config.mu.Unlock()
	return s.config.hash()
}

// SetConfig replaces the config behind everybody's back, as an editor would.
func (s *Server) SetConfig(doc map[string]any) {
	s.config.mu.Lock()
	defer s.config.mu.Unlock()
	s.config.put(clone(doc))
}

func (st *store) get() map[string]any {
	st.mu.Lock()
	defer st.mu.Unlock()
	masked, _ := mask(st.doc).(map[string]any)
	if st.opts.Dialect == client.DialectJSONRPC {
		out := map[string]any{"config": masked, "baseHash": st.hash()}
		if st.opts.Raw {
			text, _ := yaml.Marshal(masked)
			out["raw"] = string(text)
		}
		return out
	}
	raw, _ := json.MarshalIndent(masked, "", "  ")
	effective := clone(masked)
	effective["commands"] = map[string]any{"native": "auto"} // a default that must not be written back
	return map[string]any{
		"path": "/home/user/.openclaw/openclaw.json", "exists": true, "raw": string(raw), "parsed": masked, "resolved": masked,
		"config": effective, "valid": true, "hash": st.hash(), "issues": []any{}, "warnings": []any{}, "legacyIssues": []any{},
	}
}

// apply replaces the config after the checks of the real gateway, in its order.
func (st *store) apply(raw, baseHash string) (string, *refusal) {
	st.mu.Lock()
	defer st.mu.Unlock()
	switch {
	case baseHash == "":
		return "", invalid("config base hash required; re-run config.get and retry")
	case baseHash != st.hash():
		return "", st.stale()
	}
	doc, no := st.parse(raw)
	if no != nil {
		return "", no
	}
	if st.opts.Dialect == client.DialectFramed {
		if no := st.checkAgents(doc); no != nil {
			return "", no
		}
	}
	restored, err := restore(doc, st.doc, "")
	if err != nil {
		return "", invalid(err.Error())
	}
	doc, _ = restored.(map[string]any)
	if st.opts.Dialect == client.DialectFramed && st.opts.Generation == February {
		doc["meta"] = map[string]any{"lastTouchedVersion": "2026.2.26", "lastTouchedAt": randomText()}
	}
	st.put(doc)
	return st.hash(), nil
}

func (st *store) stale() *refusal {
	if st.opts.Dialect == client.DialectJSONRPC {
		return &refusal{Code: "CONFLICT", Message: "baseHash is stale"}
	}
	return invalid("config changed since last load; re-run config.get and retry")
}

func (st *store) parse(raw string) (map[string]any, *refusal) {
	var doc map[string]any
	if st.opts.Dialect == client.DialectJSONRPC {
		if err := yaml.Unmarshal([]byte(raw), &doc); err != nil || doc == nil {
			return nil, invalid(fmt.Sprintf("raw is no YAML mapping: %v", err))
		}
		return clone(doc), nil
	}
	if err := json5.Unmarshal([]byte(raw), &doc); err != nil || doc == nil {
		return nil, invalid("SyntaxError: JSON5: invalid character at 1:1")
	}
	return clone(doc), nil
}

var (
	entryKey  = regexp.MustCompile(`^[a-z0-9_][a-z0-9_-]{0,63}$`)
	agentKeys = []string{
		"id", "default", "name", "description", "workspace", "agentDir", "skills", "model", "identity", "subagents", "sandbox",
		"tools", "heartbeat", "groupChat", "humanDelay", "memorySearch", "runtime", "params", "thinkingDefault", "cwd",
	}
)

func issue(path, message string) *refusal {
	return &refusal{Code: "INVALID_REQUEST", Message: "invalid config", Details: map[string]any{
		"issues": []any{map[string]any{"path": path, "message": message}},
	}}
}

// checkAgents knows of the schema what a team can break.
func (st *store) checkAgents(doc map[string]any) *refusal {
	agents, _ := doc["agents"].(map[string]any)
	if st.opts.Generation == February {
		if _, ok := agents["entries"]; ok {
			return issue("agents", `Unrecognized key: "entries"`)
		}
		list, _ := agents["list"].([]any)
		for i, item := range list {
			a, _ := item.(map[string]any)
			if no := checkAgent(fmt.Sprintf("agents.list.%d", i), a); no != nil {
				return no
			}
		}
		return nil
	}
	entries := convertList(agents)
	stripDefault(st.doc, agents, entries)
	if no := retireDefault(doc, agents, entries); no != nil {
		return no
	}
	for id, item := range entries {
		if !entryKey.MatchString(id) {
			return issue("agents.entries."+id, "Invalid key in record")
		}
		a, _ := item.(map[string]any)
		if no := checkAgent("agents.entries."+id, a); no != nil {
			return no
		}
	}
	if len(entries) > 1 && agents["ownership"] != "explicit" {
		return issue("agents.ownership", `multi-agent rosters require agents.ownership="explicit"`)
	}
	for _, id := range st.roster() {
		if _, ok := entries[id]; !ok {
			return &refusal{
				Code:    "UNAVAILABLE",
				Message: "Error: Config write would drop agent roster entries without an explicit deletion: " + id + ".",
			}
		}
	}
	return nil
}

func checkAgent(path string, a map[string]any) *refusal {
	for key := range a {
		if _, known := recordedKeys()[key]; !known && !slices.Contains(agentKeys, key) {
			return issue(path, fmt.Sprintf("Unrecognized key: %q", key))
		}
	}
	return nil
}

// roster lists the agents that exist; without any there is main.
func (st *store) roster() []string {
	agents, _ := st.doc["agents"].(map[string]any)
	if st.opts.Dialect == client.DialectJSONRPC {
		return slices.Sorted(maps.Keys(agents))
	}
	ids := []string{}
	if entries, ok := agents["entries"].(map[string]any); ok {
		ids = slices.Sorted(maps.Keys(entries))
	}
	list, _ := agents["list"].([]any)
	for _, item := range list {
		if a, ok := item.(map[string]any); ok {
			id, _ := a["id"].(string)
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		ids = []string{"main"}
	}
	return ids
}

// remove takes an agent out, and out of everybody's allowAgents.
func (st *store) remove(id string) *refusal {
	st.mu.Lock()
	defer st.mu.Unlock()
	switch {
	case id == "main":
		return invalid(`"main" cannot be deleted`)
	case !slices.Contains(st.roster(), id):
		return invalid(fmt.Sprintf("agent %q not found", id))
	}
	doc := clone(st.doc)
	agents, _ := doc["agents"].(map[string]any)
	isIt := func(v any) bool {
		a, _ := v.(map[string]any)
		return a["id"] == id
	}
	if list, ok := agents["list"].([]any); ok {
		agents["list"] = slices.DeleteFunc(list, isIt)
	}
	all, _ := agents["list"].([]any)
	if entries, ok := agents["entries"].(map[string]any); ok {
		delete(entries, id)
		all = slices.Collect(maps.Values(entries))
	}
	for _, v := range all {
		a, _ := v.(map[string]any)
		sub, _ := a["subagents"].(map[string]any)
		if allow, ok := sub["allowAgents"].([]any); ok {
			sub["allowAgents"] = slices.DeleteFunc(allow, func(v any) bool { return v == id })
		}
	}
	st.put(doc)
	return nil
}

func secretKey(key string) bool {
	k := strings.ToLower(key)
	return k == "token" || k == "apikey" || k == "password" || strings.HasSuffix(k, "secret")
}

// mask returns a copy with every secret hidden.
func mask(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, item := range v {
			if _, isText := item.(string); isText && secretKey(key) {
				item = Redacted
			}
			out[key] = mask(item)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = mask(item)
		}
		return out
	}
	return v
}

// restore puts the secrets back where the sentinel stands.
func restore(v, old any, path string) (any, error) {
	switch v := v.(type) {
	case string:
		if v != Redacted {
			return v, nil
		}
		if secret, ok := old.(string); ok {
			return secret, nil
		}
		return nil, fmt.Errorf("Sentinel value %q in key %s is not valid as real data", Redacted, strings.TrimPrefix(path, ".")) //nolint:staticcheck // the real gateway's words
	case map[string]any:
		before, _ := old.(map[string]any)
		for key, item := range v {
			back, err := restore(item, before[key], path+"."+key)
			if err != nil {
				return nil, err
			}
			v[key] = back
		}
	case []any:
		before, _ := old.([]any)
		for i, item := range v {
			var was any
			if i < len(before) {
				was = before[i]
			}
			back, err := restore(item, was, path+".*")
			if err != nil {
				return nil, err
			}
			v[i] = back
		}
	}
	return v, nil
}

// clone copies a document; it also makes what YAML gave into JSON's types.
func clone(doc map[string]any) map[string]any {
	data, err := json.Marshal(doc)
	if err != nil {
		panic("gatewaytest: a config that is no JSON: " + err.Error())
	}
	var out map[string]any
	if err := json.Unmarshal(data, &out); err != nil {
		panic("gatewaytest: " + err.Error())
	}
	return out
}
