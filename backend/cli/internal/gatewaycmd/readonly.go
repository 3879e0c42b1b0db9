package gatewaycmd

import (
	"agentflow/backend/base/atomicfile"
	"agentflow/backend/base/errcode"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/gateway/openclaw"
)

// configMode is the mode of a saved config: it names what the gateway's computer has, although its secrets are masked.
const configMode = 0o600

// savedConfig is what gateway apply and rollback say with --json and --save-config.
type savedConfig struct {
	Gateway string `json:"gateway"`
	Config  string `json:"config"`
}

// saveConfig writes the config as it would be afterwards to a file, instead of changing the gateway.
func (p program) saveConfig(c connection, v openclaw.Preview, path string) error {
	p.tellPreview(v)
	if path == shell.Stdin {
		if !p.Screen.JSON {
			p.Screen.Raw([]byte(v.After))
		}
	} else if err := atomicfile.Write(path, []byte(v.After), configMode); err != nil {
		return err
	}
	p.Screen.Note("config saved, nothing was sent to the gateway. Enter the secrets in place of %s, then replace the "+
		"config where it is managed.", openclaw.Redacted)
	return p.Screen.Object(savedConfig{c.url, path})
}

// refused says why the gateway's config can't be changed, and what to do instead; nil if it can.
func refused(why openclaw.ReadOnly) error {
	var e *errcode.Error
	switch why {
	case openclaw.Managed:
		e = errcode.New(errcode.Gateway, "another program manages the gateway's config. Nothing was written. "+
			"Use --save-config FILE to save the config, and replace it where it is managed.").
			With(errcode.KeyReason, errcode.ReasonConfigManaged)
	case openclaw.Unwritable:
		e = errcode.New(errcode.Gateway, "the gateway can't write its config file. Nothing was written. Make the file "+
			"writable, or use --save-config FILE to save the config, and replace it on the gateway's computer.").
			With(errcode.KeyReason, errcode.ReasonConfigUnwritable)
	default:
		return nil
	}
	return e
}

// withRemedy gives the refusal of a config that can't be changed the remedy of the command line.
func withRemedy(err error) error {
	if e := refused(openclaw.ReadOnlyOf(err)); e != nil {
		return e
	}
	return err
}
