package config

import (
	"os"
	"path/filepath"
	"strings"

	"agentflow/backend/base/atomicfile"
)

// KeepHubURL keeps in a data folder where its hub can be reached on this computer, so that
// commands find the hub by its folder.
func KeepHubURL(dir, url string) error {
	return atomicfile.Write(filepath.Join(dir, "url"), []byte(url+"\n"), secretMode)
}

// HubURL returns where the hub of a data folder listens, or listened last; "" if unknown.
func HubURL(dir string) string {
	data, err := os.ReadFile(filepath.Join(dir, "url"))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(data))
}
