package hubclient

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
)

// maxEvent bounds one server-sent event, in bytes.
const maxEvent = 4 << 20

// Events reads a stream of server-sent events; each gets every event's id and data, which
// is its own only until it returns. An error of each ends the stream and is returned as it
// is. A stream that breaks off, or just ends, is io.ErrUnexpectedEOF.
func (c *Client) Events(ctx context.Context, path string, each func(id string, data []byte) error) error {
	return c.stream(ctx, nil, http.MethodGet, path, nil, func(r io.Reader) error {
		var id string
		lines := bufio.NewScanner(r)
		lines.Buffer(nil, maxEvent)
		for lines.Scan() {
			name, value, _ := bytes.Cut(lines.Bytes(), []byte(": "))
			switch string(name) {
			case "id":
				id = string(value)
			case "data":
				if err := each(id, value); err != nil {
					return err
				}
			}
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return io.ErrUnexpectedEOF
	})
}
