package sandbox

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/proc"
)

func TestMain(m *testing.M) {
	if code, is := proc.Shim(); is {
		os.Exit(code) //nolint:forbidigo // as every TestMain
	}
	goleak.VerifyTestMain(m)
}

const token = "the-owners-token-0123456789"

// place is a data folder with the owner's token, a home, and a folder to work in.
type place struct{ data, home, dir string }

func newPlace(t *testing.T) place {
	t.Helper()
	if Here().Name == "" {
		t.Skipf("NOT RUN: %s", Here().Why)
	}
	p := place{data: t.TempDir(), home: t.TempDir(), dir: t.TempDir()}
	write(t, filepath.Join(p.data, "token"), token)
	write(t, filepath.Join(p.home, ".ssh", "id_ed25519"), token)
	write(t, filepath.Join(p.home, ".cargo", "credentials.toml"), token)
	write(t, filepath.Join(p.home, ".config", "git", "credentials"), token)
	write(t, filepath.Join(p.home, ".gitconfig"), "[user]\n\tname = Somebody\n\temail = s@localhost\n")
	t.Setenv("REAL_HOME", os.Getenv("HOME"))
	t.Setenv("HOME", p.home)
	t.Setenv("AGENTFLOW_TOKEN", token)
	return p
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// try runs a shell command in the sandbox, without the variables that are the hub's.
func (p place) try(t *testing.T, s Settings, a Access, command string) (code int, said string) {
	t.Helper()
	s.Data = p.data
	out := proc.HeadTailBuffer{Most: 64 << 10}
	a.Write = append(a.Write, p.dir)
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.home}
	r, err := s.Run(
		t.Context(),
		proc.Command{
			Path:   "sh",
			Args:   []string{"-c", command},
			Dir:    p.dir,
			Env:    env,
			Output: out.Take,
			Errors: out.Take,
		},
		a,
	)
	if err != nil {
		t.Fatal(err)
	}
	return r.Code, out.Text()
}

// kinds are the ways in which a command is sandboxed: by Landlock, and by bubblewrap.
func kinds(t *testing.T) map[string]Access {
	t.Helper()
	all := map[string]Access{"landlock": {}}
	if nests() {
		all["bubblewrap"] = Access{Nested: true}
	}
	return all
}

// The owner's token is out of reach, by every way that leads to it from outside.
func TestTR3_TheOwnersTokenIsOutOfReach(t *testing.T) {
	p := newPlace(t)
	outside := filepath.Join(p.home, "outside")
	for kind, a := range kinds(t) {
		for _, command := range []string{
			"cat " + filepath.Join(p.data, "token"),
			"cat " + filepath.Join(p.home, ".ssh", "id_ed25519"),
			"cat " + filepath.Join(p.home, ".cargo", "credentials.toml"),
			"cat " + filepath.Join(p.home, ".config", "git", "credentials"),
			"ln -s " + filepath.Join(p.data, "token") + " link; cat link",
			"ln " + filepath.Join(p.data, "token") + " hard && cat hard",
			"env",
			fmt.Sprintf("cat /proc/%d/environ", os.Getpid()),
			"cat /proc/$PPID/environ",
			fmt.Sprintf("cat /proc/%d/root%s/token /proc/%d/cwd/../../../..%s/token", os.Getpid(), p.data, os.Getpid(), p.data),
			"for f in /proc/[0-9]*/environ; do cat $f; done",
			"unshare -Ur cat " + filepath.Join(p.data, "token"),
			"mount --bind " + p.data + " . && cat token",
		} {
			if _, said := p.try(t, Settings{}, a, command+" 2>&1"); strings.Contains(said, token) {
				t.Errorf("%s: %s told the token", kind, command)
			}
		}
		if code, said := p.try(t, Settings{}, a, fmt.Sprintf("echo x > %s; touch %s/new; rm -f %s/token; kill -0 %d && echo reached", outside, p.data, p.data, os.Getpid())); strings.Contains(said, "reached") {
			t.Errorf("%s: it can end this program: %d %s", kind, code, said)
		}
	}
	entries, _ := os.ReadDir(p.data)
	if _, err := os.Stat(outside); err == nil || len(entries) != 1 && (len(entries) != 2 || entries[0].Name() != "sandbox") {
		t.Errorf("something was written outside: %v, %v", err, entries)
	}
	if data, _ := os.ReadFile(filepath.Join(p.data, "token")); string(data) != token {
		t.Error("the token was changed")
	}
	if _, said := p.try(t, Settings{Mode: Off}, Access{}, "cat "+filepath.Join(p.data, "token")); !strings.Contains(said, token) {
		t.Errorf("without the sandbox the token is there to read, so this test shows something: %s", said)
	}
}

// A folder that holds the data folder is there but for that.
func TestTR3_TheDataFolderStaysOutOfADeclaredOne(t *testing.T) {
	p := newPlace(t)
	above := filepath.Dir(p.data)
	write(t, filepath.Join(above, "beside", "note"), "hello")
	for kind, a := range kinds(t) {
		a.Write = []string{above, filepath.Join(p.data, "secrets")}
		write(t, filepath.Join(p.data, "secrets", "s"), token)
		_, said := p.try(t, Settings{Read: []string{p.data}}, a,
			fmt.Sprintf("cat %s/beside/note; cat %s/token %s/secrets/s", above, p.data, p.data))
		if strings.Contains(said, token) || !strings.Contains(said, "hello") {
			t.Errorf("%s: %s", kind, said)
		}
	}
}

// warmCache lets the sandbox's own cache of Go be the one of this test, which knows the
// standard library already.
func warmCache(t *testing.T, p place) []string {
	t.Helper()
	out, err := exec.Command("sh", "-c", "HOME=\"$REAL_HOME\" go env GOCACHE").Output()
	if err != nil {
		t.Skipf("NOT RUN: go is not there: %v", err)
	}
	dir := filepath.Join(p.data, "sandbox", "cache")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	cache := strings.TrimSpace(string(out))
	if err := os.Symlink(cache, filepath.Join(dir, "go-build")); err != nil {
		t.Fatal(err)
	}
	return []string{cache}
}

// What people do there works: a Go module's tests, node, git, temporary files, a cache.
func TestTR3_OrdinaryWorkGoesOn(t *testing.T) {
	p := newPlace(t)
	write(t, filepath.Join(p.dir, "go.mod"), "module m\n\ngo 1.24\n")
	write(t, filepath.Join(p.dir, "m_test.go"),
		"package m\n\nimport \"testing\"\n\nfunc TestM(t *testing.T) { t.TempDir() }\n")
	warm := warmCache(t, p)
	write(t, filepath.Join(p.dir, "package.json"),
		`{"scripts":{"test":"node -e \"require('child_process').execFileSync('true')\""}}`)
	for _, command := range []string{
		"GOTOOLCHAIN=local GOFLAGS=-trimpath go test ./...",
		"command -v npm > /dev/null || exit 0; npm test",
		"git init -q repo && cd repo && git commit -q --allow-empty -m first && git log --format=%an | grep Somebody",
		`f=$(mktemp) && echo x > $f && mv $f here && [ "$(stat -c %U here)" ]`,
		"mkdir -p a b && echo x > a/f && mv a/f b/f && ln b/f b/g && rm -r a b",
		"cat /etc/passwd /dev/null > copy && head -c 4 /dev/urandom | wc -c",
		`test "$(dirname "$TMPDIR")" != "" && touch "$TMPDIR/x" && ! touch ` + os.TempDir() + "/agentflow-outside",
	} {
		if code, said := p.try(t, Settings{}, Access{Write: warm}, command); code != 0 {
			t.Errorf("%s: %d\n%s", command, code, said)
		}
	}
}

// The network is a switch for commands, and stays for those that need it.
func TestTR3_TheNetworkIsASwitch(t *testing.T) {
	p := newPlace(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close() //nolint:errcheck // only listened on
	const connect = `node -e 'require("net").connect(%s).on("connect", () => process.exit(0)).on("error", () => process.exit(3))'`
	dial := fmt.Sprintf(connect, fmt.Sprintf(`%d, "127.0.0.1"`, l.Addr().(*net.TCPAddr).Port))
	for name, c := range map[string]struct {
		s    Settings
		a    Access
		goes bool
	}{
		"by default":       {Settings{}, Access{}, true},
		"offline":          {Settings{Offline: true}, Access{}, false},
		"offline, a model": {Settings{Offline: true}, Access{Network: true}, true},
	} {
		if code, said := p.try(t, c.s, c.a, dial); (code == 0) != c.goes {
			t.Errorf("%s: %d %s", name, code, said)
		}
	}
	// A Unix socket leads to other programs of the person, which could run anything.
	unix, err := net.Listen("unix", filepath.Join(p.dir, "s"))
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close() //nolint:errcheck // only listened on
	reach := fmt.Sprintf(connect, `"s"`)
	for kind, a := range kinds(t) {
		if Here().ABI < 9 || a.Nested { // later, folders decide
			if code, _ := p.try(t, Settings{}, a, reach); code == 0 {
				t.Errorf("%s: a Unix socket was reached", kind)
			}
		}
		if code, said := p.try(t, Settings{Sockets: true}, a, reach); code != 0 {
			t.Errorf("%s: no Unix socket although they are allowed: %s", kind, said)
		}
	}
}

// A command's exit code comes through unchanged, and nothing runs where the sandbox can't be made.
func TestTR3_EndsAndFailuresAreTold(t *testing.T) {
	p := newPlace(t)
	for kind, a := range kinds(t) {
		if code, _ := p.try(t, Settings{}, a, "exit 7"); code != 7 {
			t.Errorf("%s: %d", kind, code)
		}
		r, err := Settings{}.Run(t.Context(), proc.Command{Path: "sh", Args: []string{"-c", "kill -9 $$"}, Dir: p.dir},
			a)
		if err != nil || r.Signal != "killed" {
			t.Errorf("%s: %+v, %v", kind, r, err)
		}
	}
	if _, err := (Settings{Read: []string{"relative"}}).Run(t.Context(), proc.Command{Path: "true"}, Access{}); !errcode.Is(err, errcode.Validation) {
		t.Errorf("a relative path: %v", err)
	}
	res, err := proc.Run(t.Context(),
		proc.Command{Path: "/proc/self/exe", Args: []string{launcherName, "no JSON", "true"}})
	if err != nil || res.Code != refused || !strings.Contains(res.Said, "nothing was run") {
		t.Errorf("%+v, %v", res, err)
	}
}
