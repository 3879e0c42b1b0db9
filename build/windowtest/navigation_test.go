//go:build window

package windowtest

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// The window never leaves its own page, whatever leads elsewhere: a foreign page would get the
// methods that Wails binds, and with them the owner's token. A link opens in the browser.
func TestF21_TheWindowStaysAtItsPage(t *testing.T) {
	var asked atomic.Int32
	foreign := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		_, _ = w.Write([]byte("<title>foreign</title>"))
	}))
	t.Cleanup(foreign.Close)
	programs := t.TempDir()
	opened := filepath.Join(programs, "opened")
	script := "#!/bin/sh\nprintf '%s\\n' \"$1\" >>'" + opened + "'\n"
	if err := os.WriteFile(filepath.Join(programs, "xdg-open"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	w := openWindow(t, dataFolder(t), "PATH="+programs+":"+os.Getenv("PATH"))
	w.middle(".react-flow__node") // the page follows links by now

	link := foreign.URL + "/wiki/Go_(language)"
	w.eval(
		nil,
		`const a = document.createElement("a"); a.href = arguments[0]; a.target = "_blank"; document.body.append(a); a.click()`,
		link,
	)
	eventually(t, "the link is opened in the browser", func() (bool, error) {
		text, err := os.ReadFile(opened)
		return strings.TrimSpace(string(text)) == foreign.URL+"/wiki/Go_%28language%29", nilIfMissing(err)
	})

	for _, leave := range []string{
		`location.href = arguments[0]`,
		`location.replace(arguments[0])`,
		`window.open(arguments[0])`,
		`const f = document.createElement("form"); f.action = arguments[0]; document.body.append(f); f.submit()`,
		`const f = document.createElement("iframe"); f.src = arguments[0]; document.body.append(f)`,
		`const m = document.createElement("meta"); m.httpEquiv = "refresh"; m.content = "0;url=" + arguments[0]; document.head.append(m)`,
	} {
		w.eval(nil, leave, foreign.URL)
		var still string
		w.evalAsync(&still,
			`for (let i = 0; i < 30; i++) await new Promise(requestAnimationFrame); return location.href`)
		if !strings.HasPrefix(still, "wails://") {
			t.Fatalf("%s leads the window to %s", leave, still)
		}
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("the foreign page was asked for %d times", n)
	}
	w.hub() // the page is alive and has its bindings
	w.close()
}

func nilIfMissing(err error) error {
	if os.IsNotExist(err) {
		return nil
	}
	return err
}
