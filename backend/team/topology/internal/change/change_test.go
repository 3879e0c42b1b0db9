package change

import (
	"encoding/json"
	"errors"
	"testing"

	"agentflow/backend/base/errcode"
)

// A change whose value can't be read is rejected by its ID, so that the review can mark it.
func TestDecode_NamesTheChange(t *testing.T) {
	c := Change{ID: "agent:dev-1:model", After: json.RawMessage(`5`)}
	var e *errcode.Error
	err := c.Decode(new(string))
	if !errors.As(err, &e) || e.Code != errcode.Validation || e.Details[errcode.KeyField] != c.ID {
		t.Errorf("%+v", err)
	}
	n := 0
	if err := c.Decode(&n); err != nil || n != 5 {
		t.Errorf("%d, %v", n, err)
	}
}
