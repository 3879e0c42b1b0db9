//go:build !linux

package agentprocess

// Conceal does nothing: on these systems other programs can't read a process's environment by its ID.
func Conceal() error { return nil }
