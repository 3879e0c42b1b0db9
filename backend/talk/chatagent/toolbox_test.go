package chatagent

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"agentflow/backend/model/llm"
	"agentflow/backend/model/tool"
	"agentflow/backend/talk/room"
)

const asServer = "AGENTFLOW_TEST_AS_MCP_SERVER"

// TestMain is the MCP server itself where a test started it as a child.
func TestMain(m *testing.M) {
	if os.Getenv(asServer) == "" {
		goleak.VerifyTestMain(m)
		return
	}
	s := sdk.NewServer(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	for _, name := range []string{"look", "change", "destroy"} {
		sdk.AddTool(s, &sdk.Tool{Name: name, Description: name}, func(context.Context, *sdk.CallToolRequest, struct{}) (*sdk.CallToolResult, any, error) {
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: name + " is done; token " + os.Getenv("HARBOUR_TOKEN")}}}, nil, nil
		})
	}
	_ = s.Run(context.Background(), &sdk.StdioTransport{})
}

// wants is a model that asks for tools, one after the other, and then tells what it was told.
type wants []string

func (w wants) Stream(_ context.Context, r llm.Request, onDelta func(string) error) (llm.Answer, error) {
	var offered []string
	for _, t := range r.Tools {
		offered = append(offered, t.Name)
	}
	at := 0
	for _, m := range r.Messages {
		if m.Role == llm.RoleTool {
			at++
		}
	}
	if at < len(w) {
		return llm.Answer{
			Finish: llm.FinishCalls,
			Calls:  []llm.Call{{ID: fmt.Sprint("c", at), Name: w[at], Arguments: "{}"}},
		}, nil
	}
	return llm.Answer{Finish: llm.FinishStop}, onDelta("I had " + strings.Join(offered, " "))
}

type person struct {
	mu    sync.Mutex
	asked []string
	allow bool
}

func (p *person) Ask(_ context.Context, q tool.Question) (tool.Verdict, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = append(p.asked, q.From+"."+q.Tool)
	return tool.Verdict{Allow: p.allow}, nil
}

const harbourFile = `agents:
  - name: Ann
    model: demo/echo
    persona: You look after the harbour.
    mcpServers: [{name: harbour, command: [%q], env: [AGENTFLOW_TEST_AS_MCP_SERVER, HARBOUR_TOKEN]}]
    mcpPolicy: {default: ask, tools: {look: auto, harbour_destroy: deny}}
`

// CH-5: an agent of a file uses the tools of a real MCP server as its policy says: unasked,
// after a person has agreed, or not at all; and what it started is gone with it.
func TestCH5_AnAgentsMCPToolsUnderItsPolicy(t *testing.T) {
	t.Setenv(asServer, "1")
	t.Setenv("HARBOUR_TOKEN", "of-the-harbour")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file, err := ReadFile(fmt.Appendf(nil, harbourFile, self), "agents.yml")
	if err != nil || len(file.Unknown) > 0 {
		t.Fatalf("%v, unknown %v", err, file.Unknown)
	}
	for _, allow := range []bool{true, false} {
		p := &person{allow: allow}
		shop := Toolbox{Models: wants{"look", "change", "destroy"}, Asker: func(Config, string) tool.Asker { return p }}
		mind := shop.Responder(file.Agents[0], "dev")
		ctx, cancel := context.WithCancel(t.Context())
		kept := make(chan struct{})
		go func() {
			defer close(kept)
			mind.(Keeper).Keep(ctx)
		}()
		var notices []string
		var said strings.Builder
		states := map[room.State]bool{}
		_, err := mind.Respond(ctx, llm.Request{Model: "demo/echo", Messages: []llm.Message{{Role: llm.RoleUser, Text: "go"}}}, func(th Update) error {
			if th.Notice != "" {
				notices = append(notices, th.Notice)
			}
			said.WriteString(th.Text)
			states[th.State] = true
			return nil
		})
		cancel()
		select {
		case <-kept:
		case <-time.After(time.Minute):
			t.Fatal("its MCP server is still there")
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(p.asked, " "); got != "harbour.change" {
			t.Errorf("a person was asked about %q, not about change alone", got)
		}
		if !states[room.Waiting] {
			t.Error("that it waits for a person does not show")
		}
		if said.String() != "I had change look" {
			t.Errorf("it was offered: %q", said.String())
		}
		want := map[bool]string{true: "Ann used change", false: "Ann could not use change"}[allow]
		if len(notices) != 3 || !strings.HasPrefix(notices[0], "Ann used look") || !strings.HasPrefix(notices[1], want) || !strings.HasPrefix(notices[2], "Ann could not use destroy") {
			t.Errorf("the room was told %q", notices)
		}
		if !strings.Contains(notices[0], "look is done") {
			t.Errorf("the result does not show: %q", notices[0])
		}
	}
}

// CH-5: errors in an agent's servers and policy are reported with file and line; a
// team brings neither a program to start nor a permission.
func TestCH5_ServersAndPoliciesOfAFile(t *testing.T) {
	for text, want := range map[string]string{
		"mcpServers: {}":                          "mcpServers must be a list",
		"mcpServers: [{name: a}]":                 `the MCP server "a": it needs either a command or a url`,
		"mcpServers: [{name: a, comand: [b]}]":    `unknown field "comand"`,
		"mcpPolicy: {default: maybe}":             `"maybe": it must be auto, ask or deny`,
		"mcpPolicy: {tools: {look: sometimes}}":   `the policy of the tool look is "sometimes"`,
		"mcpServers: [{name: a, url: ftp://a.b}]": "its url must begin with http",
	} {
		_, err := ReadFile([]byte("agents:\n  - name: Ann\n    model: demo/echo\n    persona: p\n    "+text+"\n"),
			"agents.yml")
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "agents.yml:") {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	file, err := ReadFile([]byte("agents:\n  - name: Ann\n    model: demo/echo\n    persona: p\n    mcpServers: [{name: a, url: 'https://a.example', tokenEnv: AGENTFLOW_TEST_NO_TOKEN}]\n"), "agents.yml")
	if err != nil {
		t.Fatal(err)
	}
	_, err = Toolbox{
		Models: wants{},
	}.Responder(file.Agents[0], "dev").
		Respond(t.Context(), llm.Request{}, func(Update) error { return errors.New("it thought") })
	if err == nil || !strings.Contains(err.Error(), "AGENTFLOW_TEST_NO_TOKEN") {
		t.Errorf("without its token: %v", err)
	}
}
