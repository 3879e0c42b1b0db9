package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/cobra"

	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/cli/internal/term"
)

const (
	recordings       = "testdata/json"
	updateRecordings = "go test ./backend/cli -run JSONRecordings -update"
)

// recorder runs the program with --json, each time as its own process, and collects what it writes to standard output.
// Placeholders replace values that differ between runs.
type recorder struct {
	t       *testing.T
	dir     string // of the files that commands read and write
	program string
	env     map[string]string
	outputs map[string]*strings.Builder // by command
	names   map[string]string           // placeholders of IDs
}

func newRecorder(t *testing.T) *recorder {
	t.Helper()
	r := &recorder{t: t, dir: t.TempDir(), outputs: map[string]*strings.Builder{}, names: map[string]string{}}
	bin := filepath.Join(r.dir, "bin")
	r.mkdir("bin", "home", "data", "tmp")
	r.program = filepath.Join(bin, "agentflow") // TestMain runs the program by this name
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Link(self, r.program); err != nil {
		data, err := os.ReadFile(self)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(r.program, data, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	r.env = map[string]string{
		"PATH": os.Getenv("PATH"), "HOME": filepath.Join(r.dir, "home"), "TMPDIR": filepath.Join(r.dir, "tmp"),
		"AGENTFLOW_DATA": filepath.Join(r.dir, "data"), "AGENTFLOW_LANG": "en", "USER": "owner", "TZ": "UTC",
	}
	return r
}

func (r *recorder) mkdir(names ...string) {
	r.t.Helper()
	for _, name := range names {
		if err := os.MkdirAll(filepath.Join(r.dir, name), 0o700); err != nil {
			r.t.Fatal(err)
		}
	}
}

func (r *recorder) write(name, text string) {
	r.t.Helper()
	if err := os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

func (r *recorder) command(args ...string) *exec.Cmd {
	cmd := bounded(r.t.Cleanup, r.program, append(args, "--json")...)
	cmd.Dir = r.dir
	for name, value := range r.env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	return cmd
}

// run runs a command to its end, records it, and returns its standard output.
func (r *recorder) run(code int, args ...string) string { return r.runWith("", code, args...) }

func (r *recorder) runWith(stdin string, code int, args ...string) string {
	r.t.Helper()
	cmd := r.command(args...)
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &errs
	err := cmd.Run()
	got := 0
	if err != nil {
		if got = exitCode(err); got < 0 {
			r.t.Fatalf("%v: %v", args, err)
		}
	}
	if got != code {
		r.t.Errorf("%v: exit %d, want %d: %s%s", args, got, code, out.String(), errs.String())
	}
	text := out.String()
	for line := range strings.Lines(errs.String()) { // a command whose standard output is a document
		if strings.HasPrefix(line, "{") {
			text += "stderr: " + line
		}
	}
	r.record(args, text, got)
	return out.String()
}

// started is a command that runs until it is stopped.
type started struct {
	cmd   *exec.Cmd
	lines *bufio.Reader
	errs  *bytes.Buffer
}

// start starts a command that doesn't end, and records its first lines.
func (r *recorder) start(lines int, args ...string) *started {
	r.t.Helper()
	s := &started{cmd: r.command(args...), errs: new(bytes.Buffer)}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		r.t.Fatal(err)
	}
	s.cmd.Stderr, s.lines = s.errs, bufio.NewReader(out)
	if err := s.cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	text := ""
	for range lines {
		text += s.line(r.t, args)
	}
	r.record(args, text, -1)
	return s
}

func (s *started) line(t *testing.T, args []string) string {
	t.Helper()
	line, err := s.lines.ReadString('\n')
	if err != nil {
		t.Fatalf("%v ended: %v: %s", args, err, s.errs.String())
	}
	return line
}

// stop ends a command as a service manager does.
func (s *started) stop(t *testing.T) {
	t.Helper()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, s.lines)
	_ = s.cmd.Wait()
}

// record notes a command's output under the name of the command.
func (r *recorder) record(args []string, out string, code int) {
	r.t.Helper()
	cmd, _, err := commandTree().Find(args)
	if err != nil {
		r.t.Fatal(err)
	}
	b := r.outputs[cmd.CommandPath()]
	if b == nil {
		b = new(strings.Builder)
		r.outputs[cmd.CommandPath()] = b
	}
	end := fmt.Sprintf("exit %d", code)
	if code < 0 {
		end = "runs until it is stopped"
	}
	for line := range strings.Lines(out) {
		line = strings.TrimPrefix(line, "stderr: ")
		if !json.Valid([]byte(line)) {
			r.t.Errorf("%v: not JSON: %s", args, line)
		}
	}
	_, _ = fmt.Fprintf(b, "$ agentflow %s\n%s%s\n\n", r.plain(strings.Join(args, " ")), deltas(r.plain(out)), end)
}

// volatile are the values that differ from run to run, with their placeholders.
var volatile = []struct {
	pattern     *regexp.Regexp
	placeholder string
}{
	{regexp.MustCompile(`\d{8}T\d{6}\.\d{3}Z-[0-9a-f]+`), "<snapshot>"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)`), "<time>"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d`), "<time>"},
	{regexp.MustCompile(`"(base|commit)":"[0-9a-f]{40}"`), `"$1":"<commit>"`},
	{regexp.MustCompile(`"took_ms":\d+`), `"took_ms":<n>`},
	{regexp.MustCompile(`-[0-9a-f]{8}\.md"`), `-<hash>.md"`},
	{regexp.MustCompile(`(127\.0\.0\.1|localhost):\d{4,5}`), "$1:<port>"},
	{regexp.MustCompile(`/open/[\w-]+`), "/open/<link>"},
	{regexp.MustCompile(`"(token|secret)":"[^"]+"`), `"$1":"<$1>"`},
	{regexp.MustCompile(`"(seq|pid|port|seconds|ms|timestamp|ts|tokensIn|tokensOut|memory)":[\d.e-]+`), `"$1":<n>`},
	{regexp.MustCompile(`\bcli-[0-9a-z]{26}\b`), "cli-<session>"},
}

// ids finds IDs. The same ID always gets the same placeholder.
var ids = regexp.MustCompile(`\b(?:0[0-9A-HJKMNP-TV-Z]{25}|0[0-9a-hjkmnp-tv-z]{25}` +
	`|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b`)

// hashes finds the hashes of configs, which contain paths. Hashes of requests have a prefix and stay.
var hashes = regexp.MustCompile(`\b[0-9a-f]{64}\b`)

// plain replaces the values that differ between runs.
func (r *recorder) plain(text string) string {
	text = strings.ReplaceAll(text, r.dir, "<dir>")
	text = regexp.MustCompile(regexp.QuoteMeta(filepath.Dir(r.dir))+`/\d+`).ReplaceAllString(text, "<dir>")
	for _, v := range volatile {
		text = v.pattern.ReplaceAllString(text, v.placeholder)
	}
	text = strings.ReplaceAll(text, "sha256:", "sha256_") // one word with the hash
	for _, found := range []*regexp.Regexp{ids, hashes} {
		text = found.ReplaceAllStringFunc(text, func(id string) string {
			if r.names[id] == "" {
				r.names[id] = fmt.Sprintf("<id %d>", len(r.names)+1)
			}
			return r.names[id]
		})
	}
	return strings.ReplaceAll(text, "sha256_", "sha256:")
}

// deltas joins the pieces of an answer, which come in any sizes, to one line.
func deltas(text string) string {
	var out strings.Builder
	within := false
	for line := range strings.Lines(text) {
		is := strings.Contains(line, `"type":"delta"`)
		if is && !within {
			out.WriteString(regexp.MustCompile(`"text":"(?:[^"\\]|\\.)*"`).ReplaceAllString(line, `"text":"<text>"`))
		} else if !is {
			out.WriteString(line)
		}
		within = is
	}
	return out.String()
}

// commandTree is the tree of all commands.
func commandTree() *cobra.Command {
	p := &program{&shell.Shell{Screen: term.NewScreen(Stdio{}, func(string) string { return "" })}, nil}
	return p.root()
}

func fileOf(path string) string {
	return filepath.Join(recordings, strings.ReplaceAll(strings.TrimPrefix(path, "agentflow "), " ", "-")+".out")
}
