package codecli

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"agentflow/backend/base/proc"
)

// Found is a CLI on this computer.
type Found struct {
	Kind    Kind   `json:"kind"`
	Command string `json:"command"`
	Install string `json:"install" doc:"How to install the CLI."`
	Path    string `json:"path,omitempty" doc:"Path of the CLI. Empty: not installed."`
	Version string `json:"version,omitempty" doc:"Version that the CLI reports."`
	Problem string `json:"problem,omitempty" doc:"Why it can't be used although it's installed."`
	ACP     Spoken `json:"acp" doc:"How to use it in the mode acp."`
}

// Spoken is the program that speaks ACP for a CLI: the CLI itself, or an adapter.
type Spoken struct {
	Command string `json:"command"`
	Install string `json:"install" doc:"How to install the adapter."`
	Path    string `json:"path,omitempty" doc:"Path of the adapter. Empty: not installed."`
}

// Missing returns why a CLI can't be started here, or "". An empty command is the usual one.
func Missing(kind Kind, command string) string {
	a, known := adapters[kind]
	if !known {
		return fmt.Sprintf("there is no worker %q; known are %s", kind, names())
	}
	if command == "" {
		command = a.command
	}
	if _, err := exec.LookPath(command); err != nil {
		return fmt.Sprintf("the command %s of the worker %s was not found. Install it (%s), or name its path", command,
			kind, a.install)
	}
	return ""
}

const asking = 20 * time.Second

// Find finds the CLIs and asks each for its version, with a separate home below dir.
func Find(ctx context.Context, dir string) []Found {
	var all []Found
	for _, kind := range Kinds() {
		a := adapters[kind]
		f := Found{Kind: kind, Command: a.command, Install: a.install}
		if path, err := exec.LookPath(a.command); err == nil {
			f.Path = path
			f.Version, f.Problem = version(ctx, a, path, dir)
		}
		f.ACP.Command, f.ACP.Install = a.speaks(Worker{})
		if path, err := exec.LookPath(f.ACP.Command); err == nil {
			f.ACP.Path = path
		}
		all = append(all, f)
	}
	return all
}

func version(ctx context.Context, a adapter, path, dir string) (version, problem string) {
	home, err := prepare(dir, a)
	if err != nil {
		return "", err.Error()
	}
	out := proc.HeadTailBuffer{Most: 1 << 10}
	res, err := proc.Run(
		ctx,
		proc.Command{
			Path:    path,
			Args:    []string{"--version"},
			Env:     Worker{}.environment(a, home, Call{}),
			Output:  out.Take,
			Timeout: asking,
		},
	)
	text, _, _ := strings.Cut(strings.TrimSpace(out.Text()), "\n")
	switch {
	case err != nil:
		return text, err.Error()
	case res.Code != 0 || text == "":
		return text, or(lastLine(res.Said), "it does not tell its version")
	}
	return text, ""
}

func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return text[strings.LastIndexByte(text, '\n')+1:]
}
