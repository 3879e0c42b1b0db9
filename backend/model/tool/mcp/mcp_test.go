package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"agentflow/backend/model/tool"
)

const asServer = "AGENTFLOW_TEST_AS_MCP_SERVER"

// TestMain is the MCP server itself if a test started it as a child.
func TestMain(m *testing.M) {
	if how := os.Getenv(asServer); how != "" {
		serve(how)
		return
	}
	goleak.VerifyTestMain(m)
}

type nothing struct{}

type sum struct {
	A, B int
}

// newServer offers tools that work, fail, hang and kill their server.
func newServer() *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	text := func(t string) *sdk.CallToolResult {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: t}}}
	}
	sdk.AddTool(s, &sdk.Tool{Name: "add", Description: "adds two numbers"}, func(_ context.Context, _ *sdk.CallToolRequest, in sum) (*sdk.CallToolResult, any, error) {
		return text(fmt.Sprint(in.A + in.B)), nil, nil
	})
	sdk.AddTool(s, &sdk.Tool{Name: "pid"}, func(context.Context, *sdk.CallToolRequest, nothing) (*sdk.CallToolResult, any, error) {
		return text(fmt.Sprint(os.Getpid(), " ", os.Getenv("AGENTFLOW_AGENT_SECRET"))), nil, nil
	})
	sdk.AddTool(s, &sdk.Tool{Name: "refuse"}, func(context.Context, *sdk.CallToolRequest, nothing) (*sdk.CallToolResult, any, error) {
		return nil, nil, fmt.Errorf("not today")
	})
	sdk.AddTool(s, &sdk.Tool{Name: "hang"}, func(ctx context.Context, _ *sdk.CallToolRequest, _ nothing) (*sdk.CallToolResult, any, error) {
		<-ctx.Done()
		return nil, nil, ctx.Err()
	})
	sdk.AddTool(s, &sdk.Tool{Name: "die"}, func(context.Context, *sdk.CallToolRequest, nothing) (*sdk.CallToolResult, any, error) {
		os.Exit(7) //nolint:forbidigo // that is what it is for
		return nil, nil, nil
	})
	sdk.AddTool(s, &sdk.Tool{Name: "picture"}, func(context.Context, *sdk.CallToolRequest, nothing) (*sdk.CallToolResult, any, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "see"}, &sdk.ImageContent{MIMEType: "image/png", Data: []byte("abc")}}}, nil, nil
	})
	sdk.AddTool(s, &sdk.Tool{Name: "more"}, func(context.Context, *sdk.CallToolRequest, nothing) (*sdk.CallToolResult, any, error) {
		sdk.AddTool(s, &sdk.Tool{Name: "added"}, func(context.Context, *sdk.CallToolRequest, nothing) (*sdk.CallToolResult, any, error) {
			return text("here"), nil, nil
		})
		return text("added"), nil, nil
	})
	return s
}

func serve(how string) {
	switch how {
	case "broken":
		fmt.Fprintln(os.Stderr, "no such database")
		os.Exit(3) //nolint:forbidigo // that is what it is for
	case "endless":
		for {
			_, _ = os.Stdout.WriteString(strings.Repeat("{", 1<<20))
		}
	case "noisy":
		fmt.Println("Welcome to the server!") //nolint:forbidigo // that is what it is for
		fmt.Println()                         //nolint:forbidigo // see above
	}
	_ = newServer().Run(context.Background(), &sdk.StdioTransport{})
}

// start runs a server until the test ends.
func start(t *testing.T, c Config) (*Server, func()) {
	t.Helper()
	c.Name = "test"
	c.Pause = time.Millisecond
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	stop := func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		ended <- nil
	}
	t.Cleanup(stop)
	<-s.Ready()
	return s, stop
}

// child is this program as an MCP server.
func child(t *testing.T, how string) Config {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Config{Command: []string{self}, Env: []string{asServer + "=" + how}}
}

func set(t *testing.T, s *Server) *tool.Set {
	t.Helper()
	tools, err := s.Tools()
	if err != nil {
		t.Fatal(err)
	}
	return tool.NewSet(tool.Options{Policies: tool.Policies{Default: tool.Auto}}, tools...)
}

func use(t *testing.T, s *tool.Set, name, args string) tool.Outcome {
	t.Helper()
	o, err := s.Use(t.Context(), name, args, "")
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// eventually polls until ok; the test's own timeout ends it.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-t.Context().Done():
			t.Fatal("never: " + what)
		case <-tick.C:
		}
	}
}

func behaves(t *testing.T, s *Server) {
	t.Helper()
	tools := set(t, s)
	if got := strings.Join(tools.Names(), " "); got != "add die hang more picture pid refuse" {
		t.Fatalf("tools %s", got)
	}
	add := tools.Tools()[0]
	var schema struct {
		Type       string
		Properties map[string]any
	}
	if err := json.Unmarshal(add.Schema, &schema); err != nil || schema.Type != "object" || len(schema.Properties) != 2 || add.Description != "adds two numbers" {
		t.Errorf("%+v, %v", add, err)
	}
	for _, c := range []struct {
		name, args, says string
		failed           bool
	}{
		{"add", `{"A":2,"B":3}`, "5", false},
		{"add", `{"A":"two"}`, "", true},
		{"refuse", `{}`, "not today", true},
		{"picture", ``, "see\n[an image, image/png, 3 bytes]", false},
	} {
		if o := use(t, tools, c.name, c.args); o.Failed != c.failed || !strings.Contains(o.Text, c.says) {
			t.Errorf("%s: %+v", c.name, o)
		}
	}
}

// TestCH5_AnMCPServerIsStartedListedAndCalled, also one that prints a greeting, and without our secrets.
func TestCH5_AnMCPServerIsStartedListedAndCalled(t *testing.T) {
	t.Setenv("AGENTFLOW_AGENT_SECRET", "s3cret-value")
	for _, how := range []string{"quiet", "noisy"} {
		s, _ := start(t, child(t, how))
		behaves(t, s)
		if o := use(t, set(t, s), "pid", ""); o.Failed || strings.Contains(o.Text, "s3cret") {
			t.Errorf("%+v", o)
		}
	}
}

func TestCH5_AnMCPServerOverHTTP(t *testing.T) {
	var asked atomic.Int32
	handler := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return newServer() }, nil)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer tok" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		asked.Add(1)
		handler.ServeHTTP(w, r)
	}))
	defer http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	defer srv.Close()
	s, stop := start(t, Config{URL: srv.URL, Token: "tok"})
	behaves(t, s)
	stop()
	if asked.Load() == 0 {
		t.Error("the server got no request")
	}
	s, stop = start(t, Config{URL: srv.URL, Token: "wrong"})
	defer stop()
	if _, err := s.Tools(); err == nil || !strings.Contains(err.Error(), "not running") {
		t.Errorf("a wrong token: %v", err)
	}
}

// TestFaultAnMCPServerThatDies is restarted; the interrupted call says that its outcome is unknown.
func TestFaultAnMCPServerThatDies(t *testing.T) {
	s, stop := start(t, child(t, "quiet"))
	before := use(t, set(t, s), "pid", "").Text
	if o := use(t, set(t, s), "die", ""); !o.Failed || !strings.Contains(o.Text, "Whether die was done is not known") {
		t.Errorf("%+v", o)
	}
	after := ""
	eventually(t, "the server is back", func() bool {
		tools, err := s.Tools()
		if err != nil {
			return false
		}
		o := use(t, tool.NewSet(tool.Options{Policies: tool.Policies{Default: tool.Auto}}, tools...), "pid", "")
		after = o.Text
		return !o.Failed && after != before
	})
	stop()
	if _, err := s.Tools(); err == nil {
		t.Error("a server that has ended has tools")
	}
	eventually(t, "its process is gone", func() bool {
		_, err := os.Stat("/proc/" + strings.Fields(after)[0])
		return err != nil
	})
}

// TestFaultMCPServersThatCannotBeUsed report why, and block nothing.
func TestFaultMCPServersThatCannotBeUsed(t *testing.T) {
	for how, says := range map[string]string{"broken": "exit code 3: no such database", "endless": "too large"} {
		s, _ := start(t, child(t, how))
		if _, err := s.Tools(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", how, err)
		}
	}
	s, _ := start(t, Config{Command: []string{"/no/such/server"}})
	if _, err := s.Tools(); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("%v", err)
	}
	for _, c := range []Config{{Name: "x"}, {Command: []string{"a"}}, {Name: "x", URL: "ftp://a"}, {Name: "x", URL: "http://a", Command: []string{"b"}}} {
		if _, err := New(c); err == nil {
			t.Errorf("%+v passed", c)
		}
	}
}

// TestFaultAHangingCall ends by its timeout or with the turn; the server keeps running.
func TestFaultAHangingCall(t *testing.T) {
	c := child(t, "quiet")
	c.Call = 50 * time.Millisecond
	s, _ := start(t, c)
	tools := set(t, s)
	if o := use(t, tools, "hang", ""); !o.Failed || !strings.Contains(o.Text, "took longer than 50ms") {
		t.Errorf("%+v", o)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(context.Canceled)
	if _, err := tools.Use(ctx, "hang", "", ""); err == nil {
		t.Error("a turn that was ended went on")
	}
}

// Tools are listed again when a server adds some.
func TestToolsThatAreAddedLater(t *testing.T) {
	s, _ := start(t, child(t, "quiet"))
	if o := use(t, set(t, s), "more", ""); o.Failed {
		t.Fatal(o.Text)
	}
	eventually(t, "the new tool", func() bool {
		tools, err := s.Tools()
		return err == nil && len(tools) == 8
	})
}
