package builtin

import (
	"context"
	"strings"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/team/topology"
	"agentflow/backend/team/trust"
)

// target is the gateway as openclaw.Push sees it.
type target struct{ g *Gateway }

// Target returns what openclaw.Push and its like apply a team to.
func (g *Gateway) Target() openclaw.Gateway { return target{g} }

var _ openclaw.Gateway = target{}

func capabilities(home string) openclaw.Capabilities {
	return openclaw.CapabilitiesFor(openclaw.Features{Local: true, AgentFiles: true, HotApply: true,
		ApplyFormat: formatYAML, Home: home})
}

// Read implements openclaw.Gateway.
func (t target) Read(ctx context.Context) (openclaw.Snapshot, error) { return t.g.ConfigGet(ctx) }

// Apply implements openclaw.Gateway.
func (t target) Apply(ctx context.Context, raw, baseHash, note string) (openclaw.ApplyOutcome, error) {
	hash, err := t.g.ConfigApply(ctx, raw, baseHash, note)
	return openclaw.ApplyOutcome{Hash: hash}, err
}

// DeleteAgent implements openclaw.Gateway. Agents vanish by Apply here.
func (t target) DeleteAgent(_ context.Context, id topology.AgentID) error {
	return errcode.New(errcode.Validation,
		"the local gateway has no separate delete: leave the agent %q out of the config that is applied", id)
}

// ReadFile implements openclaw.Gateway.
func (t target) ReadFile(ctx context.Context, agent topology.AgentID, name string) (openclaw.File, error) {
	_, f, err := t.g.File(ctx, agent, name)
	if err != nil {
		return openclaw.File{}, err
	}
	out := openclaw.File{Missing: f.Missing, Hash: f.Hash, Guarded: true}
	if f.Content != nil {
		out.Content = *f.Content
		out.Binary = topology.HashFile(out.Content) != f.Hash || strings.ContainsRune(out.Content, 0)
	}
	return out, nil
}

// NoFolder says why an agent has no folder for workspace files, whatever the owner allows, or returns "".
func (t target) NoFolder(a *topology.Agent) string {
	_, err := t.g.folders.dir(a)
	if err == nil || errcode.HasReason(err, trust.ReasonWaits) { // the owner may allow it with the apply
		return ""
	}
	return errcode.From(err).Message
}

// WriteFile implements openclaw.Gateway.
func (t target) WriteFile(_ context.Context, agent topology.AgentID, name, content, expectedHash string) error {
	_, _, err := t.g.folders.set(agent, name, content, expectedHash, true)
	return err
}

// WaitReady implements openclaw.Gateway.
func (t target) WaitReady(context.Context) error { return nil }

// Capabilities implements openclaw.Gateway.
func (t target) Capabilities() openclaw.Capabilities { return t.g.capabilities }
