package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"agentflow/build/offscreen"
)

// memory is what a process holds, in MB of a million bytes.
type memory struct{ now, peak float64 }

// processMemory reads the resident size.
func processMemory(pid int) (memory, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return memory{}, err
	}
	var m memory
	if m.now, err = kilobytes(string(text), "VmRSS:"); err != nil {
		return m, err
	}
	m.peak, err = kilobytes(string(text), "VmHWM:")
	return m, err
}

// kilobytes finds a line like "VmRSS:   1234 kB" and returns it in MB.
func kilobytes(text, name string) (float64, error) {
	for line := range strings.Lines(text) {
		if fields := strings.Fields(line); len(fields) == 3 && fields[0] == name {
			kb, err := strconv.Atoi(fields[1])
			return float64(kb) * 1024 / 1e6, err
		}
	}
	return 0, fmt.Errorf("the kernel does not tell %s", name)
}

// treeMemory adds up the proportional size of a process and all below it: what several
// of them share counts once.
func treeMemory(pid int) (sum float64, processes int, err error) {
	for _, p := range append(offscreen.Below(pid), pid) {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", p))
		if p != pid && err != nil {
			continue // it has ended
		}
		if err != nil {
			return 0, 0, err
		}
		mb, err := kilobytes(string(text), "Pss:")
		if err != nil {
			return 0, 0, err
		}
		sum, processes = sum+mb, processes+1
	}
	return sum, processes, nil
}

// treeTime adds up the processor's time of a process and all that run below it.
func treeTime(pid int) time.Duration {
	const tick = 10 * time.Millisecond // what the kernel counts for programs, on every machine
	var sum time.Duration
	for _, p := range append(offscreen.Below(pid), pid) {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p))
		_, rest, _ := strings.Cut(string(text), ") ")
		fields := strings.Fields(rest)
		if err != nil || len(fields) < 13 {
			continue // it has ended
		}
		for _, f := range fields[11:13] { // in user mode and in the kernel
			if n, err := strconv.Atoi(f); err == nil {
				sum += time.Duration(n) * tick
			}
		}
	}
	return sum
}
