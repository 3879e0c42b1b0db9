package client

import "context"

const cronStatusMethod = "cron.status"

// Off reports whether the gateway's scheduler is switched off, so that no job runs at its time, although each has a
// next time. A gateway that doesn't tell counts as on.
func (j Cron) Off(ctx context.Context) (bool, error) {
	if !j.c.Features().Has(cronStatusMethod) {
		return false, nil
	}
	raw, err := j.c.call(ctx, request{method: cronStatusMethod, params: struct{}{}, timeout: j.c.timing.Call})
	if err != nil {
		return false, err
	}
	var a struct {
		Enabled *bool `json:"enabled"`
	}
	if err := decodeResult(cronStatusMethod, raw, &a); err != nil {
		return false, err
	}
	return a.Enabled != nil && !*a.Enabled, nil
}
