package sandbox

import "agentflow/backend/base/proc"

// here: a job limits commands, but it isn't a sandbox, because it keeps no files out of reach.
func here() State { return State{Why: job(proc.RestrictsUI())} }
