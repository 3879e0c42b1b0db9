//go:build !linux && !windows

package proc

import "os/exec"

// Shim is needed on Linux only: here a program's tree is its process group, and its
// descendants at the time it is ended.
func Shim() (code int, is bool) { return 0, false }

func hold(cmd *exec.Cmd, c Command) *group { return &group{cmd: cmd, c: c} }
