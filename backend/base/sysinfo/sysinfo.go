// Package sysinfo measures what the program itself uses of the computer.
package sysinfo

import (
	"os"
	"runtime"
	"time"
)

// ProgramUse is what the program uses, and has used since it was started.
type ProgramUse struct {
	PID        int       `json:"pid"`
	StartedAt  time.Time `json:"startedAt"`
	UptimeMs   int64     `json:"uptimeMs" doc:"Time since the start in milliseconds."`
	Memory     int64     `json:"memory" doc:"Memory in bytes."`
	Live       int64     `json:"live" doc:"Memory in use, in bytes."`
	CPUMs      int64     `json:"cpuMs" doc:"CPU time since the start in milliseconds, over all cores."`
	CPUShare   float64   `json:"cpuShare" doc:"Average use of one core since the start, 0 to 1 per core."`
	Cores      int       `json:"cores" doc:"Number of cores that it can use."`
	Goroutines int       `json:"goroutines" doc:"Number of goroutines."`
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
