// Package mcp provides the tools of MCP servers: local programs over standard input and output, which end with the
// hub, and remote servers over streamable HTTP. A server that dies is restarted.
package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/netlisten"
	"agentflow/backend/base/safego"
	"agentflow/backend/model/tool"
)

// Config is the config of a server: Command starts it, or URL is its address.
type Config struct {
	Name    string
	Command []string
	Env     []string     // the whole environment of the command
	Dir     string       // the command's working folder
	URL     string       // streamable HTTP
	Token   string       // for URL, sent as a bearer token; may be ""
	HTTP    *http.Client // for URL; nil is a client that follows no redirects
	Logger  *slog.Logger // logs the server's failures; nil: none

	Start time.Duration // timeout of its start; 0 is 30 s
	Call  time.Duration // timeout of a call; 0 is 2 min
	Pause time.Duration // before the first restart, doubled up to a hundredfold; 0 is 500 ms
}

// Server is one MCP server. Create it with New; Run keeps it running.
type Server struct {
	c     Config
	ready chan struct{}
	once  sync.Once
	nudge chan struct{} // its tools have changed; capacity 1

	mu      sync.Mutex
	session *sdk.ClientSession
	tools   []tool.Tool
	problem error // why there is no session
}

// New checks a config and returns its Server.
func New(c Config) (*Server, error) {
	bad := func(format string, args ...any) (*Server, error) {
		return nil, errcode.New(errcode.Validation, "the MCP server %q: "+format, append([]any{c.Name}, args...)...).
			With(errcode.KeyField, "mcpServers")
	}
	switch {
	case c.Name == "":
		return bad("it needs a name")
	case (len(c.Command) == 0) == (c.URL == ""):
		return bad("it needs either a command or a url")
	case c.URL != "" && !strings.HasPrefix(c.URL, "http://") && !strings.HasPrefix(c.URL, "https://"):
		return bad("its url must begin with http:// or https://")
	case c.Token != "" && netlisten.Readable(c.URL):
		return bad("its token would be readable on the way to %s: use https://, or a server on this computer", c.URL)
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.HTTP == nil {
		c.HTTP = &http.Client{
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}
	}
	c.Start, c.Call, c.Pause = cmp.Or(c.Start, 30*time.Second), cmp.Or(c.Call, 2*time.Minute), cmp.Or(c.Pause, 500*time.Millisecond)
	return &Server{c: c, ready: make(chan struct{}), nudge: make(chan struct{}, 1), problem: errStarting}, nil
}

var errStarting = errors.New("it is being started")

// Ready is closed after the first start has succeeded or failed.
func (s *Server) Ready() <-chan struct{} { return s.ready }

// Name returns the name from the config.
func (s *Server) Name() string { return s.c.Name }

// Tools returns the server's current tools. If it isn't running, there are none, and the error is why.
func (s *Server) Tools() ([]tool.Tool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.problem != nil {
		return nil, s.down(s.problem)
	}
	return slices.Clone(s.tools), nil
}

func (s *Server) down(why error) error {
	return errcode.New(errcode.Unavailable, "the MCP server %s is not running: %s", s.c.Name, why.Error())
}

// steady is how long a server must run for its restart delay to be reset.
const steady = time.Minute

// Run starts the server, and restarts it whenever it ends, until ctx ends. When Run returns, the server's process has
// ended.
func (s *Server) Run(ctx context.Context) error {
	defer s.started()
	for wait := s.c.Pause; ; wait = min(2*wait, 100*s.c.Pause) {
		began := time.Now()
		err := safego.Call(ctx, s.c.Logger, "the MCP server "+s.c.Name, func() error { return s.live(ctx) })
		s.set(nil, nil, err)
		s.started()
		if ctx.Err() != nil {
			return nil
		}
		if time.Since(began) > steady {
			wait = s.c.Pause
		}
		s.c.Logger.WarnContext(ctx, "an MCP server ended", slog.String("server", s.c.Name),
			slog.String("why", err.Error()))
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
	}
}

func (s *Server) started() { s.once.Do(func() { close(s.ready) }) }

func (s *Server) set(session *sdk.ClientSession, tools []tool.Tool, problem error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.session, s.tools, s.problem = session, tools, problem
}

// live runs the server once. It returns why it ended.
func (s *Server) live(ctx context.Context) error {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	transport, gone, err := s.transport(ctx, end)
	if err != nil {
		return err
	}
	defer gone()
	client := sdk.NewClient(&sdk.Implementation{Name: "agentflow", Version: "1"}, &sdk.ClientOptions{
		Capabilities: &sdk.ClientCapabilities{}, KeepAlive: 30 * time.Second,
		ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) {
			select {
			case s.nudge <- struct{}{}:
			default:
			}
		},
	})
	starting, cancel := context.WithTimeoutCause(ctx, s.c.Start, fmt.Errorf("it did not start within %s", s.c.Start))
	defer cancel()
	session, err := client.Connect(starting, transport, nil)
	if err != nil {
		return why(starting, err)
	}
	var ended error
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		ended = safego.Call(ctx, s.c.Logger, "the wait for an MCP server's end", session.Wait)
	}()
	defer func() {
		_ = session.Close() // it may already have ended
		<-closed
	}()
	tools, err := s.list(starting, session)
	if err != nil {
		return why(starting, err)
	}
	for {
		s.set(session, tools, nil)
		s.started()
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-closed:
			return why(ctx, cmp.Or(ended, io.EOF))
		case <-s.nudge:
		}
		if tools, err = s.listAnew(ctx, session); err != nil {
			return err
		}
	}
}

// listAnew lists the tools again after the server has announced a change.
func (s *Server) listAnew(ctx context.Context, session *sdk.ClientSession) ([]tool.Tool, error) {
	ctx, cancel := context.WithTimeout(ctx, s.c.Start)
	defer cancel()
	tools, err := s.list(ctx, session)
	if err != nil {
		return nil, why(ctx, err)
	}
	return tools, nil
}

// why returns the cause of ctx, if it has one, instead of the resulting error.
func why(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	if errors.Is(err, io.EOF) || errors.Is(err, sdk.ErrConnectionClosed) {
		return errors.New("it closed the connection")
	}
	return err
}

func (s *Server) list(ctx context.Context, session *sdk.ClientSession) ([]tool.Tool, error) {
	var tools []tool.Tool
	for t, err := range session.Tools(ctx, nil) {
		if err != nil {
			return nil, err
		}
		schema, err := json.Marshal(t.InputSchema)
		if err != nil || len(tools) == tool.MaxTools {
			continue
		}
		tools = append(tools, tool.Tool{
			Name: t.Name, From: s.c.Name, Description: t.Description, Schema: schema,
			Call: func(ctx context.Context, arguments json.RawMessage) (string, error) {
				return s.call(ctx, t.Name, arguments)
			},
		})
	}
	return tools, nil
}

// call calls a tool. If the server dies during the call, the error says that the outcome is unknown.
func (s *Server) call(ctx context.Context, name string, arguments json.RawMessage) (string, error) {
	s.mu.Lock()
	session, problem := s.session, s.problem
	s.mu.Unlock()
	if session == nil {
		return "", s.down(cmp.Or(problem, errStarting))
	}
	limited, cancel := context.WithTimeoutCause(ctx, s.c.Call,
		errcode.New(errcode.Timeout, "the tool %s took longer than %s", name, s.c.Call))
	defer cancel()
	res, err := session.CallTool(limited, &sdk.CallToolParams{Name: name, Arguments: arguments})
	switch {
	case limited.Err() != nil && err != nil:
		return "", context.Cause(limited)
	case errors.Is(err, io.EOF) || errors.Is(err, sdk.ErrConnectionClosed):
		return "", errcode.New(errcode.Unavailable,
			"the MCP server %s ended meanwhile; it is being started again. Whether %s was done is not known", s.c.Name,
			name)
	case err != nil:
		return "", errcode.New(errcode.Unavailable, "the MCP server %s refused %s: %s", s.c.Name, name, err.Error())
	}
	text := content(res)
	if res.IsError {
		return "", errcode.New(errcode.Validation, "%s failed: %s", name, cmp.Or(text, "it did not say why"))
	}
	return text, nil
}

// content returns a result as text; other content is only named.
func content(res *sdk.CallToolResult) string {
	var parts []string
	for _, c := range res.Content {
		switch c := c.(type) {
		case *sdk.TextContent:
			parts = append(parts, c.Text)
		case *sdk.ImageContent:
			parts = append(parts, fmt.Sprintf("[an image, %s, %d bytes]", c.MIMEType, len(c.Data)))
		case *sdk.AudioContent:
			parts = append(parts, fmt.Sprintf("[a recording, %s, %d bytes]", c.MIMEType, len(c.Data)))
		case *sdk.ResourceLink:
			parts = append(parts, fmt.Sprintf("[%s: %s]", c.Name, c.URI))
		case *sdk.EmbeddedResource:
			if c.Resource != nil {
				parts = append(parts,
					cmp.Or(c.Resource.Text, fmt.Sprintf("[%s, %d bytes]", c.Resource.URI, len(c.Resource.Blob))))
			}
		}
	}
	if len(parts) == 0 && res.StructuredContent != nil {
		if data, err := json.Marshal(res.StructuredContent); err == nil {
			parts = append(parts, string(data))
		}
	}
	return strings.Join(parts, "\n")
}
