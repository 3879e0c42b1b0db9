package codecli

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"agentflow/backend/base/errcode"
)

// inherited are the variables of this program that a CLI gets, besides LC_…. None of them can be a secret or point to
// the person's own settings.
var inherited = []string{
	"PATH", "USER", "LOGNAME", "SHELL", "LANG", "TZ", "SYSTEMROOT", "COMSPEC", "PATHEXT", "PROGRAMFILES",
	"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS",
}

// environment returns the complete environment of a CLI: the inherited variables, its own folders, the key of its
// kind, the person's variables, and what a call can add.
func (w Worker) environment(a adapter, home string, call Call) []string {
	vars := map[string]string{}
	for _, kv := range os.Environ() {
		name, value, _ := strings.Cut(kv, "=")
		if slices.Contains(inherited, strings.ToUpper(name)) || strings.HasPrefix(name, "LC_") || slices.Contains(a.keys, name) {
			vars[name] = value
		}
	}
	tmp := filepath.Join(home, "tmp")
	maps.Copy(
		vars,
		map[string]string{
			"HOME":                home,
			"USERPROFILE":         home,
			"TMPDIR":              tmp,
			"TEMP":                tmp,
			"TMP":                 tmp,
			"NO_COLOR":            "1",
			"GIT_TERMINAL_PROMPT": "0",
		},
	)
	for name, value := range a.env {
		vars[name] = strings.ReplaceAll(value, "{home}", home)
	}
	maps.Copy(vars, call.Env)
	maps.Copy(vars, w.Env)
	out := make([]string, 0, len(vars))
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		out = append(out, name+"="+vars[name])
	}
	return out
}

// own matches variables of this program, and those that point to a CLI's own folders.
var own = regexp.MustCompile(`^(AGENTFLOW_.*|HOME|USERPROFILE|TMPDIR|TEMP|TMP)$`)

// Lend returns the variables of this program's environment that a person passes to a CLI.
func Lend(names []string) (map[string]string, error) {
	out := map[string]string{}
	for _, name := range names {
		value, there := os.LookupEnv(name)
		if !there || own.MatchString(strings.ToUpper(name)) {
			why := "is not set where the hub runs: set it there and start the hub again, or leave it out"
			switch {
			case there:
				why = "is not for a worker: leave it out"
			case strings.Contains(name, "="):
				why = "has a value: enter only its name. Its value is the one that it has where the hub runs"
			}
			return nil, errcode.New(errcode.Validation, "the variable %q %s", name, why).With(errcode.KeyField, "env")
		}
		out[name] = value
	}
	return out, nil
}

var (
	plainName = regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`)
	// reserved matches variables that decide which programs run, and where a CLI finds its settings. They also decide
	// what it trusts and connects to.
	reserved = regexp.MustCompile(
		`^(PATH|HOME|SHELL|IFS|ENV|BASH_.*|USERPROFILE|TMPDIR|TEMP|TMP|LD_.*|DYLD_.*|GIT_.*|SSH_.*|NODE_.*|NPM_.*|PYTHON.*|XDG_.*|AGENTFLOW_.*|CODEX_.*|CLAUDE_.*|ANTHROPIC_.*|GEMINI_.*|GOOGLE_.*|OPENCODE_.*|OPENAI_.*|SSL_.*|.*_PROXY|IS_SANDBOX)$|KEY|TOKEN|SECRET|PASSWORD`,
	)
)

// refuses returns why a call is rejected: it comes from a model, which may have read foreign instructions in a
// repository.
func (a adapter) refuses(call Call) error {
	for _, name := range slices.Sorted(maps.Keys(call.Env)) {
		if !plainName.MatchString(name) || reserved.MatchString(name) {
			return errcode.New(errcode.Forbidden,
				"the planner may not set the variable %s; set it in the task's runner.worker.env if it is wanted",
				name).
				With(errcode.KeyField, "env")
		}
	}
	for _, flag := range call.Flags {
		if !slices.Contains(a.flags, flag) {
			return errcode.New(errcode.Forbidden,
				"the planner may not give %s the flag %q; set it in the task's runner.worker.flags if it is wanted",
				a.command, flag).
				With(errcode.KeyField, "flags")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(call.ToolSpecific)) {
		if !a.allows(name, call.ToolSpecific[name]) {
			return errcode.New(errcode.Forbidden,
				"the planner may not set tool_specific.%s to %v; set it in the task's runner.worker.tool_specific if it is wanted",
				name, call.ToolSpecific[name]).
				With(errcode.KeyField, "tool_specific")
		}
	}
	if strings.HasPrefix(call.Model, "-") {
		return errcode.New(errcode.Validation, "%q is no model", call.Model).With(errcode.KeyField, "model")
	}
	return nil
}

// allows reports whether a call can change a setting of the kind.
func (a adapter) allows(name string, value any) bool {
	may, ok := a.specific[name]
	return ok && slices.Contains(may, value)
}
