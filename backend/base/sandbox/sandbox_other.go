//go:build !linux && !darwin && !windows

package sandbox

import "runtime"

func here() State {
	return State{Why: fact("no_system", "AgentFlow has no sandbox for "+runtime.GOOS).about("system", runtime.GOOS)}
}
