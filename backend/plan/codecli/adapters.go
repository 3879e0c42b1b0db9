package codecli

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"agentflow/backend/base/errcode"
)

// adapter is what one CLI needs, and how it reports. It was checked against the versions in docs/reference/coding-clis.md.
type adapter struct {
	command  string
	install  string // how to get it
	stdin    bool   // without an argument, it reads the prompt from standard input
	args     func(setup) ([]string, error)
	env      map[string]string // {home} is replaced by its home folder
	keys     []string          // variables of this program with its key or base URL
	folders  []string          // to create below its home
	files    map[string]string // to write below its home
	flags    []string          // that a model can pass
	specific map[string][]any  // settings that a model can change, with the allowed values
	read     func(*reading, map[string]any)
	acp      speaking
}

// setup is one call, with everything that becomes arguments.
type setup struct {
	place    Place
	home     string
	model    string
	prompt   string // "": it is on standard input
	flags    []string
	specific map[string]any
	nested   bool // its own sandbox works inside ours
	held     bool // its own sandbox doesn't work inside ours: ours is the only one
}

var adapters = map[Kind]adapter{
	Codex: {
		command: "codex", install: "npm install -g @openai/codex", stdin: true, args: codexArgs, read: readCodex,
		env:     map[string]string{"CODEX_HOME": "{home}/.codex"},
		keys:    []string{"CODEX_API_KEY", "OPENAI_API_KEY"},
		folders: []string{".codex"},
		flags:   []string{"--ephemeral"},
		specific: map[string][]any{
			"sandbox": {readOnly, "workspace-write"}, "reasoning_effort": {"minimal", "low", "medium", "high"},
		},
		acp: speaking{command: "codex-acp", install: "npm install -g @zed-industries/codex-acp", args: codexACPArgs},
	},
	Claude: {
		command: "claude",
		install: "npm install -g @anthropic-ai/claude-code",
		stdin:   true,
		args:    claudeArgs,
		read:    readClaude,
		env: map[string]string{
			"CLAUDE_CONFIG_DIR":                        "{home}/.claude",
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
			"DISABLE_AUTOUPDATER":                      "1",
			"DISABLE_TELEMETRY":                        "1",
			"CLAUDE_CODE_MAX_RETRIES":                  "3",
		},
		keys:     []string{"ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "CLAUDE_CODE_OAUTH_TOKEN"},
		folders:  []string{".claude"},
		specific: map[string][]any{"permission_mode": {"plan", "acceptEdits"}},
		acp: speaking{
			command: "claude-code-acp",
			install: "npm install -g @zed-industries/claude-code-acp",
			args:    plainArgs(),
			model:   true,
		},
	},
	Gemini: {
		command: "gemini",
		install: "npm install -g @google/gemini-cli",
		stdin:   true,
		args:    geminiArgs,
		read:    readGemini,
		env:     map[string]string{"GEMINI_CLI_NO_RELAUNCH": "true"},
		keys:    []string{"GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL"},
		folders: []string{".gemini"},
		acp:     speaking{args: geminiACPArgs, auth: "gemini-api-key"},
		files: map[string]string{
			".gemini/settings.json": `{"security":{"auth":{"selectedType":"gemini-api-key"},"environmentVariableRedaction":{"enabled":true}},"privacy":{"usageStatisticsEnabled":false},"general":{"enableAutoUpdate":false}}`,
		},
	},
	OpenCode: {
		command: "opencode", install: "npm install -g opencode-ai", args: openCodeArgs, read: readOpenCode,
		env: map[string]string{
			"XDG_CONFIG_HOME": "{home}/config", "XDG_DATA_HOME": "{home}/data", "XDG_CACHE_HOME": "{home}/cache", "XDG_STATE_HOME": "{home}/state",
			"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_LSP_DOWNLOAD": "1", "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
		},
		keys:    []string{"OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENCODE_CONFIG"},
		folders: []string{"config", "data", "cache", "state"},
		acp:     speaking{args: plainArgs("acp"), model: true},
	},
}

// text returns a setting that must be a string.
func (s setup) text(name, standard string) (string, error) {
	v, has := s.specific[name]
	if !has {
		return standard, nil
	}
	text, ok := v.(string)
	if !ok || text == "" {
		return "", errcode.New(errcode.Validation, "tool_specific.%s must be a text", name).
			With(errcode.KeyField, "tool_specific")
	}
	return text, nil
}

// only rejects unknown settings.
func (s setup) only(names ...string) error {
	for _, name := range slices.Sorted(maps.Keys(s.specific)) {
		if !slices.Contains(names, name) {
			return errcode.New(errcode.Validation, "tool_specific has no %s for this worker; it has %v", name, names).
				With(errcode.KeyField, "tool_specific")
		}
	}
	return nil
}

func codexArgs(s setup) ([]string, error) {
	if err := s.only("sandbox", "reasoning_effort", "config"); err != nil {
		return nil, err
	}
	mode, _, err := s.sandboxed()
	if err != nil {
		return nil, err
	}
	args := append(
		[]string{
			"exec",
			"--json",
			"-C",
			s.place.Dir,
			"-s",
			mode,
			"--disable",
			"plugins",
			"--disable",
			"unbounded_connection_retries",
		},
		codexQuiet...)
	if s.place.NoGit {
		args = append(args, "--skip-git-repo-check")
	}
	if s.model != "" {
		args = append(args, "-m", s.model)
	}
	if args, err = codexSettings(s, args); err != nil {
		return nil, err
	}
	args = append(args, s.flags...)
	if s.prompt == "" {
		return append(args, "-"), nil
	}
	return append(args, "--", s.prompt), nil
}

// codexQuiet are settings that Codex always gets: the model's shell sees no key.
var codexQuiet = []string{"-c", "analytics.enabled=false", "-c", "check_for_update_on_startup=false", "-c",
	"shell_environment_policy.ignore_default_excludes=false"}

// noSnapshot keeps Codex from giving the model's shell the removed variables again.
const noSnapshot = "features.shell_snapshot=false"

func codexACPArgs(s setup) ([]string, error) {
	if err := s.only("sandbox", "reasoning_effort", "config"); err != nil {
		return nil, err
	}
	mode, asks, err := s.sandboxed()
	if err != nil {
		return nil, err
	}
	args := append(
		[]string{"-c", "sandbox_mode=" + toml(mode), "-c", "approval_policy=" + toml(asks), "-c", noSnapshot},
		codexQuiet...)
	if s.model != "" {
		args = append(args, "-c", "model="+toml(s.model))
	}
	if args, err = codexSettings(s, args); err != nil {
		return nil, err
	}
	return append(args, s.flags...), nil
}

// codexSettings adds the person's own settings of Codex to its arguments.
func codexSettings(s setup, args []string) ([]string, error) {
	if effort, err := s.text("reasoning_effort", ""); err != nil {
		return nil, err
	} else if effort != "" {
		args = append(args, "-c", "model_reasoning_effort="+effort)
	}
	config, is := s.specific["config"].(map[string]any)
	if _, has := s.specific["config"]; has && !is {
		return nil, errcode.New(errcode.Validation, "tool_specific.config must be a map of Codex's own settings").
			With(errcode.KeyField, "tool_specific")
	}
	for _, name := range slices.Sorted(maps.Keys(config)) {
		args = append(args, "-c", name+"="+toml(config[name]))
	}
	return args, nil
}

// toml encodes a value for Codex's settings.
func toml(v any) string {
	if text, ok := v.(string); ok {
		return strconv.Quote(text)
	}
	return fmt.Sprint(v)
}

func claudeArgs(s setup) ([]string, error) {
	if err := s.only("permission_mode", "allowed_tools"); err != nil {
		return nil, err
	}
	mode, err := s.text("permission_mode", "acceptEdits")
	if err != nil {
		return nil, err
	}
	tools, err := s.text("allowed_tools", "Bash,Edit,Write,MultiEdit,Read,Glob,Grep")
	if err != nil {
		return nil, err
	}
	args := []string{"-p", "--output-format", "stream-json", "--verbose", "--permission-mode", mode}
	if s.model != "" {
		args = append(args, "--model", s.model)
	}
	args = append(append(args, s.flags...), "--allowedTools", tools)
	if s.prompt == "" {
		return args, nil
	}
	return append(args, "--", s.prompt), nil
}

func geminiArgs(s setup) ([]string, error) {
	if err := s.only(); err != nil {
		return nil, err
	}
	args := []string{"--skip-trust", "-y", "-o", "stream-json"}
	if s.model != "" {
		args = append(args, "-m", s.model)
	}
	args = append(args, s.flags...)
	if s.prompt == "" {
		return args, nil
	}
	return append(args, "--prompt="+s.prompt), nil
}

func geminiACPArgs(s setup) ([]string, error) {
	if err := s.only(); err != nil {
		return nil, err
	}
	args := []string{"--acp", "--skip-trust"}
	if s.model != "" {
		args = append(args, "-m", s.model)
	}
	return append(args, s.flags...), nil
}

// plainArgs returns constant arguments, for a program without settings as arguments.
func plainArgs(args ...string) func(setup) ([]string, error) {
	return func(s setup) ([]string, error) { return slices.Concat(args, s.flags), s.only() }
}

func openCodeArgs(s setup) ([]string, error) {
	if err := s.only(); err != nil {
		return nil, err
	}
	args := []string{"run", "--format", "json", "--auto"}
	if s.model != "" {
		args = append(args, "-m", s.model)
	}
	return append(append(args, s.flags...), "--", s.prompt), nil
}
