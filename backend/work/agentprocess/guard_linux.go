package agentprocess

import "syscall"

const setDumpable = 4 // PR_SET_DUMPABLE

// Conceal keeps other programs of the same user, including commands that the agent runs, from reading this process's
// memory and its initial environment, which contains its secrets. Child processes aren't concealed.
func Conceal() error {
	if _, _, err := syscall.RawSyscall(syscall.SYS_PRCTL, setDumpable, 0, 0); err != 0 {
		return err
	}
	return nil
}
