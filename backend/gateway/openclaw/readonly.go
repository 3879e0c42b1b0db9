package openclaw

import (
	"agentflow/backend/base/errcode"
	"agentflow/backend/team/gatewayconfig"
)

// ReadOnly says why the config of a gateway can't be changed, see package gatewayconfig.
type ReadOnly = gatewayconfig.ReadOnly

// The reasons, see package gatewayconfig.
const (
	Managed    = gatewayconfig.Managed
	Unwritable = gatewayconfig.Unwritable
)

// ReadOnlyOf returns why a gateway didn't change its config, or "" if err has another reason.
func ReadOnlyOf(err error) ReadOnly {
	switch {
	case errcode.HasReason(err, errcode.ReasonConfigManaged):
		return Managed
	case errcode.HasReason(err, errcode.ReasonConfigUnwritable):
		return Unwritable
	}
	return ""
}

// Refused is the error of a change to a config that can't be changed, or nil if it can.
func Refused(why ReadOnly) error {
	switch why {
	case Managed:
		return errcode.New(errcode.Gateway,
			"the gateway's config is managed by another program. Nothing was written. Save the config as a file "+
				"and change it where it is managed").
			With(errcode.KeyReason, errcode.ReasonConfigManaged)
	case Unwritable:
		return errcode.New(errcode.Gateway,
			"the gateway can't write its config file. Nothing was written. Save the config as a file and put it in "+
				"place, or make the file writable and reconnect the gateway").
			With(errcode.KeyReason, errcode.ReasonConfigUnwritable)
	}
	return nil
}

// mayChange refuses a plan that changes a config which can't be changed. A push checks it first, so that it writes no
// workspace file without the config.
func (p *pusher) mayChange(now state, todo plan) error {
	if !todo.changes(now) {
		return nil // workspace files can be written even so
	}
	return Refused(p.gw.Capabilities().ReadOnly)
}
