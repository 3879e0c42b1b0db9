// Package resources measures what the program itself uses of the computer.
package resources

import (
	"os"
	"runtime"
	"time"
)

// ProgramUse is what the program uses, and has used since it was started.
type ProgramUse struct {
	PID        int       `json:"pid"`
	StartedAt  time.Time `json:"startedAt"`
	UptimeMs   int64     `json:"uptimeMs"`
	Memory     int64     `json:"memory"`     // bytes that it holds of the computer's
	Live       int64     `json:"live"`       // bytes of them that are in use
	CPUMs      int64     `json:"cpuMs"`      // of all cores, since the start
	CPUShare   float64   `json:"cpuShare"`   // of one core, on average since the start
	Cores      int       `json:"cores"`      // that it may use
	Goroutines int       `json:"goroutines"` // tasks within the program
}

var started = time.Now()

// Now measures.
func Now() ProgramUse {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	up, cpu := time.Since(started), cpuTime()
	return ProgramUse{
		PID: os.Getpid(), StartedAt: started, UptimeMs: up.Milliseconds(),
		Memory: int64(m.Sys - m.HeapReleased), Live: int64(m.HeapAlloc + m.StackInuse), //nolint:gosec // memory is less than that
		CPUMs: cpu.Milliseconds(), CPUShare: cpu.Seconds() / max(up.Seconds(), 0.001),
		Cores: runtime.GOMAXPROCS(0), Goroutines: runtime.NumGoroutine(),
	}
}
