// AgentFlow edits teams of AI agents and applies them safely to a live gateway.
// Without tags this is the CLI and the hub; with the tag desktop it has a window too.
package main

import (
	"context"
	"os"

	"agentflow/backend/base/proc"
	"agentflow/backend/cli"
)

func main() {
	if code, is := proc.Shim(); is {
		os.Exit(code)
	}
	os.Exit(
		cli.Main(context.Background(), os.Args[1:], cli.Stdio{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, runWindow),
	)
}
