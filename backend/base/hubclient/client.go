// Package hubclient calls a hub's API from another program or computer.
package hubclient

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"github.com/gorilla/websocket"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/netlisten"
)

// DefaultURL is the default address of a hub on this computer.
const DefaultURL = "http://127.0.0.1:18800"

const maxAnswer = 64 << 20

// Client calls one hub. Create it with New.
type Client struct {
	base  *url.URL
	token string
	http  *http.Client

	transport *http.Transport
}

// New returns a client for the hub at address (http:// or https://). It sends the token to that address only and
// follows no redirects. It rejects an address to which the token would travel without encryption.
func New(address, token string) (*Client, error) {
	if token != "" {
		if refused := Readable(address); refused != nil {
			return nil, refused
		}
	}
	return NewInsecure(address, token)
}

// Readable returns why a token isn't sent to a hub on another computer over http://, or nil.
func Readable(address string) error {
	if !netlisten.Readable(address) {
		return nil
	}
	return errcode.New(errcode.Validation,
		"the token for %s wasn't sent, because others can read it on the way. Nothing was changed. "+
			"Use https:// or a tunnel to this computer, or accept it with --insecure-http", address).
		With(errcode.KeyReason, errcode.ReasonReadable).
		With(errcode.KeyField, "url")
}

// NewInsecure is New for a user who has accepted that others can read the token on the way.
func NewInsecure(address, token string) (*Client, error) {
	base, err := url.Parse(strings.TrimRight(address, "/"))
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, errcode.New(errcode.Validation, "%q isn't a hub URL. Write it as %s", address, DefaultURL).
			With(errcode.KeyField, "url")
	}
	if base.User != nil || base.RawQuery != "" || base.Fragment != "" {
		return nil, errcode.New(errcode.Validation,
			"the address of a hub has no user, query or fragment: addresses are public").With(errcode.KeyField, "url")
	}
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment, DialContext: (&net.Dialer{Timeout: 10 * time.Second}).DialContext, ResponseHeaderTimeout: time.Minute}
	return &Client{base: base, token: token, transport: transport, http: &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// Pin makes the client trust the one certificate with that fingerprint and no other. It
// must be called before the first request.
func (c *Client) Pin(fingerprint string) error {
	trust, err := netlisten.Pin(fingerprint)
	if err != nil {
		return err
	}
	if c.base.Scheme != "https" {
		return errcode.New(errcode.Validation,
			"%s has no certificate to compare with a fingerprint. Use an https URL", c.URL()).
			With(errcode.KeyField, "fingerprint")
	}
	c.transport.TLSClientConfig = trust
	return nil
}

// Local reports whether the hub is on this computer.
func (c *Client) Local() bool { return netlisten.Local(c.base.Hostname()) }

// Dialer returns what opens WebSockets of the hub.
func (c *Client) Dialer() *websocket.Dialer {
	return &websocket.Dialer{
		Proxy:            http.ProxyFromEnvironment,
		HandshakeTimeout: 20 * time.Second,
		TLSClientConfig:  c.transport.TLSClientConfig.Clone(),
	}
}

// URL returns the hub's address.
func (c *Client) URL() string { return c.base.String() }

// Close gives up idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Header returns the header that every request needs.
func (c *Client) Header() http.Header {
	h := http.Header{}
	if c.token != "" {
		h.Set("Authorization", "Bearer "+c.token)
	}
	return h
}

// WebSocketURL returns the address of a WebSocket of the hub.
func (c *Client) WebSocketURL(path string, query url.Values) string {
	u := *c.base
	u.Scheme = map[string]string{"http": "ws", "https": "wss"}[u.Scheme]
	u.Path += path
	u.RawQuery = query.Encode()
	return u.String()
}

// Call sends in as JSON, if it is not nil, and reads the answer into out, if that is not nil.
func (c *Client) Call(ctx context.Context, method, path string, in, out any) error {
	return c.CallWith(ctx, nil, method, path, in, out)
}

// CallWith is Call with more headers.
func (c *Client) CallWith(ctx context.Context, header http.Header, method, path string, in, out any) error {
	var body io.Reader
	if in != nil {
		data, err := json.Marshal(in)
		if err != nil {
			return errcode.Wrap(errcode.Internal, err, "couldn't create the request")
		}
		body = bytes.NewReader(data)
	}
	return c.stream(ctx, header, method, path, body, func(r io.Reader) error {
		if out == nil {
			return nil
		}
		if err := json.NewDecoder(io.LimitReader(r, maxAnswer)).Decode(out); err != nil {
			return errcode.Wrap(errcode.Unavailable, err, "%s gave an answer that is none of a hub", c.URL())
		}
		return nil
	})
}

// Download writes the answer to w.
func (c *Client) Download(ctx context.Context, path string, w io.Writer) error {
	return c.stream(ctx, nil, http.MethodGet, path, nil, func(r io.Reader) error {
		if _, err := io.Copy(w, r); err != nil {
			return errcode.Wrap(errcode.Unavailable, err, "the answer of %s was cut", c.URL())
		}
		return nil
	})
}

func (c *Client) stream(ctx context.Context, header http.Header, method, path string, body io.Reader, read func(io.Reader) error) error {
	req, err := http.NewRequestWithContext(ctx, method, c.base.String()+path, body)
	if err != nil {
		return errcode.Wrap(errcode.Validation, err, "the request cannot be made")
	}
	req.Header = c.Header()
	maps.Copy(req.Header, header)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := c.http.Do(req)
	if err != nil {
		return c.unreachable(ctx, err)
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode >= http.StatusMultipleChoices {
		return c.Refused(res)
	}
	return read(res.Body)
}

// unreachable says in words why nobody answered.
func (c *Client) unreachable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if other, bad := errors.AsType[*errcode.Error](err); bad { // of Pin
		return other
	}
	hint := "nothing responds there. Start it with agentflow serve, or name its URL with --url"
	if _, bad := errors.AsType[*tls.CertificateVerificationError](err); bad {
		hint = "its certificate isn't trusted. If it is the right one, pass its fingerprint with --fingerprint"
	} else if _, bad := errors.AsType[x509.UnknownAuthorityError](err); bad {
		hint = "its certificate isn't trusted. If it is the right one, pass its fingerprint with --fingerprint"
	}
	if errors.Is(err, syscall.ECONNREFUSED) {
		return errcode.New(errcode.Unavailable, "couldn't reach the hub at %s: %s", c.URL(), hint).
			With(errcode.KeyReason, errcode.ReasonLinkDown)
	}
	return errcode.Wrap(errcode.Unavailable, err, "couldn't reach the hub at %s: %s", c.URL(), hint).
		With(errcode.KeyReason, errcode.ReasonLinkDown)
}

// Refused is the error that an answer carries.
func (c *Client) Refused(res *http.Response) error {
	var body struct {
		Error *errcode.Error `json:"error"`
	}
	data, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	if err == nil && json.Unmarshal(data, &body) == nil && body.Error != nil && body.Error.Code != "" {
		return body.Error
	}
	return errcode.New(errcode.Unavailable,
		"%s answered %s. It isn't an AgentFlow hub, or it has another version", c.URL(), res.Status)
}

// Dialled is the error of a WebSocket that could not be opened; res may be nil.
func (c *Client) Dialled(ctx context.Context, res *http.Response, err error) error {
	if res != nil && res.StatusCode >= http.StatusMultipleChoices {
		return c.Refused(res)
	}
	return c.unreachable(ctx, err)
}
