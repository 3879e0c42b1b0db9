package gatewaytest

import (
	"crypto/rand"
	"fmt"
	mathrand "math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// EnvReal makes the tests against real gateways run. Its value says nothing else.
const EnvReal = "AGENTFLOW_REAL_GATEWAYS"

// RealVersions are the OpenClaw releases the tests run against: one of each generation.
var RealVersions = []string{"2026.9.6", "2026.2.26"}

// Real is a real OpenClaw gateway. Its agents answer "Echo: " and the message they got.
type Real struct {
	URL     string
	Token   string
	Version string

	command func(args ...string) (string, error)
	write   func(config string) error

	port, modelPort string
}

// WriteConfig puts a text in place of the gateway's config file, as an editor or another program does.
func (r *Real) WriteConfig(t testing.TB, text string) {
	t.Helper()
	if err := r.write(text); err != nil {
		t.Fatalf("the config of the real gateway %s: %v", r.Version, err)
	}
}

// CLI runs the gateway's own command line on its own config, as its owner would.
func (r *Real) CLI(t testing.TB, args ...string) {
	t.Helper()
	if out, err := r.command(append([]string{"cli", r.Version, r.port}, args...)...); err != nil {
		t.Fatalf("openclaw %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// StartReal installs the release if it isn't installed yet (about 45 s), and runs it until
// the test ends. Without EnvReal it skips the test with a message.
func StartReal(t testing.TB, version string) *Real {
	t.Helper()
	return StartRealWith(t, version, "")
}

// StartRealWith is StartReal with a config whose "agents" somebody wrote by hand, as JSON.
func StartRealWith(t testing.TB, version, agents string) *Real {
	t.Helper()
	return startReal(t, version, "OPENCLAW_PEER_AGENTS="+agents)
}

// StartRealUnder is StartReal with one more variable, as NAME=VALUE, in the gateway's environment.
func StartRealUnder(t testing.TB, version, variable string) *Real {
	t.Helper()
	return startReal(t, version, "OPENCLAW_PEER_ENV="+variable)
}

func startReal(t testing.TB, version, setting string) *Real {
	t.Helper()
	r := newReal(t, version, setting)
	t.Cleanup(func() {
		if err := r.stop(); err != nil {
			t.Error(err)
		}
	})
	if err := r.start(); err != nil {
		t.Fatal(err)
	}
	return r
}

// newReal prepares a gateway that doesn't run yet. Without EnvReal it skips the test.
func newReal(t testing.TB, version, setting string) *Real {
	t.Helper()
	if !strings.Contains(t.Name(), "RealGateway") {
		t.Fatal("a test with a real gateway has RealGateway in its name: `make test` runs it beside the other Go tests")
	}
	if os.Getenv(EnvReal) == "" {
		t.Skipf("NOT RUN: real gateways are only started when %s is set", EnvReal)
	}
	script := peerScript(t)
	port, modelPort := freePorts(t)
	r := &Real{
		URL: "ws://127.0.0.1:" + port + "/", Token: "peer-" + rand.Text(), Version: version,
		port: port, modelPort: modelPort,
	}
	r.command = func(args ...string) (string, error) {
		cmd := exec.Command(script, args...)
		cmd.Env = append(os.Environ(), "OPENCLAW_PEER_TOKEN="+r.Token, setting)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	r.write = func(config string) error {
		cmd := exec.Command(script, "write", version, port)
		cmd.Stdin = strings.NewReader(config)
		return cmd.Run()
	}
	return r
}

func (r *Real) start() error {
	if out, err := r.command("start", r.Version, r.port, r.modelPort); err != nil {
		return fmt.Errorf("the real gateway %s did not start: %w\n%s", r.Version, err, out)
	}
	return nil
}

// stop ends the gateway and deletes its state.
func (r *Real) stop() error {
	if out, err := r.command("reset", r.Version, r.port); err != nil {
		return fmt.Errorf("the real gateway %s did not stop: %w\n%s", r.Version, err, out)
	}
	return nil
}

// peerScript finds build/openclaw-peer.sh of the module the test runs in.
func peerScript(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		path := filepath.Join(dir, "build", "openclaw-peer.sh")
		if _, err := os.Stat(path); err == nil {
			return path
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("build/openclaw-peer.sh is not above the test's folder")
		}
		dir = parent
	}
}

// freePorts returns two different ports that nobody listens on. They lie below those that the system gives to outgoing
// connections, because a gateway takes half a minute to listen on its own.
func freePorts(t testing.TB) (gateway, model string) {
	t.Helper()
	var found []string
	for tries := 0; len(found) < 2; tries++ {
		port := strconv.Itoa(20_000 + mathrand.IntN(12_000))
		l, err := net.Listen("tcp", "127.0.0.1:"+port)
		if err != nil {
			if tries > 100 {
				t.Fatalf("no free port: %v", err)
			}
			continue
		}
		defer func() { _ = l.Close() }() // only when both are found
		found = append(found, port)
	}
	return found[0], found[1]
}
