package sandbox

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// kept are the capabilities that a command of root keeps: for files that it can reach, for
// other users' ids and for low ports. With the others it could read the memory of this
// program, environment included, in spite of Landlock.
const kept = 1<<unix.CAP_CHOWN | 1<<unix.CAP_DAC_OVERRIDE | 1<<unix.CAP_FOWNER | 1<<unix.CAP_FSETID | 1<<unix.CAP_KILL |
	1<<unix.CAP_SETGID | 1<<unix.CAP_SETUID | 1<<unix.CAP_SETFCAP | 1<<unix.CAP_SYS_CHROOT | 1<<unix.CAP_NET_BIND_SERVICE

// drop gives up all other capabilities, for this thread and what it becomes.
func drop() error {
	for number := uintptr(0); ; number++ {
		has, err := unix.PrctlRetInt(unix.PR_CAPBSET_READ, number, 0, 0, 0)
		if errors.Is(err, unix.EINVAL) {
			break // the last one was before
		}
		if err != nil {
			return err
		}
		if has == 0 || kept&(1<<number) != 0 {
			continue
		}
		// Others than root have nothing to drop, and get nothing by a program either.
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, number, 0, 0, 0); err != nil && os.Geteuid() == 0 {
			return err
		}
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var sets [2]unix.CapUserData
	if err := unix.Capget(&header, &sets[0]); err != nil {
		return err
	}
	for i := range sets {
		sets[i].Permitted &= uint32(uint64(kept) >> (32 * i))
		sets[i].Effective &= sets[i].Permitted
		sets[i].Inheritable = 0 // so the ambient ones go as well
	}
	return unix.Capset(&header, &sets[0])
}
