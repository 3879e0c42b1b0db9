// Bench measures what AgentFlow promises about speed and memory and prints one table:
// each figure, the limit or the peer that was measured in the same run, and the goal.
// It judges nothing by its exit code: a slow machine is no broken program.
//
//	go run ./bench            the table
//	go run ./bench --json     the same for machines
//	go run ./bench --only parse,diff
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"agentflow/bench/crowd"
)

// setup is what all groups of figures share.
type setup struct {
	root   string // of the checkout
	work   string // a folder on the checkout's disk, which ends with the run
	rounds int    // of what takes milliseconds
	starts int    // of what starts a program
	say    io.Writer
}

// group measures one thing. It reports what it can't measure as a separate figure.
type group struct {
	name    string
	measure func(ctx context.Context, s setup, r *report) error
}

// errLinux is why a figure is missing elsewhere.
var errLinux = errors.New("this is measured on Linux only")

func groups() []group {
	return []group{
		{"parse", parseFigures},
		{"diff", diffFigures},
		{"save", saveFigures},
		{"apply", applyFigures},
		{"memory", memoryFigures},
		{"tasks", taskFigures},
		{"receipts", receiptFigures},
		{"workers", workerFigures},
		{"floodwindow", floodWindowFigures},
		{"rooms", roomFigures},
		{"peers", peerFigures},
		{"browser", browserFigures},
		{"load", loadFigures},
		{"window", windowFigures},
		{"plans", planFigures},
		{"large", largeFigures},
		{"largewindow", largeWindowFigures},
	}
}

func main() {
	if os.Getenv(floodEnv) != "" {
		flood()
		return
	}
	if len(os.Args) == 2 && os.Args[1] == crowd.LoopCommand {
		if err := crowd.BareLoop(os.Stdout); err != nil {
			os.Exit(1) //nolint:forbidigo // this is main
		}
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1) //nolint:forbidigo // this is main
	}
}

func run(ctx context.Context, args []string, out, say io.Writer) error {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(say)
	asJSON := flags.Bool("json", false, "print JSON instead of the table")
	only := flags.String("only", "", "groups to measure, with commas between them (default: all)")
	s := setup{say: say}
	flags.IntVar(&s.rounds, "rounds", 21, "how often to measure what takes milliseconds")
	flags.IntVar(&s.starts, "starts", 5, "how often to start what starts a program")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return err
	}
	if s.rounds < 1 || s.starts < 1 {
		return errors.New("--rounds and --starts must be at least 1")
	}
	wanted, err := choose(*only)
	if err != nil {
		return err
	}
	if err := s.open(); err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(s.work) }()
	r := &report{Machine: thisMachine()}
	for _, g := range wanted {
		_, _ = fmt.Fprintf(say, "measuring: %s\n", g.name)
		if err := g.measure(ctx, s, r); err != nil {
			r.missing(g.name, err)
		}
		if ctx.Err() != nil {
			return errors.New("interrupted")
		}
	}
	r.Machine.LoadAfter = load()
	if *asJSON {
		return r.json(out)
	}
	return r.table(out)
}

func choose(only string) ([]group, error) {
	if only == "" {
		return groups(), nil
	}
	names := strings.Split(only, ",")
	var chosen []group
	var known []string
	for _, g := range groups() {
		known = append(known, g.name)
		if slices.Contains(names, g.name) {
			chosen = append(chosen, g)
		}
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("there is no group %q: choose from %s", name, strings.Join(known, ", "))
		}
	}
	return chosen, nil
}

// open finds the checkout and makes a folder in it: a temporary folder of the system is
// often kept in memory, where a durable write costs nothing.
func (s *setup) open() error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	for s.root = dir; ; s.root = filepath.Dir(s.root) {
		if _, err := os.Stat(filepath.Join(s.root, "go.mod")); err == nil {
			break
		}
		if s.root == filepath.Dir(s.root) {
			return errors.New("run it inside the checkout: go run ./bench")
		}
	}
	cache := filepath.Join(s.root, ".cache")
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return err
	}
	s.work, err = os.MkdirTemp(cache, "bench-")
	return err
}

// program returns the path of a built program.
func (s setup) program(name string) (string, error) {
	path := filepath.Join(s.root, "bin", name)
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("bin/%s is not built: run make build first", name)
	}
	return path, nil
}
