//go:build !unix

package cli

import "os"

// hangUp is no signal of this system.
var hangUp os.Signal
