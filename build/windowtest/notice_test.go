//go:build window

package windowtest

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

const (
	noticesName = "org.freedesktop.Notifications"
	noticesPath = dbus.ObjectPath("/org/freedesktop/Notifications")
)

// desktop is a session bus with the service that shows notifications, as a desktop has it.
type desktop struct {
	bus   string // address
	conn  *dbus.Conn
	shown chan [2]string // title and body
}

// busConfig lets anybody on the bus do everything, and starts no services.
const busConfig = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:dir=DIR</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy></busconfig>`

func openDesktop(t *testing.T) *desktop {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "bus.conf")
	if err := os.WriteFile(file, []byte(strings.Replace(busConfig, "DIR", dir, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	daemon := exec.Command("dbus-daemon", "--config-file="+file, "--nofork", "--print-address=1")
	out, err := daemon.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	start(t, daemon)
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	d := &desktop{bus: strings.TrimSpace(address), shown: make(chan [2]string, 10)}
	if d.conn, err = dbus.Connect(d.bus); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.conn.Close() })
	if err := d.conn.Export(d, noticesPath, noticesName); err != nil {
		t.Fatal(err)
	}
	if reply, err := d.conn.RequestName(noticesName, dbus.NameFlagDoNotQueue); err != nil ||
		reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatal(reply, err)
	}
	return d
}

// Notify is the method of the notifications service. See the Desktop Notifications Specification 1.2.
func (d *desktop) Notify(
	_ string, _ uint32, _, summary, body string, _ []string, _ map[string]dbus.Variant, _ int32,
) (uint32, *dbus.Error) {
	d.shown <- [2]string{summary, body}
	return 7, nil
}

func TestOC5_TheWindowTellsOnTheDesktop(t *testing.T) {
	d := openDesktop(t)
	w := openWindow(t, dataFolder(t), "DBUS_SESSION_BUS_ADDRESS="+d.bus, "NO_AT_BRIDGE=1")
	w.rest()
	const notify = `const [place] = arguments;
		return window.go.main.App.Notify("1", "Writer has a question", "It wants <b>make</b>.", place)
			.then(() => "", String)`
	var refused string
	w.eval(&refused, notify, "javascript:alert(1)")
	if !strings.Contains(refused, "no place of the page") {
		t.Errorf("a place outside of the page: %q", refused)
	}
	if w.eval(&refused, notify, "#/inbox"); refused != "" {
		t.Fatal(refused)
	}
	select {
	case got := <-d.shown:
		if got != [2]string{"Writer has a question", "It wants ‹b›make‹/b›."} {
			t.Errorf("%q", got)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the desktop shows nothing")
	}
	if err := d.conn.Emit(noticesPath, noticesName+".ActionInvoked", uint32(7), "default"); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the inbox after a click", func() (bool, error) {
		var at string
		w.eval(&at, `return location.hash`)
		return strings.HasPrefix(at, "#/inbox"), nil
	})
	if len(d.shown) > 0 {
		t.Errorf("one more: %q", <-d.shown)
	}
	w.close()
}
