package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Stdio serves the team on standard input and output until the client closes them.
func Stdio(ctx context.Context, t Team, version string) error {
	return serve(ctx, t, version, os.Stdin, os.Stdout)
}

func serve(ctx context.Context, t Team, version string, in io.ReadCloser, out io.Writer) error {
	w := &messageWriter{out: out}
	r := &messageReader{Closer: in, in: bufio.NewReader(in), answers: w}
	return Server(t, version).Run(ctx, &sdk.IOTransport{Reader: r, Writer: w})
}

// notJSON is the answer to a line that can't be read. It has no id, because the line told none.
const notJSON = `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the line isn't JSON"}}` + "\n"

// messageReader hands on the lines that are JSON, and answers the others: the SDK ends at the first of them.
type messageReader struct {
	io.Closer
	in      *bufio.Reader
	answers io.Writer
	left    []byte // of the line that is being handed on
}

func (r *messageReader) Read(p []byte) (int, error) {
	for len(r.left) == 0 {
		line, err := r.line()
		switch text := bytes.TrimSpace(line); {
		case len(text) > 0 && json.Valid(text):
			r.left = slices.Concat(text, []byte{'\n'})
		case len(text) > 0:
			if _, failed := io.WriteString(r.answers, notJSON); failed != nil {
				return 0, failed
			}
		}
		if err != nil && len(r.left) == 0 {
			return 0, err
		}
	}
	n := copy(p, r.left)
	r.left = r.left[n:]
	return n, nil
}

// line reads a line. What is longer than the SDK reads in one message is left out, so that it isn't JSON.
func (r *messageReader) line() ([]byte, error) {
	var line []byte
	for {
		part, err := r.in.ReadSlice('\n')
		if len(line) <= sdk.DefaultMaxLineLength {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// messageWriter writes one message at a time.
type messageWriter struct {
	mu  sync.Mutex
	out io.Writer
}

func (w *messageWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.Write(p)
}

// Close leaves standard output open, as the SDK does.
func (w *messageWriter) Close() error { return nil }
