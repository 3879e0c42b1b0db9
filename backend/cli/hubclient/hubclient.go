// Package hubclient is how commands talk to a hub: over its API, with the owner's token.
package hubclient

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"agentflow/backend/cli/shell"
	"agentflow/backend/config"
	"agentflow/backend/errcode"
)

const (
	defaultURL = "http://127.0.0.1:18800"
	envURL     = "AGENTFLOW_URL"
	envToken   = "AGENTFLOW_TOKEN" //nolint:gosec // the name of a variable, not a token
	maxAnswer  = 64 << 20
	maxToken   = 64 << 10
	waitAnswer = 60 * time.Second
)

// Flags say which hub is meant. There is no flag for the token: command lines are public.
type Flags struct {
	URL, TokenFile string
	shell          *shell.Shell
}

// AddTo gives a command the flags --url and --token-file.
func (f *Flags) AddTo(s *shell.Shell, cmd *cobra.Command) {
	f.shell = s
	flags := cmd.PersistentFlags()
	flags.StringVar(&f.URL, "url", cmp.Or(os.Getenv(envURL), defaultURL), "the hub's address (default: "+envURL+")")
	flags.StringVar(&f.TokenFile, "token-file", "", "file that holds the owner's token (default: "+envToken+", or the data folder's for a hub on this computer)")
	s.DataFlag(cmd)
}

// Client speaks with one hub.
type Client struct {
	URL   string // without a slash at the end
	Token string
	HTTP  *http.Client
}

// Open returns the client that the flags mean. Nothing is sent yet.
func (f *Flags) Open() (*Client, error) {
	u, err := url.Parse(strings.TrimRight(f.URL, "/"))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, errcode.New(errcode.Validation, "--url must be like https://host:port, without user or query").With(errcode.KeyField, "url")
	}
	token, err := f.token(u)
	if err != nil {
		return nil, err
	}
	return &Client{URL: u.String(), Token: token, HTTP: &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}, nil
}

// token finds the owner's token. That of the data folder goes only to a hub on this computer.
func (f *Flags) token(u *url.URL) (string, error) {
	if f.TokenFile != "" {
		return readToken(f.TokenFile)
	}
	if t := os.Getenv(envToken); t != "" {
		return t, nil
	}
	if !loopback(u.Hostname()) {
		return "", errcode.New(errcode.Unauthorized, "no token for %s: set %s, or name a file with --token-file", u.Host, envToken)
	}
	dir, err := config.DataDir(f.shell.DataDir)
	if err != nil {
		return "", err
	}
	token, err := config.OwnerToken(dir, false)
	if err == nil && token == "" {
		err = errcode.New(errcode.Unauthorized, "no hub has been started on the data folder %s: start one with agentflow serve, or set %s", dir, envToken)
	}
	return token, err
}

func readToken(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", shell.Unreadable(path, err)
	}
	defer func() { _ = file.Close() }() // only read
	data, err := io.ReadAll(io.LimitReader(file, maxToken))
	if err != nil {
		return "", shell.Unreadable(path, err)
	}
	token := strings.TrimSpace(string(data))
	if token == "" {
		return "", errcode.New(errcode.Validation, "%s holds no token", path).With(errcode.KeyFile, path)
	}
	return token, nil
}

func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

// Request is one call.
type Request struct {
	Method, Path string
	Header       http.Header
	In           any // sent as JSON, if not nil
}

// Call sends a request and decodes the answer into out, unless that is nil. What the hub
// refuses comes back as it said it; a hub that is not there is UNAVAILABLE with the reason
// link_down.
func (c *Client) Call(ctx context.Context, r Request, out any) error {
	ctx, cancel := context.WithTimeoutCause(ctx, waitAnswer, context.DeadlineExceeded)
	defer cancel()
	res, err := c.send(ctx, r)
	if err != nil {
		return err
	}
	defer res.Body.Close() //nolint:errcheck // only read
	data, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return c.unreached(ctx, err)
	}
	if out == nil || len(data) == 0 {
		return nil
	}
	if err := json.Unmarshal(data, out); err != nil {
		return errcode.New(errcode.Unavailable, "what answers at %s is no AgentFlow hub", c.URL).With(errcode.KeyReason, errcode.ReasonLinkDown)
	}
	return nil
}

// send returns an answer that is no failure. The caller closes its body.
func (c *Client) send(ctx context.Context, r Request) (*http.Response, error) {
	var body io.Reader
	if r.In != nil {
		data, err := json.Marshal(r.In)
		if err != nil {
			return nil, errcode.Wrap(errcode.Internal, err, "the request cannot be written")
		}
		body = bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(ctx, cmp.Or(r.Method, http.MethodGet), c.URL+r.Path, body)
	if err != nil {
		return nil, errcode.Wrap(errcode.Validation, err, "the hub's address cannot be used")
	}
	for name, values := range r.Header {
		req.Header[name] = values
	}
	req.Header.Set("Authorization", "Bearer "+c.Token)
	if r.In != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := c.HTTP.Do(req)
	if err != nil {
		return nil, c.unreached(ctx, err)
	}
	if res.StatusCode < http.StatusMultipleChoices {
		return res, nil
	}
	defer res.Body.Close() //nolint:errcheck // only read
	return nil, c.refused(res)
}

func (c *Client) refused(res *http.Response) error {
	data, _ := io.ReadAll(io.LimitReader(res.Body, maxToken)) // what cannot be read is no hub's answer
	var said struct {
		Error *errcode.Error `json:"error"`
	}
	if json.Unmarshal(data, &said) == nil && said.Error != nil && said.Error.Code != "" {
		return said.Error
	}
	return errcode.New(errcode.Unavailable, "what answers at %s is no AgentFlow hub: %s", c.URL, res.Status).With(errcode.KeyReason, errcode.ReasonLinkDown)
}

func (c *Client) unreached(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.DeadlineExceeded) {
		return cause
	}
	return errcode.Wrap(errcode.Unavailable, err, "no hub answers at %s: start one with agentflow serve, or name another with --url", c.URL).With(errcode.KeyReason, errcode.ReasonLinkDown)
}

// maxEvent bounds one server-sent event.
const maxEvent = 4 << 20

// Events reads a stream of server-sent events until it ends; each gets every event's id
// and data. ErrUnexpectedEOF says that it broke off.
func (c *Client) Events(ctx context.Context, r Request, each func(id string, data []byte) error) error {
	res, err := c.send(ctx, r)
	if err != nil {
		return err
	}
	defer res.Body.Close() //nolint:errcheck // only read
	var id string
	lines := bufio.NewScanner(res.Body)
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
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return io.ErrUnexpectedEOF
}
