package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// floodEnv makes this program a coding CLI that prints at the highest rate that AgentFlow promises to handle.
// Its value is the path prefix of the files that each worker writes: began-PID at the start, rate-PID at the end.
const floodEnv = "AGENTFLOW_BENCH_FLOOD"

const (
	floodWorkers = 8
	floodRate    = 10 << 20 // bytes a second
	floodFor     = 5 * time.Second
	floodStep    = 10 * time.Millisecond
)

// atOnce waits until all workers have begun.
func atOnce(ctx context.Context, files string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errors.New("the workers did not all begin"))
	defer cancel()
	tick := time.NewTicker(floodStep)
	defer tick.Stop()
	for {
		if all, _ := filepath.Glob(files + "began-*"); len(all) == floodWorkers {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// flood prints what Codex prints of commands with much output, once all workers can, and ends its turn.
func flood() {
	text, _ := json.Marshal(strings.Repeat("a line of a build that says a lot\n", 1900)) // texts always are JSON
	line := fmt.Sprintf(
		`{"type":"item.completed","item":{"id":"1","type":"command_execution","command":"make","aggregated_output":%s,"exit_code":0,"status":"completed"}}`+"\n",
		text,
	)
	out := bufio.NewWriterSize(os.Stdout, len(line))
	files, own := os.Getenv(floodEnv), fmt.Sprint(os.Getpid())
	_ = os.WriteFile(files+"began-"+own, nil, 0o600)
	if err := atOnce(context.Background(), files); err != nil {
		return
	}
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
	_ = os.WriteFile(files+"rate-"+own, []byte(fmt.Sprint(rate)), 0o600)
}
