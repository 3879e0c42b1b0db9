package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"
)

// floodEnv makes this program a coding CLI that prints as fast as is promised to be borne, and
// writes how much that was into the file that it names.
const floodEnv = "AGENTFLOW_BENCH_FLOOD"

const (
	floodRate = 10 << 20 // bytes a second
	floodFor  = 5 * time.Second
	floodStep = 10 * time.Millisecond
)

// flood prints what Codex prints of commands with much output, and ends its turn.
func flood() {
	text, _ := json.Marshal(strings.Repeat("a line of a build that says a lot\n", 1900)) // texts always are JSON
	line := fmt.Sprintf(`{"type":"item.completed","item":{"id":"1","type":"command_execution","command":"make","aggregated_output":%s,"exit_code":0,"status":"completed"}}`+"\n", text)
	out := bufio.NewWriterSize(os.Stdout, len(line))
	began, sent := time.Now(), 0
	tick := time.NewTicker(floodStep)
	defer tick.Stop()
	for time.Since(began) < floodFor {
		for due := int(time.Since(began).Seconds() * floodRate); sent < due; sent += len(line) {
			if _, err := out.WriteString(line); err != nil {
				return
			}
		}
		<-tick.C
	}
	rate := float64(sent) / time.Since(began).Seconds()
	_, _ = fmt.Fprintln(out, `{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}`)
	_ = out.Flush()
	_ = os.WriteFile(os.Getenv(floodEnv)+fmt.Sprint(os.Getpid()), []byte(fmt.Sprint(rate)), 0o600)
}
