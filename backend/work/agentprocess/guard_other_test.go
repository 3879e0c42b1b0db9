//go:build !linux

package agentprocess_test

func started() bool { return false }
