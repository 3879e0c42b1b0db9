package doctor

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

func (o Options) display() Check {
	c := Check{Name: "display", Status: OK, Message: "available"}
	if runtime.GOOS != "linux" || o.Env("DISPLAY") != "" || o.Env("WAYLAND_DISPLAY") != "" {
		return c
	}
	c.Status, c.Message = Warning, "no display in this session, so the window can't open"
	c.Remedy = "run agentflow serve --open to use AgentFlow in a browser"
	if o.Window {
		c.Status = Error
	}
	return c
}

// webViewFile is the library that the window needs on Linux.
const webViewFile = "libwebkit2gtk-4.1.so.0"

func (o Options) webView(ctx context.Context) Check {
	c := Check{Name: "web view", Status: OK, Message: "not needed, because this program has no window"}
	switch {
	case !o.Window:
		return c
	case runtime.GOOS == "darwin":
		c.Message = "part of the system"
	case runtime.GOOS == "windows":
		c.Message = "WebView2, part of Windows 11 and of Windows 10 with updates"
	case libraryFound(ctx, webViewFile):
		c.Message = webViewFile
	default:
		c.Status, c.Message = Error, webViewFile+" is missing"
		c.Remedy = "run apt install libwebkit2gtk-4.1-0, or install the package of your system that contains it"
	}
	return c
}

func libraryFound(ctx context.Context, name string) bool {
	if out, err := exec.CommandContext(ctx, "ldconfig", "-p").Output(); err == nil && bytes.Contains(out, []byte(name)) {
		return true
	}
	for _, pattern := range []string{"/usr/lib/", "/usr/lib64/", "/usr/lib/*/", "/usr/local/lib/"} {
		if found, err := filepath.Glob(pattern + name); err == nil && len(found) > 0 {
			return true
		}
	}
	return false
}

func (o Options) fonts(ctx context.Context) Check {
	c := Check{Name: "Japanese font", Status: OK, Message: "part of the system"}
	if runtime.GOOS != "linux" {
		return c
	}
	if name := japaneseFont(ctx); name != "" {
		c.Message = name
		return c
	}
	c.Status, c.Message = Warning, "none found, so browsers and windows on this computer show boxes instead of Japanese"
	c.Remedy = "run apt install fonts-noto-cjk, or install another Japanese font"
	return c
}

func japaneseFont(ctx context.Context) string {
	if out, err := exec.CommandContext(ctx, "fc-list", ":lang=ja", "family").Output(); err == nil {
		first, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
		return first
	}
	found := ""
	_ = filepath.WalkDir("/usr/share/fonts", func(path string, d fs.DirEntry, err error) error { // no such folder: no font
		base := strings.ToLower(filepath.Base(path))
		if err == nil && !d.IsDir() && (strings.Contains(base, "cjk") || strings.Contains(base, "ipa") || strings.Contains(base, "takao")) {
			found = filepath.Base(path)
			return filepath.SkipAll
		}
		return nil
	})
	return found
}

var sqliteHeader = []byte("SQLite format 3\x00")

// database looks at the hub's file without opening it: the hub may be running on it.
func (o Options) database() Check {
	path := filepath.Join(o.Dir, "agentflow.db")
	c := Check{Name: "database", Status: OK, Message: path}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if os.IsNotExist(err) {
		c.Message = "created when the hub first starts"
		return c
	}
	if err != nil {
		c.Status, c.Message, c.Remedy = Error, "couldn't open "+path+": "+err.Error(), "make it readable and writable for your user"
		return c
	}
	defer func() { _ = f.Close() }() // only read
	head := make([]byte, len(sqliteHeader))
	if n, _ := f.Read(head); n > 0 && !bytes.Equal(head, sqliteHeader) {
		c.Status, c.Message = Error, path+" isn't a SQLite database"
		c.Remedy = "move it away. The hub creates a new one. Look for a copy of the old one in your backups"
		return c
	}
	for _, name := range []string{path, path + "-wal", path + "-shm"} {
		if info, err := os.Stat(name); err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
			c.Status, c.Message, c.Remedy = Warning, "others can read "+name, "chmod 600 "+name+", or restart the hub"
		}
	}
	return c
}
