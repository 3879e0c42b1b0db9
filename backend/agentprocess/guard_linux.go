package agentprocess

import "syscall"

const setDumpable = 4 // PR_SET_DUMPABLE

// Conceal keeps other programs of the same user, commands that the agent runs among them,
// from reading this process: its memory, and the environment that it was started with, where
// its secrets are. Programs that it starts are not concealed.
func Conceal() error {
	if _, _, err := syscall.RawSyscall(syscall.SYS_PRCTL, setDumpable, 0, 0); err != 0 {
		return err
	}
	return nil
}
