package client_test

import (
	"context"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/client"
	"agentflow/backend/gateway/gatewaytest"
	"agentflow/backend/team/topology"
)

// OC-2: both generations of gateways give and take workspace files; the newest check the hash themselves.
func TestOC2_AgentFiles(t *testing.T) {
	t.Parallel()
	for name, generation := range map[string]gatewaytest.Generation{"newest": gatewaytest.Newest,
		"february": gatewaytest.February} {
		t.Run(name, func(t *testing.T) {
			newest := generation == gatewaytest.Newest
			s := gatewaytest.Start(t, gatewaytest.Options{Generation: generation})
			s.Disk.Set("main", "SOUL.md", "Be kind.\n")
			s.Disk.Set("main", "MEMORY.md", "a\xffb")
			c := dial(t, s)
			writesFiles(t, ctx(t), c, newest)
			if f, err := client.FilesOf(c).Read(ctx(t), "main", "MEMORY.md"); err != nil || !f.Binary {
				t.Errorf("a binary file gave %+v, %v", f, err)
			}
			if content, _ := s.Disk.Get("main", "SOUL.md"); content != "Be strict.\n" {
				t.Fatalf("the gateway has %q", content)
			}
			for _, call := range s.Calls() {
				if call.Method == "agents.files.set" && strings.Contains(string(call.Params), "strict") &&
					strings.Contains(string(call.Params), topology.HashFile("Be kind.\n")) != newest {
					t.Errorf("the write was sent as %s", call.Params)
				}
			}
		})
	}
}

// writesFiles reads, changes and compares the file SOUL.md of main, which is there.
func writesFiles(t *testing.T, within context.Context, c *client.Client, newest bool) {
	t.Helper()
	if !c.Features().AgentFiles {
		t.Fatalf("features %+v", c.Features())
	}
	list, err := client.FilesOf(c).List(within, "main")
	if err != nil || len(list) != len(topology.FileNames()) {
		t.Fatalf("%+v, %v", list, err)
	}
	for _, f := range list {
		if retired := newest && (f.Name == "TOOLS.md" || f.Name == "HEARTBEAT.md"); f.Unsupported != retired ||
			f.Content != "" {
			t.Errorf("%+v", f)
		}
	}
	was, err := client.FilesOf(c).Read(within, "main", "SOUL.md")
	if err != nil || was.Missing || was.Guarded != newest || was.Hash != topology.HashFile(was.Content) {
		t.Fatalf("%+v, %v", was, err)
	}
	wrote, err := client.FilesOf(c).Write(within, "main", "SOUL.md", "Be strict.\n", was.Hash)
	if err != nil || wrote.Guarded != newest {
		t.Fatalf("%+v, %v", wrote, err)
	}
	_, err = client.FilesOf(c).Write(within, "main", "SOUL.md", "again", was.Hash)
	if !errcode.Is(err, errcode.Conflict) || !errcode.HasReason(err, errcode.ReasonFileChanged) ||
		errcode.From(err).Details[client.KeyCurrentHash] != wrote.Hash {
		t.Fatalf("a stale hash gave %v, %+v", err, errcode.From(err).Details)
	}
	got, err := client.FilesOf(c).Read(within, "main", "SOUL.md")
	if err != nil || got.Content != "Be strict.\n" || got.Hash != wrote.Hash {
		t.Fatalf("%+v, %v", got, err)
	}
	if _, err := client.FilesOf(c).Write(within, "main", "EVIL.md", "x", ""); !errcode.HasReason(err,
		errcode.ReasonRejected) {
		t.Errorf("a file of another name gave %v", err)
	}
}

// A file that changes after it was read for the write isn't overwritten, where the gateway compares hashes.
func TestOC2_AFileThatChangesBetweenReadAndWrite(t *testing.T) {
	t.Parallel()
	s := gatewaytest.Start(t, gatewaytest.Options{})
	s.Disk.Set("main", "SOUL.md", "one")
	s.SetFaults(gatewaytest.Faults{OnFile: func(method, agent, name string) {
		if method == "agents.files.set" {
			s.Disk.Set(agent, name, "somebody else's")
		}
	}})
	c := dial(t, s)
	_, err := client.FilesOf(c).Write(ctx(t), "main", "SOUL.md", "mine", topology.HashFile("one"))
	if !errcode.HasReason(err, errcode.ReasonFileChanged) ||
		errcode.From(err).Details[client.KeyCurrentHash] != topology.HashFile("somebody else's") {
		t.Fatalf("got %v, %+v", err, errcode.From(err).Details)
	}
	if content, _ := s.Disk.Get("main", "SOUL.md"); content != "somebody else's" {
		t.Fatalf("the gateway has %q", content)
	}
}

// A write whose answer is lost isn't sent again, and the error says that it may have been done.
func TestOC2_ALostAnswerToAFile(t *testing.T) {
	t.Parallel()
	s := gatewaytest.Start(t, gatewaytest.Options{})
	s.SetFaults(gatewaytest.Faults{CutAfter: map[string]bool{"agents.files.set": true}})
	c := dial(t, s)
	_, err := client.FilesOf(c).Write(ctx(t), "main", "SOUL.md", "mine", "")
	if !errcode.HasReason(err, errcode.ReasonUnknown) || s.Count("agents.files.set") != 1 {
		t.Fatalf("%d writes, %v", s.Count("agents.files.set"), err)
	}
}

// A file of 10 MB is read whole, and an answer that is no file is refused.
func TestOC2_OddFiles(t *testing.T) {
	t.Parallel()
	s := gatewaytest.Start(t, gatewaytest.Options{})
	s.Disk.Set("main", "SOUL.md", strings.Repeat("x", 10<<20))
	c := dial(t, s)
	if f, err := client.FilesOf(c).Read(ctx(t), "main", "SOUL.md"); err != nil || f.Size != 10<<20 ||
		len(f.Content) != 10<<20 {
		t.Fatalf("%d bytes, %v", len(f.Content), err)
	}
	for _, answer := range []string{`{}`, `{"file":null}`, `{"file":{"name":"SOUL.md"}}`, `{"file":[]}`, `7`} {
		s.SetFaults(gatewaytest.Faults{RawAnswer: map[string]string{
			"agents.files.get": `{"type":"res","id":$ID,"ok":true,"payload":` + answer + `}`,
		}})
		if f, err := client.FilesOf(c).Read(ctx(t), "main", "SOUL.md"); !errcode.Is(err, errcode.Gateway) {
			t.Errorf("%s gave %+v, %v", answer, f, err)
		}
	}
}

// From a gateway without the methods nothing is asked.
func TestOC2_AGatewayWithoutFiles(t *testing.T) {
	t.Parallel()
	c := dial(t, gatewaytest.Start(t, gatewaytest.Options{Dialect: client.DialectJSONRPC}))
	if _, err := client.FilesOf(c).List(ctx(t), "main"); !errcode.HasReason(err, errcode.ReasonRejected) ||
		c.Features().AgentFiles {
		t.Fatalf("got %v", err)
	}
}
