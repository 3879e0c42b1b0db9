// Package hubflags has the flags that choose a hub for a command, and finds its token.
package hubflags

import (
	"cmp"
	"io"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"agentflow/backend/base/config"
	"agentflow/backend/base/errcode"
	"agentflow/backend/base/hubclient"
	"agentflow/backend/cli/internal/shell"
)

const (
	envURL   = "AGENTFLOW_URL"
	envToken = "AGENTFLOW_TOKEN" //nolint:gosec // the name of a variable, not a token
	maxToken = 64 << 10
)

// EnvFingerprint is the variable that holds the fingerprint of the hub's certificate.
const EnvFingerprint = "AGENTFLOW_FINGERPRINT"

// Flags say which hub is meant. There is no flag for the token: command lines are public.
type Flags struct {
	URL, TokenFile, Fingerprint string
	Insecure                    bool // send the token where others can read it
	shell                       *shell.Shell
	urls                        []*pflag.Flag // --url, of each command that has these flags
	own                         bool          // the hub of the data folder is meant, by TLS
}

// AddTo gives a command and those below it the flags --url, --token-file, --fingerprint,
// --insecure-http and --data.
func (f *Flags) AddTo(s *shell.Shell, cmd *cobra.Command) {
	f.shell = s
	flags := cmd.PersistentFlags()
	flags.StringVar(&f.URL, "url", cmp.Or(os.Getenv(envURL), hubclient.DefaultURL), "hub URL, also set by "+envURL)
	f.urls = append(f.urls, flags.Lookup("url"))
	flags.StringVar(&f.TokenFile, "token-file", "", "file with the owner's token (default: "+envToken+", or the data folder for a hub on this computer)")
	flags.StringVar(&f.Fingerprint, "fingerprint", "", "fingerprint of the hub's certificate, if no known authority signed it (default: "+EnvFingerprint+")")
	flags.BoolVar(&f.Insecure, "insecure-http", false, shell.InsecureUsage)
	s.DataFlag(cmd)
}

// Open returns a client of the hub that is meant; the caller closes it. Nothing is sent yet.
func (f *Flags) Open() (*hubclient.Client, error) {
	pin := cmp.Or(f.Fingerprint, os.Getenv(EnvFingerprint), f.find())
	token, err := f.token(pin)
	if err != nil {
		return nil, err
	}
	open := hubclient.New
	if f.Insecure {
		open = hubclient.NewInsecure
	}
	hub, err := open(f.URL, token)
	if err != nil {
		return nil, err
	}
	if pin != "" {
		if err := hub.Pin(pin); err != nil {
			return nil, err
		}
	}
	return hub, nil
}

// find takes the hub that runs on the data folder, where no other was named. It returns the fingerprint of its
// certificate, or "".
func (f *Flags) find() (fingerprint string) {
	dir, err := config.DataDir(f.shell.DataDir)
	if err != nil {
		return ""
	}
	url, fingerprint := config.HubURL(dir)
	if os.Getenv(envURL) == "" && !slices.ContainsFunc(f.urls, func(url *pflag.Flag) bool { return url.Changed }) {
		f.URL = cmp.Or(url, f.URL)
	}
	if f.URL != url || !strings.HasPrefix(url, "https:") {
		return ""
	}
	f.own = true
	return fingerprint
}

// Ask opens the hub that is meant for one piece of work.
func (f *Flags) Ask(do func(*hubclient.Client) error) error {
	c, err := f.Open()
	if err != nil {
		return err
	}
	defer c.Close()
	return do(c)
}

// token finds the owner's token. That of the data folder goes only to a hub on this computer, and to the folder's own
// hub, whose certificate (pin) is checked.
func (f *Flags) token(pin string) (string, error) {
	if f.TokenFile != "" {
		return readToken(f.TokenFile)
	}
	if t := os.Getenv(envToken); t != "" {
		return t, nil
	}
	hub, err := hubclient.New(f.URL, "")
	if err != nil {
		return "", err
	}
	if !hub.Local() && (!f.own || pin == "") {
		return "", errcode.New(errcode.Unauthorized, "no token for %s. Set %s, or name a file with --token-file.",
			f.URL, envToken)
	}
	dir, err := config.DataDir(f.shell.DataDir)
	if err != nil {
		return "", err
	}
	if kept, _ := config.HubURL(dir); kept != "" && !sameDoor(kept, f.URL) {
		return "", errcode.New(errcode.Unauthorized, "no token for %s: the hub of the data folder %s is at %s. "+
			"Name the folder of the other hub with --data, or set %s.", f.URL, dir, kept, envToken)
	}
	token, err := config.OwnerToken(dir, false)
	if err == nil && token == "" {
		err = errcode.New(errcode.Unauthorized, "no hub has used the data folder %s yet. Start one with agentflow serve, name the hub's folder with --data, or set %s.", dir, envToken)
	}
	return token, err
}

// sameDoor reports whether two URLs of this computer have the same port: any other program can answer at another one.
func sameDoor(a, b string) bool {
	x, errX := url.Parse(a)
	y, errY := url.Parse(b)
	return errX == nil && errY == nil && x.Scheme == y.Scheme && x.Port() == y.Port()
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
		return "", errcode.New(errcode.Validation, "%s doesn't contain a token", path).With(errcode.KeyFile, path)
	}
	return token, nil
}
