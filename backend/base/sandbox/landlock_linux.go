package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"syscall"

	"github.com/landlock-lsm/go-landlock/landlock"
	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"

	"agentflow/backend/base/proc"
)

// launcherName is the first argument of this program where it is started as a launcher: it
// restricts itself and becomes the command, so that the process and its group stay.
const launcherName = "agentflow-sandbox-launcher"

// refused is the launcher's exit code where the sandbox can't be set up: nothing was run.
const refused = 126

// minABI is the first one under which files can be moved between folders, as git does.
const minABI = 2

var here = sync.OnceValue(func() State {
	abi, err := ll.LandlockGetABIVersion()
	switch {
	case errors.Is(err, syscall.EOPNOTSUPP):
		return State{Why: fact("landlock_off", "Landlock is turned off in this kernel")}
	case err != nil:
		return State{Why: fact("no_landlock", "this kernel has no Landlock")}
	case abi < minABI:
		return State{Why: fact("old_landlock", fmt.Sprintf("Landlock of this kernel is too old: its ABI is %d, and %d is needed", abi, minABI)).about("abi", strconv.Itoa(abi))}
	}
	s := State{Name: "landlock", ABI: abi}
	if abi < 3 {
		s.Gaps = append(s.Gaps, fact("truncate", "files elsewhere can be emptied, though not read"))
	}
	if abi < 6 {
		s.Gaps = append(s.Gaps, fact("signals", "signals to other programs of this user"),
			fact("abstract_sockets", "abstract Unix sockets"))
	}
	if auditArch == 0 {
		s.Gaps = append(s.Gaps,
			fact("system_calls", "system calls (no filter for "+runtime.GOARCH+")").about("arch", runtime.GOARCH))
		if abi < 9 {
			s.Gaps = append(s.Gaps, fact("sockets", "Unix sockets of other programs"),
				fact("network", "the network cannot be turned off"))
		}
	}
	return s
})

// confine makes the command one that a launcher becomes, and says how to read its end.
func confine(c proc.Command, p policy, nested bool) (proc.Command, func(proc.Result) proc.Result) {
	as := func(r proc.Result) proc.Result { return r }
	if nested {
		if p.Bubblewrap = bubblewrap(); p.Bubblewrap != "" {
			as = unwrapped
		}
	}
	data, _ := json.Marshal(p) // texts and flags
	c.Args = append([]string{launcherName, string(data), c.Path}, c.Args...)
	c.Path = "/proc/self/exe" // this very program, whatever stands in its place by now
	return c, as
}

// init makes every program with this package a launcher where it is started as one, so that
// none can forget it: a program that did would run itself instead of the command.
func init() {
	if len(os.Args) < 4 || os.Args[1] != launcherName {
		return
	}
	err := launch(os.Args[2], os.Args[3:])
	_, _ = fmt.Fprintf(os.Stderr, "the sandbox cannot be set up, so nothing was run: %v\n", err)
	syscall.Exit(refused)
}

// launch restricts this process and becomes the command. It returns only if that fails.
func launch(data string, argv []string) error {
	var p policy
	if err := json.Unmarshal([]byte(data), &p); err != nil {
		return err
	}
	runtime.LockOSThread() // of all threads, this one becomes the command
	path := p.Program
	if p.Bubblewrap != "" {
		path, argv = p.Bubblewrap, wrapped(p, argv)
	} else if err := restrict(p); err != nil {
		return err
	}
	if err := drop(); err != nil {
		return err
	}
	if err := filter(p); err != nil {
		return err
	}
	err := syscall.Exec(path, argv, os.Environ())
	return &os.PathError{Op: "start", Path: path, Err: err}
}

// Access rights to files. A device node is never made: it would be another way to a disk.
const (
	readFile  = ll.AccessFSExecute | ll.AccessFSReadFile
	readDir   = readFile | ll.AccessFSReadDir
	writeFile = readFile | ll.AccessFSWriteFile | ll.AccessFSTruncate
	writeDir  = readDir | writeFile | ll.AccessFSRemoveDir | ll.AccessFSRemoveFile | ll.AccessFSMakeDir | ll.AccessFSMakeReg |
		ll.AccessFSMakeSock | ll.AccessFSMakeFifo | ll.AccessFSMakeSym | ll.AccessFSRefer
)

// restrict applies Landlock with all that this kernel knows of it.
func restrict(p policy) error {
	var rules []landlock.Rule
	grant := func(path string, file, dir landlock.AccessFSSet) {
		info, err := os.Stat(path)
		if err != nil {
			return // it has gone meanwhile
		}
		if !info.IsDir() {
			dir = file
		}
		rules = append(rules, landlock.PathAccess(dir, path).IgnoreIfMissing())
	}
	for _, path := range p.Read {
		grant(path, readFile, readDir)
	}
	settings := []string{"/etc"}
	if os.Geteuid() == 0 {
		settings, _, _ = readable("/etc")
	}
	for _, path := range settings {
		grant(path, readFile, readDir)
	}
	for _, path := range p.Write {
		grant(path, writeFile, writeDir|ll.AccessFSResolveUnix)
	}
	for _, path := range devices {
		grant(path, readFile|ll.AccessFSWriteFile|ll.AccessFSIoctlDev, writeDir|ll.AccessFSIoctlDev)
	}
	if p.Sockets {
		rules = append(rules, landlock.PathAccess(ll.AccessFSResolveUnix, "/"))
	}
	config, err := landlock.NewConfig(landlock.AccessFSSet(1<<17-1),
		landlock.ScopedSet(ll.ScopeAbstractUnixSocket|ll.ScopeSignal))
	if err != nil {
		return err
	}
	return config.BestEffort().Restrict(rules...)
}

// devices are those that programs expect. Terminals are not among them: a command could read
// what the person types in another one.
var devices = []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/shm"}

// system are the folders of the system that hold no secrets. /etc is read beside them.
func system() []string {
	return []string{
		"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/gnu/store", "/snap", "/proc", "/sys",
		"/home/linuxbrew/.linuxbrew", "/var/lib/ca-certificates", "/etc/resolv.conf",
	}
}

// readable walks what lies below a folder: what everybody can read, and what not. Root can
// read the rest, so permissions alone would not keep it from a command. Where all is open,
// the folder itself is the only one.
func readable(dir string) (open, closed []string, whole bool) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, false
	}
	whole = true
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		info, err := e.Info()
		switch {
		case err != nil || e.Type()&fs.ModeSymlink != 0: // where it leads to counts
		case info.Mode().Perm()&0o004 == 0:
			closed, whole = append(closed, path), false
		case e.IsDir():
			below, shut, all := readable(path)
			open, closed, whole = append(open, below...), append(closed, shut...), whole && all
		default:
			open = append(open, path)
		}
	}
	if whole {
		return []string{dir}, nil, true
	}
	return open, closed, false
}
