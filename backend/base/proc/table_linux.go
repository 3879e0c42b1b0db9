package proc

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Fields of /proc/PID/stat behind the name, which may hold anything.
const (
	statState  = 0
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

// startTime tells a process from a later one with the same number; "" when it has ended.
func startTime(pid int) string {
	if f := stat(strconv.Itoa(pid)); f != nil && f[statState] != "Z" && f[statState] != "X" {
		return f[statStart]
	}
	return ""
}

// boot identifies this start of the computer: process numbers and births repeat after a restart.
func boot() string {
	data, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(data))
}

// everybody calls f for each process that has not ended.
func everybody(f func(pid, parent int, birth string)) {
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		s := stat(e.Name())
		if s == nil || s[statState] == "Z" || s[statState] == "X" {
			continue
		}
		parent, _ := strconv.Atoi(s[statParent])
		f(pid, parent, s[statStart])
	}
}

// tagged returns those whose environment holds the tag, which descendants inherit however
// far they go.
func tagged(tag string) map[int]string {
	found := map[int]string{}
	want := []byte(tagName + "=" + tag)
	everybody(func(pid, _ int, birth string) {
		env, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "environ"))
		for kv := range bytes.SplitSeq(env, []byte{0}) {
			if bytes.Equal(kv, want) {
				found[pid] = birth
			}
		}
	})
	return found
}
