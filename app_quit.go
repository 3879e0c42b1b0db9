//go:build desktop

package main

import (
	"fmt"
	"os"
	"time"
)

// quitLimit is how long the whole program may take to end.
const quitLimit = 20 * time.Second

// quit asks the window to close. One whose web view hangs does not, and main waits for it:
// after the limit the program is given up. By then the hub has ended.
func quit(limit time.Duration, window func()) {
	time.AfterFunc(limit, func() {
		_, _ = fmt.Fprintln(os.Stderr, "agentflow: the window did not close and was given up")
		os.Exit(1) //nolint:forbidigo // main does not return while the web view hangs
	})
	window()
}
