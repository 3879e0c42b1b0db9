package hostile

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// stat is what the system tells of a process.
type stat struct {
	pid, parent int
	ended       bool
	children    int // page faults of children that have ended: not 0 once there was one
	command     string
}

func readStat(pid string) (s stat, ok bool) {
	text, err := os.ReadFile(filepath.Join("/proc", pid, "stat"))
	if err != nil {
		return s, false
	}
	rest := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:])) // the state comes first
	s.ended = rest[0] == "Z"
	s.pid, _ = strconv.Atoi(pid)
	s.parent, _ = strconv.Atoi(rest[1])
	s.children, _ = strconv.Atoi(rest[8])
	line, _ := os.ReadFile(filepath.Join("/proc", pid, "cmdline"))
	s.command = strings.TrimSpace(strings.ReplaceAll(string(line), "\x00", " "))
	return s, true
}

// foreignProcesses lists the processes that the hub started, running or ended. An agent that can run as a
// local process isn't listed, but the processes that it started are.
func (w *world) foreignProcesses() (found []string) {
	all := map[int][]stat{}
	places, _ := filepath.Glob("/proc/[0-9]*")
	for _, at := range places {
		if s, ok := readStat(filepath.Base(at)); ok {
			all[s.parent] = append(all[s.parent], s)
		}
	}
	if s, ok := readStat(strconv.Itoa(w.hub.Process.Pid)); ok && s.children > 0 && len(w.agents) == 0 {
		found = append(found, "a child of the hub, which has ended")
	}
	for next := []int{w.hub.Process.Pid}; len(next) > 0; next = next[1:] {
		for _, s := range all[next[0]] {
			next = append(next, s.pid)
			agent := strings.Contains(s.command, " agent start --json ")
			switch {
			case s.ended && len(w.agents) > 0: // it can't be told any more which agent that was
			case !agent || len(w.agents) == 0:
				found = append(found, s.command)
			case s.children > 0 && !strings.HasPrefix(s.command, "agentflow-shim "): // that holds the agent alone
				found = append(found, fmt.Sprintf("a child of %s, which has ended", s.command))
			}
		}
	}
	return found
}
