package maintenanceapi

import (
	"io"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
)

// An upload that is too long is rejected, where a LimitReader would cut it and pass it on.
func TestBounded_RejectsInsteadOfCutting(t *testing.T) {
	for left, fits := range map[int64]bool{5: true, 4: false, 0: false} {
		got, err := io.ReadAll(&bounded{strings.NewReader("12345"), left})
		if fits && (err != nil || string(got) != "12345") || !fits && !errcode.Is(err, errcode.Validation) {
			t.Errorf("%d bytes left: %q, %v", left, got, err)
		}
	}
}
