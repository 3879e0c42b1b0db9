package hubflags

import (
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
	if err := config.KeepHubURL(dir, "http://127.0.0.1:18999"); err != nil {
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
