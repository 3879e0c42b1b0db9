package rollout

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/team/gatewayguard"
	"agentflow/backend/team/library"
)

// Causes of snapshots. What somebody else wrote has the second one; no version of a team refers to it.
const (
	causeRead      = "read" // for a team, or after a rollback
	causeBefore    = "before_apply"
	causeRollback  = "before_rollback"
	causeApplied   = "after_apply"
	causeElsewhere = "elsewhere"
	causeCut       = "rollback_interrupted" // what the gateway had after a rollback that the end of the hub cut off
)

// keptElsewhere bounds the snapshots of a gateway that somebody else wrote: a config that changes every minute is kept
// for half a day.
const keptElsewhere = 720

// Alarms are the snapshots whose configs lost something.
type Alarms interface {
	// Alarm returns the newest one of a gateway that is not settled, or nil.
	Alarm(ctx context.Context, gateway string) (*library.Alarm, error)
	// SettleAlarms settles all of a gateway.
	SettleAlarms(ctx context.Context, gateway string, at time.Time) error
	// TrimSnapshots deletes the oldest snapshots of a gateway with the cause, so that the newest ones are left, and
	// those that unsettled losses were measured against.
	TrimSnapshots(ctx context.Context, gateway, cause string, newest int) error
}

// Saw keeps a config that a gateway was found to have, unless it is the one kept last (OC-4). While an apply runs there
// it keeps nothing: the apply keeps what it makes. invalid says that the gateway itself can't use the config.
func (m *Machine) Saw(ctx context.Context, gateway string, s openclaw.Snapshot, invalid bool) error {
	if m.isRunning(gateway) {
		return nil
	}
	cut, failed := m.meetCut(ctx, gateway, s)
	return errors.Join(failed, m.saw(ctx, gateway, s, invalid, cut))
}

// saw is Saw where no apply runs; cut says that a rollback was cut off there.
func (m *Machine) saw(ctx context.Context, gateway string, s openclaw.Snapshot, invalid, cut bool) error {
	kept, err := m.library.Snapshots(ctx, gateway, 1)
	if err != nil {
		return err
	}
	if len(kept) > 0 && kept[0].Hash == s.Hash {
		m.tellKept(gateway, s.Hash)
		return nil
	}
	var unresumed error
	if len(kept) > 0 && kept[0].Cause == causeBefore && !invalid {
		ours, err := m.resume(ctx, kept[0], s)
		if ours || ctx.Err() != nil {
			if ours && err == nil {
				m.arrived(gateway)
			}
			return err
		}
		if !errcode.Is(err, errcode.NotFound) { // the team can be deleted
			unresumed = err
		}
	}
	cause := causeElsewhere
	switch {
	case len(kept) == 0:
		cause = causeRead // the first one was changed by nobody
	case cut && kept[0].Cause == causeRollback:
		cause = causeCut
	}
	_, err = m.keepConfig(ctx, gateway, cause, "", s, invalid)
	return errors.Join(err, unresumed, m.meetInPlace(ctx, gateway))
}

// keepApplied keeps the config that an apply has made, unless nothing was sent: what is lost later is measured against
// it.
func (m *Machine) keepApplied(ctx context.Context, in intent, s openclaw.Snapshot) error {
	gateway := in.team.Gateway
	newest, err := m.library.Snapshots(ctx, gateway, 1)
	if err != nil || s.Hash == "" || len(newest) > 0 && newest[0].Hash == s.Hash {
		return err
	}
	_, err = m.keepSnapshot(ctx, gateway, causeApplied, in.team.ID, s)
	return err
}

// keepSnapshot keeps a config that a team, an apply or a rollback has to do with.
func (m *Machine) keepSnapshot(
	ctx context.Context,
	gateway, cause string,
	team library.ID,
	s openclaw.Snapshot,
) (library.SnapshotID, error) {
	return m.keepConfig(ctx, gateway, cause, team, s, false)
}

// keepConfig keeps a config. It raises the gateway's alarm where somebody else wrote a config that lost something
// against the last good one, and settles it where nothing is lost any more.
func (m *Machine) keepConfig(
	ctx context.Context,
	gateway, cause string,
	team library.ID,
	s openclaw.Snapshot,
	invalid bool,
) (library.SnapshotID, error) {
	config, err := json.Marshal(s)
	if err != nil {
		return "", errcode.Wrap(errcode.Internal, err, "the gateway's config cannot be kept")
	}
	size := measure(s)
	size.Unreadable = size.Unreadable || invalid
	alarm, err := m.alarms.Alarm(ctx, gateway)
	if err != nil {
		return "", err
	}
	good, err := m.goodConfig(ctx, gateway, alarm)
	if err != nil {
		return "", err
	}
	var losses []gatewayguard.Lost
	if good != nil && good.hash != s.Hash {
		losses = gatewayguard.Compare(good.size, size)
	}
	snap := library.Snapshot{
		Gateway: gateway, Hash: s.Hash, Cause: cause, Team: team, Agents: len(size.Agents), Config: config,
	}
	// What a person agreed to in a review is no loss. An alarm that stood before stays until nothing is missing.
	ours := cause != causeElsewhere && m.isRunning(gateway)
	if len(losses) > 0 && !ours {
		snap.Losses, snap.Good = losses, good.id
	}
	id, err := m.library.KeepSnapshot(ctx, snap)
	if err == nil && cause == causeElsewhere {
		err = m.alarms.TrimSnapshots(ctx, gateway, cause, keptElsewhere)
	}
	if err == nil && len(losses) == 0 && alarm != nil {
		err = m.alarms.SettleAlarms(ctx, gateway, time.Now())
	}
	if alarm != nil || len(snap.Losses) > 0 {
		m.tellAlarm(gateway)
	}
	if err == nil {
		m.tellKept(gateway, s.Hash)
	}
	return id, err
}

type goodConfig struct {
	id   library.SnapshotID
	hash string
	size gatewayguard.Size
}

// goodConfig returns what a new config is compared with: the config before the alarm, else the one kept last. It is nil
// for the first config of a gateway.
func (m *Machine) goodConfig(ctx context.Context, gateway string, alarm *library.Alarm) (*goodConfig, error) {
	var id library.SnapshotID
	if alarm != nil {
		id = alarm.Good
	} else {
		newest, err := m.library.Snapshots(ctx, gateway, 1)
		if err != nil || len(newest) == 0 {
			return nil, err
		}
		id = newest[0].ID
	}
	old, err := m.kept(ctx, gateway, id)
	if err != nil {
		return nil, err
	}
	return &goodConfig{id, old.Hash, measure(old)}, nil
}

// Alarm returns the gateway's snapshot whose losses nobody has settled, or nil.
func (m *Machine) Alarm(ctx context.Context, gateway string) (*library.Alarm, error) {
	return m.alarms.Alarm(ctx, gateway)
}

// DismissAlarm settles the alarm of a gateway: the person has seen what is gone, and accepts it.
func (m *Machine) DismissAlarm(ctx context.Context, gateway string) error {
	if _, err := m.gateways.Target(gateway); err != nil {
		return err
	}
	defer m.tellAlarm(gateway)
	return m.alarms.SettleAlarms(ctx, gateway, time.Now())
}

func (m *Machine) tellAlarm(gateway string) {
	if m.OnAlarm != nil {
		m.OnAlarm(gateway)
	}
}

func (m *Machine) tellKept(gateway, hash string) {
	if m.OnKept != nil {
		m.OnKept(gateway, hash)
	}
}

func (m *Machine) isRunning(gateway string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, j := range m.applies {
		if j.apply.Gateway == gateway && j.apply.State == Running {
			return true
		}
	}
	return false
}

func measure(s openclaw.Snapshot) gatewayguard.Size {
	r, err := s.Reading()
	if err != nil {
		return gatewayguard.Size{Unreadable: true}
	}
	ids := make([]string, 0, len(r.Topology.Agents))
	for _, a := range r.Topology.Agents {
		ids = append(ids, string(a.ID))
	}
	return gatewayguard.Measure(s.Config, ids)
}
