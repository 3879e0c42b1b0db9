package cli

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// CH-12: starting the server opens the rooms in the browser, by a link that works once and
// stands in no command line.
func TestCH12_TheServersStartOpensTheRooms(t *testing.T) {
	path, err := exec.LookPath("agentflow")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	heard := filepath.Join(dir, "heard")
	if err := syscall.Mkfifo(heard, 0o600); err != nil {
		t.Fatal(err)
	}
	browser := "#!/bin/sh\n{ echo \"$*\"; cat \"$1\"; } > '" + heard + "'\n"
	if err := os.WriteFile(filepath.Join(dir, "xdg-open"), []byte(browser), 0o700); err != nil {
		t.Fatal(err)
	}
	env := []string{"DISPLAY=:99", "HOME=" + dir, "PATH=" + dir + string(os.PathListSeparator) + os.Getenv("PATH")}
	hub := startProcess(t, env, path, "chat", "server", "--listen", "127.0.0.1:0", "--data", filepath.Join(dir, "hub"))
	url := hub.said(`listening on (\S+)\n`)
	said, err := os.ReadFile(heard) // waits for the browser, and reads what it was given and what stands there
	if err != nil {
		t.Fatal(err)
	}
	given, page, _ := strings.Cut(string(said), "\n")
	if strings.Contains(given, "/open/") || strings.Contains(given, " ") {
		t.Errorf("the browser's command line has %q", given)
	}
	leads := regexp.MustCompile(`url=(` + regexp.QuoteMeta(url) + `/open/[\w-]+#/rooms)"`).FindStringSubmatch(page)
	if leads == nil {
		t.Fatalf("it leads nowhere: %s", page)
	}
	link := leads[1]
	open := func() *http.Response {
		t.Helper()
		client := http.Client{
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, link, nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		return res
	}
	if res := open(); res.StatusCode != http.StatusOK || len(res.Cookies()) != 1 || !res.Cookies()[0].HttpOnly {
		t.Errorf("the link gave %s, %v", res.Status, res.Cookies())
	}
	if res := open(); len(res.Cookies()) != 0 {
		t.Errorf("the link works twice: %s", res.Status)
	}
}
