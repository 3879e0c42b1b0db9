package eligibility

import (
	"context"
	"net/http"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/netlisten"
	"agentflow/backend/team/topology"
	"agentflow/backend/team/trust"
	"agentflow/backend/work/a2aclient"
	"agentflow/backend/work/gatewayagent"
	"agentflow/backend/work/task"
	"agentflow/backend/work/worker"
)

// Remote returns the client of a remote agent: its URL, its secret and its pinned certificate.
func (c *Checker) Remote(who *topology.Agent) (*worker.Remote, error) {
	secret, err := c.secret(who)
	if err == nil && secret == "" {
		err = noSecret(who)
	}
	if err != nil {
		return nil, err
	}
	client, err := c.trusting(who.Fingerprint)
	if err != nil {
		return nil, err
	}
	return &worker.Remote{HTTP: client, URL: who.URL, Secret: secret}, nil
}

// Peer returns the client of a remote agent that speaks A2A. The secret is optional, but a named one must be set.
func (c *Checker) Peer(who *topology.Agent) (*a2aclient.Peer, error) {
	secret, err := c.secret(who)
	if err != nil {
		return nil, err
	}
	p := &a2aclient.Peer{URL: who.URL, Secret: secret}
	p.HTTP, err = c.trusting(who.Fingerprint)
	return p, err
}

// secret returns the secret of a trusted remote agent, or "" if it names none.
func (c *Checker) secret(who *topology.Agent) (string, error) {
	if err := c.trusts(who); err != nil {
		return "", err
	}
	if who.SecretEnv == "" {
		return "", nil
	}
	secret := c.getenv(who.SecretEnv)
	if secret == "" {
		return "", noSecret(who)
	}
	return secret, trust.Secret(who.SecretEnv, secret)
}

// Ping checks that a remote agent, of either protocol, can be reached. If it can't, the error's reason is
// worker.ReasonUnreachable.
func (c *Checker) Ping(ctx context.Context, who *topology.Agent) error {
	if gatewayagent.Speaks(who.URL) {
		w, err := c.Gateway(who)
		if err != nil {
			return err
		}
		return w.Ping()
	}
	if a2aclient.Speaks(who.URL) {
		p, err := c.Peer(who)
		if err != nil {
			return err
		}
		return p.Ping(ctx)
	}
	r, err := c.Remote(who)
	if err != nil {
		return err
	}
	return r.Ping(ctx)
}

func noSecret(who *topology.Agent) error {
	if who.SecretEnv == "" {
		return errcode.New(errcode.Unauthorized, "the remote agent %s has no secret. Name an environment variable in secretEnv, and set it where the hub is started.", who.ID).
			With(errcode.KeyCause, task.CauseNoSecret).
			With(task.KeyAgent, string(who.ID))
	}
	return errcode.New(errcode.Unauthorized, "the secret of the remote agent %s isn't set. Set the environment variable %s where the hub is started.", who.ID, who.SecretEnv).
		With(errcode.KeyCause, task.CauseUnset).
		With(task.KeyAgent, string(who.ID)).
		With(task.KeyVariable, who.SecretEnv)
}

// trusting returns the HTTP client for a remote agent. Each fingerprint has its own client, which trusts only that
// certificate and is cached until the hub stops.
func (c *Checker) trusting(fingerprint string) (*http.Client, error) {
	if fingerprint == "" {
		return c.http, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if known, ok := c.pinned[fingerprint]; ok {
		return known, nil
	}
	trust, err := netlisten.Pin(fingerprint)
	if err != nil {
		return nil, err
	}
	pinned := &http.Client{
		Transport:     &http.Transport{Proxy: http.ProxyFromEnvironment, TLSClientConfig: trust},
		CheckRedirect: c.http.CheckRedirect, Timeout: c.http.Timeout,
	}
	c.pinned[fingerprint] = pinned
	return pinned, nil
}
