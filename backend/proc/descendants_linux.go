package proc

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Fields of /proc/PID/stat behind the name, which may hold anything.
const (
	statParent = 1
	statStart  = 19
)

func stat(pid string) []string {
	data, err := os.ReadFile(filepath.Join("/proc", pid, "stat"))
	if err != nil {
		return nil
	}
	text := string(data)
	fields := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
	if len(fields) <= statStart {
		return nil
	}
	return fields
}

// birth tells a process from a later one with the same number; "" when it is gone.
func birth(pid int) string {
	if f := stat(strconv.Itoa(pid)); f != nil {
		return f[statStart]
	}
	return ""
}

// descendants returns everybody below the given processes.
func descendants(of []int) map[int]string {
	children, births := map[int][]int{}, map[int]string{}
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		f := stat(e.Name())
		if f == nil {
			continue
		}
		parent, _ := strconv.Atoi(f[statParent])
		children[parent] = append(children[parent], pid)
		births[pid] = f[statStart]
	}
	found := map[int]string{}
	for len(of) > 0 {
		next := children[of[0]]
		of = of[1:]
		for _, pid := range next {
			if _, known := found[pid]; !known {
				found[pid] = births[pid]
				of = append(of, pid)
			}
		}
	}
	return found
}
