package client_test

import (
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/gatewaytest"
)

// OC-4: a newest gateway says whether its config is managed. Older ones, and those of the other dialect, don't say.
func TestOC4_AGatewaySaysWhetherItsConfigIsManaged(t *testing.T) {
	for name, tc := range map[string]struct {
		opts  gatewaytest.Options
		fault gatewaytest.Faults
		want  bool
	}{
		"newest":               {},
		"newest, managed":      {fault: gatewaytest.Faults{ReadOnly: gatewaytest.Managed}, want: true},
		"newest, not writable": {fault: gatewaytest.Faults{ReadOnly: gatewaytest.Unwritable}},
		"newest, without plugins": {fault: gatewaytest.Faults{
			ReadOnly: gatewaytest.Managed, Lacks: []string{"plugins.list"},
		}},
		"february": {
			opts:  gatewaytest.Options{Generation: gatewaytest.February},
			fault: gatewaytest.Faults{ReadOnly: gatewaytest.Managed},
		},
		"jsonrpc": {opts: gatewaytest.Options{Dialect: client.DialectJSONRPC}},
	} {
		t.Run(name, func(t *testing.T) {
			s := gatewaytest.Start(t, tc.opts)
			s.SetFaults(tc.fault)
			got, err := dial(t, s).ConfigManaged(ctx(t))
			if err != nil || got != tc.want {
				t.Errorf("managed %v, %v", got, err)
			}
		})
	}
}

// OC-4: both refusals have a reason of their own, and leave no doubt about the config.
func TestOC4_ARefusalSaysWhyAConfigCannotBeChanged(t *testing.T) {
	for said, want := range map[string]string{
		gatewaytest.Managed:    errcode.ReasonConfigManaged,
		gatewaytest.Unwritable: errcode.ReasonConfigUnwritable,
		"NixModeConfigMutationError: Config is managed by Nix (`OPENCLAW_NIX_MODE=1`), so OpenClaw treats " +
			"openclaw.json as immutable.": errcode.ReasonConfigManaged,
		"Error: EROFS: read-only file system, open '/etc/openclaw.json'": errcode.ReasonConfigUnwritable,
		"config.apply persisted but was not applied: EACCES":             errcode.ReasonUnknown,
		"Error: something else": errcode.ReasonUnknown,
	} {
		s := gatewaytest.Start(t, gatewaytest.Options{})
		s.SetFaults(gatewaytest.Faults{ReadOnly: said})
		c := dial(t, s)
		cfg, err := c.ConfigGet(ctx(t))
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.ConfigApply(ctx(t), client.ApplyRequest{Raw: string(cfg.Parsed), BaseHash: cfg.Hash})
		if got := errcode.From(err).Reason(); got != want {
			t.Errorf("%q has the reason %q, want %q", said, got, want)
		}
	}
}
