package localgatewaytest

import (
	"testing"

	"agentflow/backend/localgateway"
)

func TestMemoryStore(t *testing.T) {
	RunStoreSuite(t, func(*testing.T) localgateway.Store { return &MemoryStore{} })
}
