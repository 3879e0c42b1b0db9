package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"agentflow/backend/base/hubclient"
	"agentflow/backend/model/usage"
	"agentflow/backend/talk/room"
	"agentflow/backend/talk/roomclient"
)

var errEnough = errors.New("that was enough")

// network is where the other computer is: a network namespace with a wire to this one.
type network struct {
	hub   string
	enter []string // what a command there begins with
}

func otherNetwork(t *testing.T) network {
	t.Helper()
	ip, err := exec.LookPath("ip")
	if err != nil || os.Getuid() != 0 {
		t.Skip(
			"NOT TESTED: an agent on another computer, which takes a network namespace: this needs Linux, the command ip, and root",
		)
	}
	n := os.Getpid() % 250
	ns, wire := fmt.Sprintf("af%d", os.Getpid()), fmt.Sprintf("af%d", os.Getpid())
	run := func(args ...string) {
		t.Helper()
		if said, err := exec.CommandContext(t.Context(), ip, args...).CombinedOutput(); err != nil {
			t.Skipf("NOT TESTED: an agent on another computer: ip %s: %v: %s", strings.Join(args, " "), err, said)
		}
	}
	run("netns", "add", ns)
	t.Cleanup(func() { _ = exec.Command(ip, "netns", "del", ns).Run() })
	hub, there := fmt.Sprintf("10.213.%d.1", n), fmt.Sprintf("10.213.%d.2", n)
	for _, args := range [][]string{
		{"link", "add", wire + "a", "type", "veth", "peer", "name", wire + "b"},
		{"link", "set", wire + "b", "netns", ns},
		{"addr", "add", hub + "/24", "dev", wire + "a"},
		{"link", "set", wire + "a", "up"},
		{"netns", "exec", ns, ip, "addr", "add", there + "/24", "dev", wire + "b"},
		{"netns", "exec", ns, ip, "link", "set", wire + "b", "up"},
	} {
		run(args...)
	}
	return network{hub: hub, enter: []string{ip, "netns", "exec", ns}}
}

// process is a command that runs beside the test.
type process struct {
	t     *testing.T
	cmd   *exec.Cmd
	out   *output
	ended chan error
}

func startProcess(t *testing.T, env []string, args ...string) *process {
	t.Helper()
	p := &process{
		t:     t,
		cmd:   bounded(t.Cleanup, args[0], args[1:]...),
		out:   &output{more: make(chan struct{}, 1)},
		ended: make(chan error, 1),
	}
	p.cmd.Env, p.cmd.Stdout, p.cmd.Stderr = env, p.out, p.out
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { p.ended <- p.cmd.Wait() }()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		_ = p.wait()
	})
	return p
}

func (p *process) wait() error {
	err := <-p.ended
	p.ended <- err // for the next caller
	return err
}

// said waits until the process has said it, and returns what stands in the brackets.
func (p *process) said(pattern string) string {
	p.t.Helper()
	limit := time.After(time.Minute)
	for re := regexp.MustCompile(pattern); ; {
		if m := re.FindStringSubmatch(p.out.String()); m != nil {
			return m[len(m)-1]
		}
		select {
		case <-p.out.more:
		case <-limit:
			p.t.Fatalf("%q was not said:\n%s", pattern, p.out)
		case err := <-p.ended:
			p.ended <- err
			p.t.Fatalf("%q was not said, and then it ended: %v\n%s", pattern, err, p.out)
		}
	}
}

// told says what the hub knows of what an agent elsewhere has asked its model. The program that
// ran it has ended, and tells before it does.
func told(t *testing.T, hub *hubclient.Client, agent string) {
	t.Helper()
	var list struct{ Calls []usage.ModelCall }
	if err := hub.Call(t.Context(), "GET", "/api/llm-calls?agent="+agent, nil, &list); err != nil || len(list.Calls) == 0 {
		t.Fatalf("the hub was not told what %s asked its model: %v", agent, err)
	}
	if c := list.Calls[0]; !c.Elsewhere || c.Kept || c.For != "room:dev" || c.Model != "demo/echo" || c.Finish == "" || c.Error != nil {
		t.Errorf("the hub was told %+v", c)
	}
}

// CH-5, CH-11, CH-12: an agent joins from another computer, answers a person, and, after the hub was
// killed and is back, the next one: each question once.
func TestCH12_AnAgentOnAnotherComputer(t *testing.T) {
	path, err := exec.LookPath("agentflow")
	if err != nil {
		t.Fatal(err)
	}
	net, dir := otherNetwork(t), t.TempDir()
	file := filepath.Join(dir, "agents.yml")
	if err := os.WriteFile(file, []byte("agents:\n  - {name: Ann, model: demo/echo, persona: You echo.}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	env := []string{"AGENTFLOW_TOKEN=" + childToken, "HOME=" + dir, "PATH=" + os.Getenv("PATH")}
	serve := func(port string) (hub *process, url, pin string) {
		hub = startProcess(t, env, path, "serve", "--listen", net.hub+":"+port, "--tls-self-signed", "--data",
			filepath.Join(dir, "hub"))
		return hub, hub.said(`listening on (\S+)\n`), hub.said(`fingerprint is (\S+)\n`)
	}
	hub, url, pin := serve("0")
	join := append(append([]string{}, net.enter...), path, "chat", "join", "--url", url, "--room", "dev", "--agents",
		file, "--data", filepath.Join(dir, "there"))
	agent := startProcess(t, append(env, "AGENTFLOW_FINGERPRINT="+pin), join...)
	agent.said("joined dev as (Ann)\n")

	client, err := hubclient.New(url, childToken)
	if err == nil {
		err = client.Pin(pin)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	rooms := &roomclient.Rooms{Hub: client}
	question := func(text string) {
		t.Helper()
		asked, err := rooms.Post(t.Context(), room.Draft{Room: "dev", Sender: "human", Text: text, ClientID: text})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		err = rooms.Follow(ctx, roomclient.Following{Room: "dev", After: asked.ID}, func(m room.Message) error {
			if m.Sender == "Ann" && m.Type == room.Chat && strings.Contains(m.Text, text) {
				return errEnough
			}
			return nil
		})
		if !errors.Is(err, errEnough) {
			t.Fatalf("%q was not answered: %v\n%s", text, err, agent.out)
		}
	}
	question("the first question")
	_ = hub.cmd.Process.Kill()
	_ = hub.wait()
	if _, again, _ := serve(url[strings.LastIndex(url, ":")+1:]); again != url {
		t.Fatalf("the hub is at %s, was at %s", again, url)
	}
	question("the second question")
	list, err := rooms.List(t.Context(), room.Range{Room: "dev", Limit: 100})
	answers := 0
	for _, m := range list {
		if m.Sender == "Ann" {
			answers++
		}
	}
	if err != nil || answers != 2 {
		t.Errorf("Ann said %d things: %+v, %v", answers, list, err)
	}
	if err := agent.cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if code := exitCode(agent.wait()); code != 130 {
		t.Errorf("the command ended with %d:\n%s", code, agent.out)
	}
	told(t, client, "Ann")
}
