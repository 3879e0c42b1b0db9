package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/proc"
)

// policy is what a command can reach, as absolute paths that exist.
type policy struct {
	Program string   `json:"program"`
	Read    []string `json:"read"`  // and execute
	Write   []string `json:"write"` // and read
	Network bool     `json:"network"`
	Sockets bool     `json:"sockets"`
	Links   []string `json:"links,omitempty"` // other names of folders among these
	// Bubblewrap is the program that makes the sandbox instead of Landlock, or "".
	Bubblewrap string `json:"bubblewrap,omitempty"`
}

// toolchains are what compilers and package managers keep in a home folder. None of it is a
// secret: credentials lie beside, as in .npmrc, .cargo/credentials.toml and .netrc.
var toolchains = []string{
	"go", "sdk", ".config/go", ".cargo/bin", ".cargo/env", ".cargo/config.toml", ".cargo/registry", ".cargo/git", ".rustup",
	".nvm", ".volta", ".fnm", ".local/share/fnm", ".local/share/pnpm", ".local/share/mise", ".asdf", ".bun", ".deno", ".npm-global",
	".pyenv", ".local/bin", ".local/lib", ".local/pipx", ".local/share/pipx", ".local/share/uv", ".rbenv", ".rvm", ".gem", ".sdkman", ".jenv",
	".m2/repository", ".gradle/wrapper", ".dotnet", ".ghcup", ".gitconfig", ".config/git/config", ".config/git/ignore", ".config/git/attributes",
	".asdfrc", ".tool-versions",
}

// private are the variables of a command whose home is the person's: caches that only
// sandboxed commands share, so that none can plant something in the person's own.
func (s Settings) private(tmp string) (vars map[string]string, cache string) {
	cache = filepath.Join(tmp, "cache")
	if s.Data != "" {
		cache = filepath.Join(s.Data, "sandbox", "cache")
	}
	return map[string]string{
		"TMPDIR": tmp, "TEMP": tmp, "TMP": tmp, "XDG_CACHE_HOME": cache,
		"GOCACHE": filepath.Join(cache, "go-build"), "npm_config_cache": filepath.Join(cache, "npm"),
	}, cache
}

// with sets variables of an environment.
func with(env []string, vars map[string]string) []string {
	out := make([]string, 0, len(env)+len(vars))
	for _, kv := range env {
		name, _, _ := strings.Cut(kv, "=")
		if _, set := vars[name]; !set {
			out = append(out, kv)
		}
	}
	for name, value := range vars {
		out = append(out, name+"="+value)
	}
	return out
}

// policy works out what the command can reach.
func (s Settings) policy(c proc.Command, a Access) (policy, error) {
	program, err := exec.LookPath(c.Path)
	if err != nil {
		return policy{}, err
	}
	if program, err = filepath.Abs(program); err != nil {
		return policy{}, err
	}
	for _, path := range slices.Concat(s.Read, s.Write) {
		if !filepath.IsAbs(Expand(path)) {
			return policy{}, errcode.New(errcode.Validation, "sandbox: %q is not an absolute path", path).
				With(errcode.KeyField, "sandbox")
		}
	}
	home, _ := os.UserHomeDir()
	p := policy{Program: program, Network: a.Network || !s.Offline, Sockets: s.Sockets}
	read := slices.Concat(system(), searched(c.Env, home), s.programs(program, home), s.Read, a.Read)
	if home != "" {
		for _, name := range toolchains {
			read = append(read, filepath.Join(home, name))
		}
	}
	write := slices.Concat(s.Write, a.Write)
	if a.Home != "" {
		write = append(write, a.Home)
	}
	if c.Dir != "" {
		read = append(read, c.Dir)
	}
	p.Read, p.Write = s.around(read), s.around(write)
	for _, path := range append(write, c.Dir) {
		if to := real(Expand(path)); to != "" && to != filepath.Clean(Expand(path)) {
			p.Links = append(p.Links, filepath.Clean(Expand(path)))
		}
	}
	return p, nil
}

// offered are the folders of the data folder in which commands work, and their homes.
var offered = []string{"worktrees", "runs", "workers", "sandbox"}

// around leaves out what is not there and what lies in the data folder, but for what is
// offered there. It replaces a folder that holds the data folder by what lies beside it.
func (s Settings) around(paths []string) []string {
	var out []string
	data := real(s.Data)
	for _, path := range paths {
		path = real(Expand(path))
		switch {
		case path == "" || path == data:
		case data != "" && within(path, data):
			first, _, _ := strings.Cut(strings.TrimPrefix(path, data+string(filepath.Separator)),
				string(filepath.Separator))
			if slices.Contains(offered, first) {
				out = append(out, path)
			}
		case data != "" && within(data, path):
			out = append(out, beside(path, data)...)
		default:
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// beside lists what lies in a folder and does not hold hidden.
func beside(dir, hidden string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case path == hidden:
		case within(hidden, path):
			out = append(out, beside(path, hidden)...)
		case e.Type()&os.ModeSymlink == 0: // where a link leads to is for who declares that
			out = append(out, path)
		}
	}
	return out
}

// searched are the folders in which programs are looked for.
func searched(env []string, home string) []string {
	var out []string
	for _, kv := range env {
		if name, value, _ := strings.Cut(kv, "="); name == "PATH" {
			for _, dir := range filepath.SplitList(value) {
				if filepath.IsAbs(dir) && !holds(dir, home) {
					out = append(out, dir)
				}
			}
		}
	}
	return out
}

// programs are a program's file and what was installed with it.
func (s Settings) programs(program, home string) []string {
	file := real(program)
	out := []string{program, file}
	const modules = "/node_modules/"
	if i := strings.Index(filepath.ToSlash(file), modules); i >= 0 {
		return append(out, file[:i+len(modules)-1])
	}
	if dir := filepath.Dir(file); !holds(dir, home) && !holds(dir, real(s.Data)) && !holds(dir, real(os.TempDir())) {
		out = append(out, dir)
	}
	return out
}

// holds reports whether a folder is, or holds, another one; the root holds all.
func holds(dir, other string) bool {
	dir = filepath.Clean(dir)
	return dir == filepath.Dir(dir) || other != "" && (dir == other || within(other, dir))
}

func within(path, dir string) bool {
	return strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}

// Expand replaces a leading ~/ by the home folder, as teams and settings write it.
func Expand(path string) string {
	if rest, is := strings.CutPrefix(path, "~/"); is || path == "~" {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, strings.TrimPrefix(rest, "~"))
		}
	}
	return path
}

// real is a path without links, "" where nothing is there.
func real(path string) string {
	if path == "" {
		return ""
	}
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return ""
	}
	if path, err = filepath.Abs(path); err != nil {
		return ""
	}
	return path
}

// Apart returns an error if files of the data folder can be reached through one of the folders.
// Tools that work inside the hub itself have no sandbox, so such a folder isn't theirs.
func (s Settings) Apart(folders ...string) error {
	data := real(s.Data)
	if data == "" {
		return nil
	}
	for _, folder := range folders {
		at := real(Expand(folder))
		if at == "" {
			continue // opening the missing folder reports an error
		}
		if at == data || within(data, at) || within(at, data) && len(s.around([]string{at})) == 0 {
			return errcode.New(errcode.Forbidden, "tools can't work in %s, because AgentFlow keeps its own data in %s, the owner's token among it. Choose a folder beside it", folder, s.Data)
		}
	}
	return nil
}
