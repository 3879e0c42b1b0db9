package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"agentflow/backend/base/proc"
	"agentflow/backend/base/safego"
)

const (
	maxFrame = 8 << 20         // bytes of one message of a server
	endGrace = 2 * time.Second // time for a server to end after its input was closed
)

// transport starts the server, or connects to it. It calls done when the process ends; gone waits until the process
// tree has ended.
func (s *Server) transport(
	ctx context.Context,
	done context.CancelCauseFunc,
) (t sdk.Transport, gone func(), err error) {
	if s.c.URL != "" {
		client := *s.c.HTTP
		client.Transport = bearer{next: orDefault(client.Transport), token: s.c.Token}
		return &sdk.StreamableClientTransport{
			Endpoint:     s.c.URL,
			HTTPClient:   &client,
			MaxEventSize: maxFrame,
		}, func() {}, nil
	}
	in, input, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	output, out := io.Pipe()
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		frames := &frames{to: out}
		done(safego.Call(running, s.c.Logger, "the process of the MCP server "+s.c.Name, func() error {
			return verdict(proc.Run(running, proc.Command{
				Path: s.c.Command[0], Args: s.c.Command[1:], Env: s.c.Env, Dir: s.c.Dir, Input: in, Output: frames.take,
			}))
		})) // before the pipes close, because their errors say less
		_ = in.Close()
		_ = out.Close()
	}()
	return &sdk.IOTransport{Reader: output, Writer: input, MaxLineLength: maxFrame}, func() {
		_ = input.Close() // the server reads the end of its input, and ends
		_ = output.Close()
		select {
		case <-ended:
		case <-time.After(endGrace):
		}
		stop()
		<-ended
	}, nil
}

func orDefault(t http.RoundTripper) http.RoundTripper {
	if t == nil {
		return http.DefaultTransport
	}
	return t
}

func verdict(res proc.Result, err error) error {
	if err != nil {
		return err
	}
	why := fmt.Errorf("it ended with exit code %d", res.Code)
	if said := strings.TrimSpace(res.Said); said != "" {
		lines := strings.Split(said, "\n")
		why = fmt.Errorf("%w: %s", why, strings.ToValidUTF8(lines[len(lines)-1], "\uFFFD"))
	}
	return why
}

// bearer adds a token to every request.
type bearer struct {
	next  http.RoundTripper
	token string
}

// RoundTrip implements http.RoundTripper.
func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	if b.token != "" {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+b.token)
	}
	return b.next.RoundTrip(r)
}

// frames passes on a server's messages and drops all other output: many servers print a greeting first, for which the
// SDK would end the session.
type frames struct {
	to      io.Writer
	pending []byte
}

var errFrame = errors.New("it sent a message that is too large")

func (f *frames) take(p []byte) error {
	f.pending = append(f.pending, p...)
	for {
		at := bytes.IndexByte(f.pending, '\n')
		if at < 0 {
			break
		}
		line := f.pending[:at+1]
		f.pending = f.pending[at+1:]
		if trimmed := bytes.TrimSpace(line); len(trimmed) == 0 || trimmed[0] != '{' && trimmed[0] != '[' {
			continue
		}
		if _, err := f.to.Write(line); err != nil {
			f.pending = nil
			return nil //nolint:nilerr // the reader is gone: the end is reported elsewhere
		}
	}
	if len(f.pending) > maxFrame {
		return errFrame
	}
	return nil
}
