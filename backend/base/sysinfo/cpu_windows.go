package sysinfo

import (
	"syscall"
	"time"
)

// cpuTime is what the program has used of all cores.
func cpuTime() time.Duration {
	self, err := syscall.GetCurrentProcess()
	if err != nil {
		return 0
	}
	var created, exited, kernel, user syscall.Filetime
	if syscall.GetProcessTimes(self, &created, &exited, &kernel, &user) != nil {
		return 0
	}
	const tick = 100 // nanoseconds; a Filetime's own count begins in 1601, this one at nothing
	count := func(f syscall.Filetime) int64 { return int64(f.HighDateTime)<<32 + int64(f.LowDateTime) }
	return time.Duration((count(kernel) + count(user)) * tick)
}
