package engine_test

import (
	"fmt"
	"os"
	"testing"

	"agentflow/backend/gateway/gatewaytest"
)

func TestMain(m *testing.M) {
	code := m.Run()
	if err := gatewaytest.StopSharedReals(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code) //nolint:forbidigo // as every TestMain
}
