package client

import (
	"context"

	"agentflow/backend/gateway/client/internal/dialect"
)

// methodPlugins is where a gateway says whether its config may change: installing a plugin would change it.
const methodPlugins = "plugins.list"

// ConfigManaged reports whether the gateway says that another program manages its config, so that it accepts no change.
// Gateways before 2026.8 don't say.
func (c *Client) ConfigManaged(ctx context.Context) (bool, error) {
	if !c.Features().Has(methodPlugins) {
		return false, nil
	}
	raw, err := c.call(ctx, request{
		method: methodPlugins, params: struct{}{}, timeout: c.timing.Call, scope: dialect.ScopeRead,
	})
	if err != nil {
		return false, err
	}
	var answer struct {
		MutationAllowed *bool `json:"mutationAllowed"`
	}
	if err := decodeResult(methodPlugins, raw, &answer); err != nil {
		return false, err
	}
	return answer.MutationAllowed != nil && !*answer.MutationAllowed, nil
}
