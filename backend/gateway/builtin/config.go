package builtin

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"agentflow/backend/base/docedit"
	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/team/roster"
	"agentflow/backend/team/topology"
)

const (
	formatYAML  = "yaml"
	saveTimeout = 30 * time.Second
	seedHeader  = "# The team of this hub's own gateway. Edit it here or on the canvas: comments stay.\n"
)

// keeper keeps the config, and puts its team to work.
type keeper struct {
	store  ConfigStore
	roster *roster.Roster
	limits openclaw.Limits
	out    *outlet

	applying sync.Mutex // one apply at a time
	mu       sync.Mutex
	current  config
}

// config is a config that was understood.
type config struct {
	text   string
	hash   string // of the text
	stored bool   // false before the first save
	json   json.RawMessage
	team   *topology.Topology
	doubts []openclaw.Finding // what could not be read; none in what an apply takes
}

func hashText(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// parseConfig refuses what is no config, with the place.
func parseConfig(text string) (config, error) {
	doc, err := docedit.Parse([]byte(text), "")
	if err != nil {
		return config{}, err
	}
	reading, err := openclaw.Read(doc)
	if err != nil {
		return config{}, err
	}
	if err := reading.Topology.Validate(); err != nil {
		return config{}, err
	}
	c := config{
		text:   text,
		hash:   hashText(text),
		json:   json.RawMessage("{}"),
		team:   &reading.Topology,
		doubts: reading.Warnings,
	}
	if !docedit.IsNull(doc.Root()) {
		c.json = doc.JSON()
	}
	return c, nil
}

// TeamOf returns the team of a stored config.
func TeamOf(text string) (*topology.Topology, error) {
	c, err := parseConfig(text)
	return c.team, err
}

// issue is one wrong place, in the form that gateways use.
type issue struct {
	Path    string `json:"path"`
	Line    int    `json:"line,omitempty"`
	Message string `json:"message"`
}

const maxIssues = 100

// refuseFindings refuses a config that cannot be read wholly: what a gateway accepts, it
// must understand.
func refuseFindings(found []openclaw.Finding) error {
	issues := make([]issue, 0, min(len(found), maxIssues))
	for _, f := range found[:min(len(found), maxIssues)] {
		issues = append(issues, issue{Path: f.Path, Line: f.Line, Message: f.Message})
	}
	first, more := issues[0], ""
	if n := len(found) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more)", n)
	}
	return errcode.New(errcode.Validation,
		"line %d: %s: %s%s. Nothing was changed", first.Line, first.Path, first.Message, more).
		With(errcode.KeyLine, first.Line).
		With(errcode.KeyField, first.Path).
		With("issues", issues)
}

// load reads the stored config and puts its team to work.
func (k *keeper) load(ctx context.Context) error {
	text, ok, err := k.store.LoadConfig(ctx)
	if err != nil {
		return k.out.internal(err, "the local gateway's config cannot be loaded")
	}
	c, err := parseConfig(text)
	if err != nil {
		e := errcode.From(err)
		out := errcode.Wrap(errcode.Internal, err, "the local gateway's stored config cannot be read: %s", e.Message)
		out.Details = e.Details
		return out
	}
	if len(c.doubts) > 0 { // another version took it
		k.out.log.Warn("localgateway: a part of the stored config is not understood", "why", refuseFindings(c.doubts))
	}
	c.stored = ok
	k.put(c)
	return nil
}

// put makes c the current config.
func (k *keeper) put(c config) {
	k.mu.Lock()
	k.current = c
	k.mu.Unlock()
	k.roster.Apply(c.hash, c.team)
}

func (k *keeper) now() config {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.current
}

func (k *keeper) apply(ctx context.Context, raw, baseHash, note string) (newHash string, err error) {
	c, err := parseConfig(raw)
	if err != nil {
		return "", errcode.From(err)
	}
	if len(c.doubts) > 0 {
		return "", refuseFindings(c.doubts)
	}
	if baseHash == "" {
		return "", errcode.New(errcode.Validation, "baseHash is missing: send the one that config.get gave").
			With(errcode.KeyField, "baseHash")
	}
	k.applying.Lock()
	defer k.applying.Unlock()
	base := k.now()
	if baseHash != base.hash {
		return "", stale()
	}
	if c.hash == base.hash && base.stored {
		return c.hash, nil
	}
	if err := ctx.Err(); err != nil {
		return "", errcode.From(err)
	}
	if err := k.save(ctx, &c, base); err != nil {
		return "", err
	}
	k.put(c)
	k.out.publish(EventConfigChanged, map[string]string{"hash": c.hash})
	k.out.log.Info("localgateway: a config was applied", "hash", c.hash, "agents", len(c.team.Agents), "note", note)
	return c.hash, nil
}

func stale() error {
	return errcode.New(errcode.Conflict, "the config has changed since it was read. Read it again with config.get").
		With(errcode.KeyReason, errcode.ReasonStaleBase)
}

// save stores c durably. A save that was begun is not given up because its caller went
// away, and one that failed may have been done all the same: the store knows.
func (k *keeper) save(ctx context.Context, c *config, base config) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), saveTimeout)
	defer cancel()
	baseHash := ""
	if base.stored {
		baseHash = base.hash
	}
	err := k.store.SaveConfig(ctx, c.text, c.hash, baseHash, time.Now())
	c.stored = true
	if err == nil {
		return nil
	}
	text, ok, loadErr := k.store.LoadConfig(ctx)
	switch {
	case loadErr != nil:
		return k.out.internal(err, "the config could not be stored, and nobody can tell whether it was")
	case ok && text == c.text:
		return nil
	case errcode.Is(err, errcode.Conflict):
		if err := k.load(ctx); err != nil {
			return err
		}
		return stale()
	}
	return k.out.internal(err, "the config could not be stored; nothing was changed")
}

func (k *keeper) seed(ctx context.Context, example *topology.Topology) (bool, error) {
	k.applying.Lock()
	defer k.applying.Unlock()
	base := k.now()
	if base.stored {
		return false, nil
	}
	empty, err := docedit.Parse(nil, "")
	if err != nil {
		return false, err
	}
	doc, _, err := openclaw.Write(empty, nil, example, k.limits)
	if err != nil {
		return false, err
	}
	text, err := doc.YAML()
	if err != nil {
		return false, errcode.From(err)
	}
	c, err := parseConfig(seedHeader + string(text))
	if err != nil {
		return false, err
	}
	if err := k.save(ctx, &c, base); err != nil {
		return false, err
	}
	k.put(c)
	k.out.publish(EventConfigChanged, map[string]string{"hash": c.hash})
	return true, nil
}

// ConfigGet returns the config with its hash and its text.
func (g *Gateway) ConfigGet(context.Context) (openclaw.Snapshot, error) {
	c := g.configs.now()
	return openclaw.Snapshot{Hash: c.hash, Config: c.json, Raw: c.text, RawFormat: formatYAML}, nil
}

// ConfigApply replaces the whole config, if baseHash is the hash of the current one, and
// returns the new hash. When it returns, the config is stored and its agents are at work;
// nothing restarts. A config that is not understood wholly is a VALIDATION_ERROR with
// details.line; another base is a CONFLICT with reason stale_base. Neither changes anything.
func (g *Gateway) ConfigApply(ctx context.Context, raw, baseHash, note string) (newHash string, err error) {
	return g.configs.apply(ctx, raw, baseHash, note)
}

// Seed stores the example as the first config. Where there is a config, it does nothing
// and returns false.
func (g *Gateway) Seed(ctx context.Context, example *topology.Topology) (bool, error) {
	return g.configs.seed(ctx, example)
}
