package sysinfo

import (
	"runtime"
	"testing"
)

// CH-11: what is measured is the program's own: it grows with what the program does.
func TestCH11_WhatTheProgramUsesIsMeasured(t *testing.T) {
	runtime.GC() // of what an earlier run held
	before := Now()
	if before.Memory <= 0 || before.Live <= 0 || before.Live > before.Memory || before.Goroutines < 1 || before.Cores < 1 || before.PID < 1 {
		t.Fatalf("%+v", before)
	}
	held := make([]byte, 64<<20)
	for i := range held {
		held[i] = byte(i)
	}
	n := int(held[len(held)-1])
	for Now().CPUMs < before.CPUMs+20 { // however slow the computer is
		for i := range held {
			n += int(held[i])
		}
	}
	after := Now()
	runtime.KeepAlive(held)
	if after.Live < before.Live+32<<20 || after.CPUMs <= before.CPUMs || after.UptimeMs < before.UptimeMs || n == 0 {
		t.Errorf("before %+v, after %+v", before, after)
	}
}
