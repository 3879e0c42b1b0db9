package hubflags

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"agentflow/backend/base/config"
	"agentflow/backend/cli/internal/shell"
)

// TestHub_IsFoundByItsDataFolder: who names the folder needs no address; who names an
// address means that one.
func TestHub_IsFoundByItsDataFolder(t *testing.T) {
	t.Setenv(envURL, "")
	t.Setenv(envToken, "a-token")
	dir := t.TempDir()
	if err := config.KeepHubURL(dir, "http://127.0.0.1:18999", ""); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		args []string
		want string
	}{
		{[]string{"--data", dir}, "http://127.0.0.1:18999"},
		{[]string{"--data", dir, "--url", "http://127.0.0.1:18998"}, "http://127.0.0.1:18998"},
		{[]string{"--data", t.TempDir()}, "http://127.0.0.1:18800"},
	} {
		f, cmd := new(Flags), &cobra.Command{Use: "login"}
		both := &shell.Shell{}
		f.AddTo(both, cmd)
		f.AddTo(both, &cobra.Command{Use: "other"}) // the commands of a group share their flags
		if err := cmd.ParseFlags(tc.args); err != nil {
			t.Fatal(err)
		}
		c, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if c.URL() != tc.want {
			t.Errorf("%v finds %s", tc.args, c.URL())
		}
		c.Close()
	}
}

// The owner's token of a data folder goes to the folder's own hub at an address of the network, which is known by its
// certificate, and to its own port of this computer. It goes to no other one.
func TestHub_OfTheDataFolderNeedsNoToken(t *testing.T) {
	t.Setenv(envURL, "")
	t.Setenv(envToken, "")
	pin := "sha256:" + strings.Repeat("ab", 32)
	for name, tc := range map[string]struct {
		kept, pin, url string
		ok             bool
	}{
		"its own":             {"https://192.0.2.2:8499", pin, "", true},
		"named":               {"https://192.0.2.2:8499", pin, "https://192.0.2.2:8499", true},
		"without certificate": {"https://192.0.2.2:8499", "", "", false},
		"without TLS":         {"http://192.0.2.2:8499", pin, "", false},
		"another":             {"https://192.0.2.2:8499", pin, "https://192.0.2.3:8499", false},
		"here":                {"http://127.0.0.1:8499", "", "http://localhost:8499", true},
		"another port here":   {"http://127.0.0.1:8499", "", "http://127.0.0.1:9777", false},
		"unknown address":     {"", "", "http://127.0.0.1:9777", true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if _, err := config.OwnerToken(dir, true); err != nil {
				t.Fatal(err)
			}
			if tc.kept != "" {
				if err := config.KeepHubURL(dir, tc.kept, tc.pin); err != nil {
					t.Fatal(err)
				}
			}
			f, cmd := new(Flags), &cobra.Command{Use: "login"}
			f.AddTo(&shell.Shell{}, cmd)
			args := []string{"--data", dir}
			if tc.url != "" {
				args = append(args, "--url", tc.url)
			}
			if err := cmd.ParseFlags(args); err != nil {
				t.Fatal(err)
			}
			c, err := f.Open()
			if (err == nil) != tc.ok {
				t.Fatal(err)
			}
			if c != nil {
				c.Close()
			}
		})
	}
}
