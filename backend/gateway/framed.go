package gateway

import (
	"context"
	"errors"
)

func (c *Client) openFramed(ctx context.Context, sock *socket, token string, ch challenge) (link, error) {
	return nil, errors.New("x")
}
