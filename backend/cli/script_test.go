package cli

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"agentflow/backend/base/proc"
	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/gatewaytest"
)

func TestMain(m *testing.M) {
	if code, is := proc.Shim(); is { // of a worker that a recorded command runs
		os.Exit(code) //nolint:forbidigo // as every TestMain
	}
	testscript.Main(m, map[string]func(){
		"agentflow": func() {
			os.Exit(Main( //nolint:forbidigo // this is the main of the program under test
				context.Background(), os.Args[1:], Stdio{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, nil))
		},
	})
}

// Every script drives the real program in a separate process, against gateways on
// real sockets. Scripts name the requirements they show (GW-2, GW-3, GW-6, GW-7, GW-10, APP-3).
func TestScripts(t *testing.T) {
	servers := &servers{t: t, byName: map[string]*gatewaytest.Server{}}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("AGENTFLOW_DATA", filepath.Join(env.WorkDir, "data"))
			env.Setenv("XDG_DATA_HOME", filepath.Join(env.WorkDir, "xdg"))
			env.Setenv("SCRIPT", filepath.Base(env.WorkDir))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "signals": signals, "json": jsonValue, "replace": replace,
			"gateway": servers.start, "setconfig": servers.setConfig, "gatewayhas": servers.has, "gatewaydown": servers.down,
			"called": servers.called, "stall": servers.stall, "hub": startHub, "post": post, "taskof": taskOf,
			"setfile": servers.setFile, "filehas": servers.fileHas,
		},
	})
}

// exits CODE COMMAND... runs the command and demands exactly this exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit := exitCode(err)
		if exit < 0 {
			ts.Fatalf("%s: %v", args[1], err)
		}
		got = exit
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func exitCode(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return -1
}

// output collects what a process writes and tells of each piece.
type output struct {
	mu   sync.Mutex
	text strings.Builder
	more chan struct{}
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	select {
	case o.more <- struct{}{}:
	default:
	}
	return o.text.Write(b)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// signals SIGNAL CODE PATTERN COMMAND... runs the command, sends the signal once
// standard output matches, and demands the exit code.
func signals(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 4 {
		ts.Fatalf("usage: signals SIGNAL CODE PATTERN COMMAND...")
	}
	code, err := strconv.Atoi(args[1])
	ts.Check(err)
	pattern := regexp.MustCompile(args[2])
	out := &output{more: make(chan struct{}, 1)}
	cmd := bounded(ts.Defer, lookPath(ts, args[3]), args[4:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = ts.MkAbs("."), out, out
	for _, name := range []string{"PATH", "HOME", "AGENTFLOW_DATA", "XDG_DATA_HOME", "AGENTFLOW_GATEWAY_TOKEN", "AGENTFLOW_GATEWAY_URL", "AGENTFLOW_URL"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	ts.Check(cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	limit := time.After(20 * time.Second)
	for !pattern.MatchString(out.String()) {
		select {
		case <-out.more:
		case err := <-ended:
			ts.Fatalf("it ended too early: %v\n%s", err, out)
		case <-limit:
			_ = cmd.Process.Kill()
			ts.Fatalf("its output does not match %q:\n%s", pattern, out)
		}
	}
	ts.Check(cmd.Process.Signal(map[string]os.Signal{"INT": os.Interrupt, "TERM": syscall.SIGTERM}[args[0]]))
	select {
	case err = <-ended:
	case <-time.After(10 * time.Second):
		_ = cmd.Process.Kill()
		ts.Fatalf("it did not end within 10 s:\n%s", out)
	}
	got := 0
	if err != nil {
		got = exitCode(err)
	}
	if got != code {
		ts.Fatalf("exit code %d, want %d:\n%s", got, code, out)
	}
}

// startHub runs a hub in a separate process until the script ends; commands find it. HUB_GATEWAY is
// its built-in gateway.
func startHub(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: hub")
	}
	out := &output{more: make(chan struct{}, 1)}
	cmd := bounded(ts.Defer, lookPath(ts, "agentflow"), "serve", "--listen", "127.0.0.1:0")
	cmd.Dir, cmd.Stdout, cmd.Stderr = ts.MkAbs("."), out, out
	for _, name := range []string{"PATH", "HOME", "AGENTFLOW_DATA", "XDG_DATA_HOME"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	ts.Check(cmd.Start())
	ts.Defer(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	})
	listening := regexp.MustCompile(`listening on (\S+)\n`)
	limit := time.After(20 * time.Second)
	for !listening.MatchString(out.String()) {
		select {
		case <-out.more:
		case <-limit:
			ts.Fatalf("the hub does not start:\n%s", out)
		}
	}
	url := listening.FindStringSubmatch(out.String())[1]
	ts.Setenv("AGENTFLOW_URL", url)
	ts.Setenv("HUB_GATEWAY", "ws"+strings.TrimPrefix(url, "http")+"/gateway")
}

// taskof FILE sets TASK to the id in the answer to a submission.
func taskOf(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: taskof FILE")
	}
	var sent struct{ TaskID string }
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &sent))
	ts.Setenv("TASK", sent.TaskID)
}

// post FILE posts the message in the file as it is, as agents do.
func post(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: post FILE")
	}
	req, err := http.NewRequest(http.MethodPost, ts.Getenv("AGENTFLOW_URL")+"/api/message",
		strings.NewReader(ts.ReadFile(args[0])))
	ts.Check(err)
	token, err := os.ReadFile(filepath.Join(ts.Getenv("AGENTFLOW_DATA"), "token"))
	ts.Check(err)
	req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	ts.Check(err)
	ts.Check(res.Body.Close())
	if res.StatusCode != http.StatusCreated {
		ts.Fatalf("the hub answers %s", res.Status)
	}
}

func lookPath(ts *testscript.TestScript, name string) string {
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			return path
		}
	}
	ts.Fatalf("%s is not in PATH", name)
	return ""
}

// json PATH [VALUE] looks into the last command's standard output, which must be one JSON
// object: "error.details.agents.0 dev". Without VALUE the path must only be there.
func jsonValue(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: [!] json PATH [VALUE]")
	}
	text := ts.ReadFile("stdout")
	var v any
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil || dec.More() {
		ts.Fatalf("standard output is not one JSON value: %v\n%s", err, text)
	}
	found := true
	for key := range strings.SplitSeq(args[0], ".") {
		switch w := v.(type) {
		case map[string]any:
			v, found = w[key]
		case []any:
			i, err := strconv.Atoi(key)
			if key == "count" {
				v, found = json.Number(strconv.Itoa(len(w))), true
			} else if found = err == nil && i < len(w); found {
				v = w[i]
			}
		default:
			found = false
		}
		if !found {
			break
		}
	}
	got, isText := v.(string)
	if !isText {
		data, _ := json.Marshal(v)
		got = string(data)
	}
	if matches := found && (len(args) == 1 || got == args[1]); matches == neg {
		ts.Fatalf("%s is %q (there: %v) in\n%s", args[0], got, found, text)
	}
}

// replace FILE OLD NEW changes a text that must be in the file.
func replace(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: replace FILE OLD NEW")
	}
	text := ts.ReadFile(args[0])
	if !strings.Contains(text, args[1]) {
		ts.Fatalf("%s does not hold %q:\n%s", args[0], args[1], text)
	}
	lines := strings.ReplaceAll(args[2], `\n`, "\n") // a script's argument has only one line
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Replace(text, args[1], lines, 1)), 0o600))
}

// servers are the gateways of the scripts.
type servers struct {
	t      *testing.T
	mu     sync.Mutex
	byName map[string]*gatewaytest.Server
}

var serverKinds = map[string]gatewaytest.Options{
	"newest": {},
	"february": {
		Generation: gatewaytest.February,
		RestartIn:  200 * time.Millisecond,
		RestartFor: 100 * time.Millisecond,
	},
	"jsonrpc":        {Dialect: client.DialectJSONRPC, Raw: true},
	"jsonrpc-notify": {Dialect: client.DialectJSONRPC, Notify: true},
}

// gateway KIND [CONFIG] starts a gateway, which is the default one from then on.
func (s *servers) start(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: gateway KIND [CONFIG]")
	}
	opts, known := serverKinds[args[0]]
	if !known {
		ts.Fatalf("no kind %q of gateway", args[0])
	}
	if len(args) == 2 {
		opts.Config = configOf(ts, args[1])
	}
	server := gatewaytest.Start(s.t, opts)
	s.mu.Lock()
	s.byName[ts.Getenv("SCRIPT")] = server
	s.mu.Unlock()
	ts.Setenv("AGENTFLOW_GATEWAY_URL", server.URL)
	ts.Setenv("AGENTFLOW_GATEWAY_TOKEN", server.Token)
}

func configOf(ts *testscript.TestScript, file string) map[string]any {
	var doc map[string]any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(file)), &doc))
	return doc
}

func (s *servers) of(ts *testscript.TestScript) *gatewaytest.Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	server := s.byName[ts.Getenv("SCRIPT")]
	if server == nil {
		ts.Fatalf("no gateway was started")
	}
	return server
}

// setconfig FILE changes the gateway's config behind everybody's back.
func (s *servers) setConfig(ts *testscript.TestScript, _ bool, args []string) {
	s.of(ts).SetConfig(configOf(ts, args[0]))
}

// gatewayhas PATTERN looks into the gateway's config, written as compact JSON.
func (s *servers) has(ts *testscript.TestScript, neg bool, args []string) {
	text, err := json.Marshal(s.of(ts).Config())
	ts.Check(err)
	if regexp.MustCompile(args[0]).Match(text) == neg {
		ts.Fatalf("the gateway's config is %s", text)
	}
}

// setfile AGENT NAME CONTENT writes a workspace file of the gateway behind everybody's back.
func (s *servers) setFile(ts *testscript.TestScript, _ bool, args []string) {
	s.of(ts).Disk.Set(args[0], args[1], args[2])
}

// filehas AGENT NAME CONTENT demands the content of a workspace file of the gateway.
func (s *servers) fileHas(ts *testscript.TestScript, _ bool, args []string) {
	if got, there := s.of(ts).Disk.Get(args[0], args[1]); !there || got != args[2] {
		ts.Fatalf("%s of %s is %q", args[1], args[0], got)
	}
}

func (s *servers) down(ts *testscript.TestScript, _ bool, _ []string) { s.of(ts).Down() }

// stall METHOD makes the gateway never answer the method.
func (s *servers) stall(ts *testscript.TestScript, _ bool, args []string) {
	s.of(ts).SetFaults(gatewaytest.Faults{Stall: map[string]bool{args[0]: true}})
}

// called METHOD COUNT demands how often a method was called on the gateway.
func (s *servers) called(ts *testscript.TestScript, _ bool, args []string) {
	if got := strconv.Itoa(s.of(ts).Count(args[0])); got != args[1] {
		ts.Fatalf("%s was called %s times, want %s", args[0], got, args[1])
	}
}
