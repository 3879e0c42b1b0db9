package coordinator

import (
	"net/http"

	"agentflow/backend/exposure"
)

// trusting returns the client for an agent elsewhere: of those with a fingerprint each has
// its own, which trusts that certificate alone, kept as long as the hub runs.
func (m *Machine) trusting(fingerprint string) (*http.Client, error) {
	if fingerprint == "" {
		return m.o.HTTP, nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if c, ok := m.pinned[fingerprint]; ok {
		return c, nil
	}
	trust, err := exposure.Pin(fingerprint)
	if err != nil {
		return nil, err
	}
	c := &http.Client{
		Transport:     &http.Transport{Proxy: http.ProxyFromEnvironment, TLSClientConfig: trust},
		CheckRedirect: m.o.HTTP.CheckRedirect, Timeout: m.o.HTTP.Timeout,
	}
	m.pinned[fingerprint] = c
	return c, nil
}
