package gatewaycmd

import (
	"cmp"
	"os"
	"strings"

	"agentflow/backend/base/config"
	"agentflow/backend/base/errcode"
	"agentflow/backend/base/netlisten"
	"agentflow/backend/cli/internal/hubflags"
	"agentflow/backend/engine"
	"agentflow/backend/gateway/client"
)

// trusted returns what the settings and the flags say about the gateway at the address: whether its
// token can go there without TLS, and the fingerprint of its certificate.
func (f *gatewayFlags) trusted(address, dir string) (insecure bool, fingerprint string, err error) {
	if fingerprint = f.fingerprint; fingerprint == "" && strings.HasPrefix(address, "wss://") {
		fingerprint = os.Getenv(config.EnvGatewayFingerprint)
		if fingerprint == "" && strings.HasSuffix(address, builtIn) { // that of a hub, which has its own variable
			fingerprint = os.Getenv(hubflags.EnvFingerprint)
		}
	}
	readable := client.Readable(address) != nil
	if fingerprint != "" && !readable {
		return false, fingerprint, nil
	}
	settings, err := config.Load(dir)
	if err != nil {
		return false, "", err
	}
	return readable && engine.AllowsInsecure(settings, address),
		cmp.Or(fingerprint, engine.KeptFingerprint(settings, address)), nil
}

// certificateError is the error of a gateway whose certificate was refused, with the remedy that
// the command line has.
func certificateError(e *errcode.Error, address string) (*errcode.Error, bool) {
	fingerprint, _ := e.Details[client.KeyFingerprint].(string)
	var said *errcode.Error
	switch e.Details[errcode.KeyCause] {
	case client.CauseChanged:
		said = netlisten.Mismatch(fingerprint)
	case client.CauseCertificate:
		said = errcode.New(e.Code, "couldn't reach the gateway at %s: its certificate (%s) isn't trusted. "+
			"If it is the right one, pass its fingerprint with --fingerprint", address, fingerprint)
	default:
		return nil, false
	}
	for key, value := range e.Details {
		said = said.With(key, value)
	}
	return said, true
}
