//go:build !windows

package files

import "syscall"

const nonblock = syscall.O_NONBLOCK
