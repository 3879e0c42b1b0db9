//go:build unix

package cli

import (
	"os"
	"syscall"
)

// hangUp is the signal of a terminal that was closed: a hub ends by it as by SIGTERM.
var hangUp os.Signal = syscall.SIGHUP
