package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const goOutput = `{"Action":"start","Package":"p"}
{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"run","Package":"p","Test":"TestA/one"}
{"Action":"output","Package":"p","Test":"TestA/one","Output":"one is wrong\n"}
{"Action":"fail","Package":"p","Test":"TestA/one","Elapsed":0.1}
{"Action":"run","Package":"p","Test":"TestA/two"}
{"Action":"output","Package":"p","Test":"TestA/two","Output":"two talks\n"}
{"Action":"pass","Package":"p","Test":"TestA/two"}
{"Action":"fail","Package":"p","Test":"TestA"}
{"Action":"run","Package":"p","Test":"TestB"}
{"Action":"output","Package":"p","Test":"TestB","Output":"    b_test.go:3: not on this system\n"}
{"Action":"skip","Package":"p","Test":"TestB"}
{"Action":"fail","Package":"p","Elapsed":0.2}
{"ImportPath":"q [q.test]","Action":"build-output","Output":"q.go:1: undefined: x\n"}
{"ImportPath":"q [q.test]","Action":"build-fail"}
{"Action":"start","Package":"q"}
{"Action":"output","Package":"q","Output":"FAIL\tq [build failed]\n"}
{"Action":"fail","Package":"q","FailedBuild":"q [q.test]"}
{"Action":"run","Package":"r","Test":"TestHangs"}
{"Action":"output","Package":"r","Test":"TestHangs","Output":"panic: test timed out\n"}
{"Action":"fail","Package":"r"}
{"Action":"skip","Package":"empty"}
go: a line of its own
`

func TestGoReader(t *testing.T) {
	var out bytes.Buffer
	r := newGoReader(&out)
	r.failures = &failures{}
	if err := r.read(strings.NewReader(goOutput)); err != nil {
		t.Fatal(err)
	}
	if want := (counts{passed: 1, failed: 3, skipped: 1}); r.total != want {
		t.Errorf("counted %v, want %v", r.total, want)
	}
	for _, want := range []string{"one is wrong", "q.go:1: undefined: x", "test timed out", "go: a line of its own", "skipped p TestB: b_test.go:3: not on this system", "1 passed, 1 failed, 1 skipped"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the output does not say %q:\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "two talks") {
		t.Error("the output of a passed test is printed")
	}
	var end bytes.Buffer
	r.failures.writeTo(&end)
	for _, want := range []string{"failed: p TestA/one\n", "one is wrong", "q.go:1: undefined: x", "test timed out"} {
		if !strings.Contains(end.String(), want) {
			t.Errorf("the end does not repeat %q:\n%s", want, end.String())
		}
	}
}

func TestWhatATimeoutSaysIsShort(t *testing.T) {
	said := "=== RUN TestA\npanic: test timed out after 25m0s\n\trunning tests:\n\t\tTestA (20m)\n\n" +
		"goroutine 1 [chan receive]:\ntesting.(*M).Run()\n\ngoroutine 7 [select]:\np.wait()\n\tp/a_test.go:7\n"
	want := "panic: test timed out after 25m0s\n\trunning tests:\n\t\tTestA (20m)\n\n" +
		"goroutine 7 [select]:\np.wait()\n\tp/a_test.go:7\n"
	if got := timedOut(said); got != want {
		t.Errorf("%q", got)
	}
	if got := timedOut("p is wrong"); got != "p is wrong" {
		t.Errorf("%q", got)
	}
}

func TestVitestReport(t *testing.T) {
	name := filepath.Join(t.TempDir(), "report.json")
	report := `{"testResults":[
		{"name":"a","status":"failed","assertionResults":[{"status":"passed","failureMessages":["first try"]},{"status":"failed","failureMessages":["both"]},{"status":"pending"}]},
		{"name":"b","status":"failed","message":"does not load","assertionResults":[]}]}`
	if err := os.WriteFile(name, []byte(report), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	var failed failures
	c, err := readVitest(name, &out, &failed)
	if want := (counts{failed: 3, skipped: 1, flaky: 1}); err != nil || c != want {
		t.Errorf("counted %v, %v; want %v", c, err, want)
	}
	if !strings.Contains(out.String(), "first try") || strings.Contains(out.String(), "both") {
		t.Errorf("the output is\n%s", out.String())
	}
	var end bytes.Buffer
	failed.writeTo(&end)
	for _, want := range []string{"first try", "both", "b\n    does not load"} {
		if !strings.Contains(end.String(), want) {
			t.Errorf("the end does not repeat %q:\n%s", want, end.String())
		}
	}
	if _, err := readVitest(name+".gone", io.Discard, nil); err == nil {
		t.Error("a missing report gave no error")
	}
}

// What passes twice alone is called flaky, and fails the suite as what fails again does.
func TestFlaky(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module flaky\n\ngo 1.25\n",
		"a_test.go": `package flaky

import ("os"; "testing")

func once(t *testing.T, name string) {
	if f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL, 0o600); err == nil {
		_ = f.Close()
		t.Error("the first time")
	}
}
func TestPasses(t *testing.T) {}
func TestOnce(t *testing.T) { t.Run("part", func(t *testing.T) { once(t, "once") }) }
func TestAlways(t *testing.T) { if os.Getenv("ALWAYS") != "" { t.Error("again") } }
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	s := suite{
		command:  []string{"go", "test", "-C", dir, "-json"},
		packages: []string{"./..."},
		again:    true,
		run:      runGo,
	}
	if got, want := runSuite(context.Background(), s, &out), (counts{passed: 2, failed: 1, flaky: 1}); got != want {
		t.Errorf("counted %v, want %v:\n%s", got, want, out.String())
	}
	if !strings.Contains(out.String(), "flaky: flaky TestOnce failed once") || !strings.Contains(out.String(), "the first time") {
		t.Errorf("the output is\n%s", out.String())
	}
	forget := func() {
		if err := os.Remove(filepath.Join(dir, "once")); err != nil {
			t.Fatal(err)
		}
	}
	forget()
	s.again = false
	if got, want := runSuite(context.Background(), s, io.Discard), (counts{passed: 2, failed: 1}); got != want {
		t.Errorf("where none runs again: %v, want %v", got, want)
	}
	forget()
	s.again, s.env = true, []string{"ALWAYS=1"}
	got, want := runSuite(context.Background(), s, io.Discard), counts{passed: 1, failed: 2, flaky: 1}
	if got != want {
		t.Errorf("with one that fails again: %v, want %v", got, want)
	}
}

// A suite that cannot give a verdict must not look like a pass.
func TestNoVerdictFails(t *testing.T) {
	for name, s := range map[string]suite{
		"fails":    {command: []string{"go", "no-such-command"}, run: runCheck},
		"no test":  {command: []string{"go", "test", "-json", "-run", "NothingIsCalledThat"}, packages: []string{"."}, run: runGo},
		"no tool":  {command: []string{"/no/such/tool"}, run: runGo},
		"no lines": {command: []string{"go", "version", "-m"}, run: runVitest},
	} {
		if c := runSuite(context.Background(), s, io.Discard); c.failed == 0 {
			t.Errorf("%s: %v", name, c)
		}
	}
	if c := runSuite(context.Background(), suite{command: []string{"go", "version"}, run: runCheck}, io.Discard); c != (counts{}) {
		t.Errorf("a check that passed counted as %v", c)
	}
	for _, args := range [][]string{nil, {"unknown"}, {"types & unknown"}, {"types &"}, {""}} {
		if runAll(context.Background(), args, io.Discard) {
			t.Errorf("%q: nothing ran, and that passed", args)
		}
	}
}

// Suites of a step run at the same time: each of these two waits for a file that the other one writes.
func TestSuitesRunSideBySide(t *testing.T) {
	dir := t.TempDir()
	known := map[string]suite{}
	for mine, other := range map[string]string{"a": "b", "b": "a"} {
		script := fmt.Sprintf(`cd %[3]q
touch %[1]s
for i in $(seq 600); do
	[ -e %[2]s ] && echo "%[1]s saw %[2]s" && exit
	sleep 0.1
done
exit 1`, mine, other, dir)
		known[mine] = suite{name: mine, command: []string{"sh", "-c", script}, run: runCheck}
	}
	known["after"] = suite{name: "after", command: []string{"sh", "-c", "echo later; exit 1"}, run: runCheck}
	steps, err := parseSteps([]string{"a & b after"}, known)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	got := runStep(t.Context(), steps[0], &out)
	for i, want := range []result{{name: "a"}, {name: "b"}, {name: "after", counts: counts{failed: 1}}} {
		if len(got) <= i || got[i].name != want.name || got[i].counts != want.counts {
			t.Errorf("result %d of %v, want %v", i, got, want)
		}
	}
	var said []string
	for line := range strings.Lines(out.String()) {
		said = append(said, strings.TrimSpace(line))
	}
	want := []string{"== a", "a saw b", "== b", "b saw a", "== after", "later", "after: exit status 1"}
	if !slices.Equal(said, want) {
		t.Errorf("the output is %q, want %q", said, want)
	}
}

// The fault suite is chosen by a name: every package in which something must break well
// has tests of that name.
func TestFaultTestsExist(t *testing.T) {
	for _, dir := range []string{"base/atomicfile", "base/config", "team/library", "engine", "gateway/client", "gateway/client/internal/dialect", "model/llm", "gateway/builtin", "gateway/openclaw", "store", "base/docedit"} {
		files, err := filepath.Glob(filepath.Join("..", "..", "backend", dir, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(text)) {
				if name, _, isTest := strings.Cut(line, "(t *testing.T)"); isTest && strings.HasPrefix(name, "func Test") && strings.Contains(name, "Fault") {
					found++
				}
			}
		}
		if found == 0 {
			t.Errorf("make faults tests nothing of backend/%s", dir)
		}
	}
}

func TestPackagesAreLeftOut(t *testing.T) {
	t.Chdir("../..")
	s := suite{packages: []string{"./build/..."}, without: []string{"agentflow/build/alltests"}}
	got, err := s.testPackages(t.Context())
	if err != nil || len(got) == 0 || strings.Contains(strings.Join(got, " "), "alltests") {
		t.Errorf("%q, %v", got, err)
	}
	s.without = []string{"agentflow/build/gone"}
	if _, err := s.testPackages(t.Context()); err == nil {
		t.Error("a package that isn't there was left out")
	}
}
