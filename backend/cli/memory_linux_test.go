package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"agentflow/backend/engine/enginetest"
	"agentflow/backend/work/task"
)

// memoryUse is what a process holds of the computer's memory, in bytes: at most since forget, and now.
type memoryUse struct{ most, now int64 }

var memoryLine = regexp.MustCompile(`(?m)^Vm(HWM|RSS):\s+(\d+) kB$`)

func memoryOf(t *testing.T, pid int) (u memoryUse) {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range memoryLine.FindAllStringSubmatch(string(text), -1) {
		kb, _ := strconv.ParseInt(m[2], 10, 64)
		if m[1] == "HWM" {
			u.most = kb << 10
		} else {
			u.now = kb << 10
		}
	}
	return u
}

// forget resets the peak memory of a process.
func forget(t *testing.T, pid int) memoryUse {
	t.Helper()
	if err := os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", pid), []byte("5"), 0); err != nil {
		t.Fatal(err)
	}
	return memoryOf(t, pid)
}

// startAgent starts an agent with a shell in a separate process, and returns it with its address.
func startAgent(t *testing.T, c *child, secret string) (pid int, url string) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "agent.yaml")
	config := fmt.Sprintf(
		"agent:\n  name: far-1\n  role: Developer\n  model: demo/echo\n  mcpPolicy: {default: auto}\n  security: {allowedPaths: [%q]}\ncallers:\n  - {name: hub, role: Coordinator, secretEnv: HUB_SECRET}\n",
		dir,
	)
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := bounded(t.Cleanup, c.cmd.Path, "agent", "start", "--port", "0", "--coordinator", c.URL(), "--config", file)
	cmd.Env = []string{"AGENTFLOW_AGENT_SECRET=" + secret, "HUB_SECRET=" + secret, "AGENTFLOW_DATA=" + t.TempDir(), "HOME=" + dir, "PATH=" + os.Getenv("PATH")}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	url, is := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	if err != nil || !is {
		t.Fatalf("the agent says %q, %v", line, err)
	}
	return cmd.Process.Pid, url
}

// A command that prints a gigabyte on each of its outputs: what is kept of it is bounded, and
// neither the agent nor the hub takes more memory for it than for a short one (fault 17).
func TestCO4_Fault17_AGigabyteOfOutput(t *testing.T) {
	const grows = 64 << 20 // bytes, with the race detector's own; the output is 3 or 30 times that
	bytes := rounds(100_000_000, 1_000_000_000)
	secret := "secret-of-24-bytes-of-far-1"
	c := startChild(t, t.TempDir(), "AGENTFLOW_AGENT_FAR="+secret)
	agent, url := startAgent(t, c, secret)
	apply(t, c, fmt.Sprintf("agents:\n  pm-1: {name: PM, role: Coordinator, subagents: {allowAgents: [far-1]}}\n"+
		"  far-1: {name: Far, role: Developer, url: %q, secretEnv: AGENTFLOW_AGENT_FAR}\n", url))
	enginetest.Trust(t, c.Client, "local")
	run := func(command string) task.Task {
		t.Helper()
		var sent struct{ TaskID string }
		ask := map[string]any{
			"sessionId":  "s",
			"userPrompt": command,
			"taskType":   "command_execution",
			"context":    map[string]any{"timeoutSec": 600},
		}
		if err := c.Call(t.Context(), http.MethodPost, "/submit_task", ask, &sent); err != nil {
			t.Fatal(err)
		}
		eventsOf(t, c, sent.TaskID)
		var got task.Task
		if err := c.Call(t.Context(), http.MethodGet, "/tasks/"+sent.TaskID, nil, &got); err != nil || got.Status != task.Completed {
			t.Fatalf("%s %q, %v", got.Status, got.ErrorMessage, err)
		}
		return got
	}
	run("echo short")
	processes := map[string]int{"the hub": c.cmd.Process.Pid, "the agent": agent}
	before := map[string]memoryUse{}
	for name, pid := range processes {
		before[name] = forget(t, pid)
	}
	got := run(
		fmt.Sprintf("echo begin; head -c %[1]d /dev/zero | tr '\\0' x; echo end; yes line | head -c %[1]d >&2", bytes),
	)
	for name, pid := range processes {
		more := memoryOf(t, pid).most - before[name].now
		t.Logf("%s held %d MB more while %d MB were printed", name, more>>20, 2*bytes/1_000_000)
		if more > grows {
			t.Errorf("%s took %d bytes more", name, more)
		}
	}
	var result struct{ Stdout, Stderr string }
	if err := json.Unmarshal(got.Result, &result); err != nil || len(got.Result) > 1<<20 {
		t.Fatalf("%d bytes of result, %v", len(got.Result), err)
	}
	for name, text := range map[string]string{"begin\nx": result.Stdout[:7], "xend\n": result.Stdout[len(result.Stdout)-5:], "line\n": result.Stderr[:5]} {
		if text != name {
			t.Errorf("%q is kept for %q", text, name)
		}
	}
	if !strings.Contains(result.Stdout, "bytes left out") || !strings.Contains(result.Stderr, "bytes left out") {
		t.Error("the output doesn't say that something was left out")
	}
}

// Ten thousand tasks with long prompts wait in a hub that may hold 64 MiB: it stays within, lists
// them, takes one more, and begins with the oldest when there is somebody to do them (fault 19).
func TestCO6_Fault19_AMemoryLimitWhileThousandsWait(t *testing.T) {
	const limit = 64 << 20
	many := rounds(1000, 10_000)
	c := startChild(t, t.TempDir(), "GOMEMLIMIT="+strconv.Itoa(limit))
	before := forget(t, c.cmd.Process.Pid)
	prompt := strings.Repeat("日本語 prompt ", 600) // 10 kB: all of them do not fit
	ids := make([]string, many)
	next := make(chan int)
	var clients sync.WaitGroup
	for range 16 {
		clients.Go(func() {
			for i := range next {
				ids[i] = submitLong(t.Context(), t, c, prompt)
			}
		})
	}
	most := int64(0)
	for i := range many {
		next <- i
		if i%500 == 0 {
			most = max(most, heapOf(t, c))
		}
	}
	close(next)
	clients.Wait()
	after, listed := "", 0
	for listed < many { // all of them, a page at a time
		var list struct{ Tasks []struct{ TaskID string } }
		if err := c.Call(t.Context(), http.MethodGet, "/api/tasks?limit=500&before="+after, nil, &list); err != nil || len(list.Tasks) == 0 {
			t.Fatalf("after %d tasks come none, %v", listed, err)
		}
		listed += len(list.Tasks)
		after = list.Tasks[len(list.Tasks)-1].TaskID
		most = max(most, heapOf(t, c))
	}
	var all struct{ Counts map[task.Status]int }
	if err := c.Call(t.Context(), http.MethodGet, "/api/tasks?limit=1", nil, &all); err != nil ||
		all.Counts[task.Pending]+all.Counts[task.InProgress]+all.Counts[task.Completed] < many { // and parts of some
		t.Errorf("%d were accepted, %+v, %v", many, all.Counts, err)
	}
	echoes(t, c, 2)
	eventsOf(t, c, oldest(ids)) // it comes to its end
	most = max(most, heapOf(t, c))
	u := memoryOf(t, c.cmd.Process.Pid)
	t.Logf("%d tasks of %d kB wait: at most %d MiB of heap, %d MiB more of the computer's memory than at the start",
		many, len(prompt)/1000, most>>20, (u.most-before.now)>>20)
	if most > limit {
		t.Errorf("the heap was %d bytes", most)
	}
}

// oldest is the task that was taken first: ids are in the order of their time.
func oldest(ids []string) string {
	first := ids[0]
	for _, id := range ids {
		first = min(first, id)
	}
	return first
}

func submitLong(ctx context.Context, t *testing.T, c *child, prompt string) string {
	var sent struct{ TaskID, Status string }
	ask := map[string]any{"sessionId": "s", "userPrompt": prompt, "taskType": "chat"}
	if err := c.Call(ctx, http.MethodPost, "/submit_task", ask, &sent); err != nil || sent.Status != "accepted" {
		t.Errorf("%+v %v", sent, err)
	}
	return sent.TaskID
}

var heapLine = regexp.MustCompile(`(?m)^go_memstats_heap_alloc_bytes (\d+)$`)

// heapOf is what the hub says of its heap.
func heapOf(t *testing.T, c *child) int64 {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.URL()+"/metrics", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+childToken)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	found := heapLine.FindStringSubmatch(string(text))
	if err != nil || found == nil {
		t.Fatalf("%s %v", text, err)
	}
	n, _ := strconv.ParseInt(found[1], 10, 64)
	return n
}
