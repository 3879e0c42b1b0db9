package httperr

import (
	"errors"
	"log/slog"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/base/errcode"
)

// A gateway that rejects the hub's token must not look as if the browser had been signed out.
func TestTR1_OnlyTheRequestsOwnTokenIsA401(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	refused := errcode.New(errcode.Unauthorized, "the token was rejected")
	for name, k := range map[string]struct {
		err  error
		want int
	}{
		"a gateway's refusal": {refused, 424},
		"the request's token": {OwnToken(refused), 401},
		"no permission":       {errcode.New(errcode.Forbidden, "not for you"), 403},
	} {
		var status huma.StatusError
		if got := Failed(t.Context(), log, k.err); !errors.As(got, &status) || status.GetStatus() != k.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
