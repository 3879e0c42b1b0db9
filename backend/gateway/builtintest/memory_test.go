package builtintest

import (
	"testing"

	"agentflow/backend/gateway/builtin"
)

func TestMemoryStore(t *testing.T) {
	RunStoreSuite(t, func(*testing.T) builtin.Store { return &MemoryStore{} })
}
