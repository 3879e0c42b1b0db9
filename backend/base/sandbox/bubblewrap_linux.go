package sandbox

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"agentflow/backend/base/proc"
)

// bubblewrap is the program that creates the sandbox of a command with its own sandbox,
// such as Codex: within Landlock nothing can mount, so Codex couldn't create one. It is ""
// where it isn't installed, or where the system forbids it user namespaces.
var bubblewrap = sync.OnceValue(func() string {
	path, err := exec.LookPath("bwrap")
	if err != nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if exec.CommandContext(ctx, path, "--unshare-user", "--unshare-pid", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "true").Run() != nil {
		return ""
	}
	return path
})

func nests() bool { return bubblewrap() != "" }

// wrapped is the argv that runs a command with the policy's folders and nothing else. The
// processes of this computer are not among what it sees.
func wrapped(p policy, argv []string) []string {
	out := []string{p.Bubblewrap, "--unshare-user", "--unshare-pid", "--proc", "/proc", "--dev", "/dev"}
	for _, path := range system() {
		if to, err := os.Readlink(path); err == nil {
			out = append(out, "--symlink", to, path)
		}
	}
	for _, path := range append([]string{"/etc"}, p.Read...) {
		if path != "/proc" {
			out = append(out, "--ro-bind-try", path, path)
		}
	}
	if os.Geteuid() == 0 {
		_, closed, _ := readable("/etc")
		for _, path := range closed {
			if info, err := os.Stat(path); err == nil && info.IsDir() {
				out = append(out, "--tmpfs", path)
			} else if err == nil {
				out = append(out, "--ro-bind", os.DevNull, path)
			}
		}
	}
	for _, path := range p.Write {
		out = append(out, "--bind-try", path, path)
	}
	for _, path := range p.Links { // folders that are known by another name
		if to := real(path); to != "" {
			kind := "--ro-bind"
			if slices.ContainsFunc(p.Write, func(w string) bool { return w == to || within(to, w) }) {
				kind = "--bind"
			}
			out = append(out, kind, to, path)
		}
	}
	if dir, err := os.Getwd(); err == nil {
		out = append(out, "--chdir", filepath.Clean(dir))
	}
	return append(append(out, "--", p.Program), argv[1:]...)
}

// unwrapped is how the command ended: bubblewrap tells a signal as a shell does.
func unwrapped(r proc.Result) proc.Result {
	const signaled = 128
	if s := syscall.Signal(r.Code - signaled); s > 0 && s <= 31 {
		r.Code, r.Signal = -1, s.String()
	}
	return r
}
