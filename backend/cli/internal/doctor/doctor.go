// Package doctor looks at this computer and says what AgentFlow misses on it, each
// finding with its remedy. It changes nothing.
package doctor

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"agentflow/backend/base/config"
	"agentflow/backend/base/errcode"
	"agentflow/backend/base/i18n"
	"agentflow/backend/model/llm"
)

// Status says how a check went.
type Status string

// The outcomes of a check.
const (
	OK      Status = "ok"
	Missing Status = "missing" // a program isn't installed that only some tasks need
	Warning Status = "warning" // AgentFlow runs, with less
	Error   Status = "error"   // AgentFlow, or a part that is configured, does not run
)

// Check is one finding.
type Check struct {
	Name    string `json:"name"`
	Status  Status `json:"status"`
	Message string `json:"message"`
	Remedy  string `json:"remedy,omitempty"`

	text *i18n.Text // the message with its parts, if it has some
}

// say sets a message that contains other texts.
func (c *Check) say(format string, args ...any) {
	text := i18n.T(format, args...)
	c.text, c.Message = &text, text.String()
}

// Text returns the message, to be translated.
func (c Check) Text() i18n.Text {
	if c.text != nil {
		return *c.text
	}
	return i18n.T("%s", i18n.Finished(c.Message))
}

// Options say what to look at.
type Options struct {
	Dir    string // the data folder
	Window bool   // this program has a window
	// Dial connects to a gateway and hangs up; it returns the dialect.
	Dial func(ctx context.Context, g config.Gateway, token string) (string, error)
	Env  func(string) string
	// Offers asks every model provider for its models.
	Offers func(context.Context) []llm.Offer
	// UnknownNames returns the names in the settings file that the hub doesn't know.
	UnknownNames func(*config.Settings) []*errcode.Error
}

const each = 5 * time.Second // for one thing on the network

// Run makes all checks, in a fixed order.
func Run(ctx context.Context, o Options) []Check {
	checks := []Check{o.folder(), o.database(), o.token(), o.keyring()}
	settings, err := config.Load(o.Dir)
	if err != nil {
		checks = append(checks, Check{
			Name: "settings", Status: Error, Message: err.Error(), Remedy: "fix the file, or move it away",
		})
		settings = nil
	} else {
		checks = append(checks, Check{Name: "settings", Status: OK, Message: settings.Path()})
		for _, u := range config.Unknown(settings) {
			checks = append(checks, Check{
				Name: "settings", Status: Warning, Message: u.Message, Remedy: "fix the key, or remove it",
			})
		}
		for _, d := range o.UnknownNames(settings) {
			checks = append(checks, Check{
				Name: "settings", Status: Warning, Message: d.Message, Remedy: "fix the name, or remove it",
			})
		}
	}
	checks = append(checks, o.display(), o.webView(ctx), o.fonts(ctx))
	checks = append(checks,
		Check{Name: "node", Status: OK, Message: "not needed, because this program contains the page"})
	checks = append(checks, o.workers(ctx)...)
	checks = append(checks, o.sandbox(settings))
	if settings != nil {
		checks = append(checks, o.gateways(ctx, settings)...)
		checks = append(checks, o.providers(ctx)...)
	}
	return checks
}

func (o Options) folder() Check {
	c := Check{Name: "data folder", Status: OK, Message: o.Dir}
	f, err := os.CreateTemp(o.Dir, ".doctor-*")
	if err != nil {
		c.Status, c.Message = Error, "couldn't write to "+o.Dir+": "+err.Error()
		c.Remedy = "make it writable, or use another folder with --data or AGENTFLOW_DATA"
		return c
	}
	_ = f.Close()
	_ = os.Remove(f.Name())
	if info, err := os.Stat(o.Dir); err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		c.Status, c.Message, c.Remedy = Warning, "others can read "+o.Dir, "chmod 700 "+o.Dir
	}
	return c
}

func (o Options) token() Check {
	c := Check{Name: "token", Status: OK}
	if o.Env("AGENTFLOW_TOKEN") != "" {
		c.Message = "from AGENTFLOW_TOKEN"
		return c
	}
	path := filepath.Join(o.Dir, "token")
	info, err := os.Stat(path)
	switch {
	case os.IsNotExist(err):
		c.Message = "created when the hub first starts"
	case err != nil:
		c.Status, c.Message, c.Remedy = Error, err.Error(), "make "+path+" readable for your user"
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		c.Status, c.Message, c.Remedy = Error, "others can read "+path, "chmod 600 "+path+". If others use this computer, delete the file to get a new token"
	default:
		c.Message = path
	}
	return c
}

func (o Options) keyring() Check {
	c := Check{Name: "keyring", Status: OK, Message: "available for gateway tokens"}
	if runtime.GOOS == "linux" && o.Env("DBUS_SESSION_BUS_ADDRESS") == "" {
		c.Status = Warning
		c.Message = "not available in this session. Gateway tokens are saved in " + filepath.Join(o.Dir, "secrets.json") + ", which only you can read"
		c.Remedy = "on a desktop, install and unlock a keyring such as gnome-keyring. On a server, this is fine"
	}
	return c
}

// words is an error in one line for a finding.
func words(err error) string {
	if e, ok := errors.AsType[*errcode.Error](err); ok {
		return e.Message
	}
	return err.Error()
}
