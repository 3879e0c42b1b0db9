package sandbox

import (
	"os"
	"sync"

	"agentflow/backend/base/proc"
)

const launcher = "/usr/bin/sandbox-exec"

var here = sync.OnceValue(func() State {
	if _, err := os.Stat(launcher); err != nil {
		return State{Why: fact("no_sandbox_exec", launcher+" is not there")}
	}
	return State{Name: "sandbox-exec", Gaps: []Fact{fact("names", "names and sizes of files elsewhere")}}
})

// confine makes the command one that sandbox-exec becomes.
func confine(c proc.Command, p policy, _ bool) (proc.Command, func(proc.Result) proc.Result) {
	c.Args = append([]string{"-p", profile(p), p.Program}, c.Args...)
	c.Path = launcher
	return c, as
}

// system are the folders of the system that hold no secrets.
func system() []string {
	return []string{
		"/usr", "/bin", "/sbin", "/System", "/Library", "/Applications", "/opt/homebrew", "/nix/store", "/private/etc", "/private/var/db/timezone",
		"/private/var/db/dyld", "/private/var/select",
	}
}

// nests: sandbox-exec refuses to run within itself.
func nests() bool { return false }

// as: the command ends as itself.
func as(r proc.Result) proc.Result { return r }
