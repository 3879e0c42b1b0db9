package config

import (
	"os"
	"path/filepath"
	"strings"

	"agentflow/backend/base/atomicfile"
)

// KeepHubURL keeps in a data folder where its hub can be reached on this computer, so that commands find it, and the
// fingerprint of its certificate; "" without TLS.
func KeepHubURL(dir, url, fingerprint string) error {
	return atomicfile.Write(filepath.Join(dir, "url"), []byte(url+"\n"+fingerprint+"\n"), secretMode)
}

// HubURL returns where the hub of a data folder listens, or listened last, and the fingerprint of its certificate.
// Both are "" if unknown.
func HubURL(dir string) (url, fingerprint string) {
	data, err := os.ReadFile(filepath.Join(dir, "url"))
	if err != nil {
		return "", ""
	}
	url, fingerprint, _ = strings.Cut(strings.TrimSpace(string(data)), "\n")
	return url, fingerprint
}
