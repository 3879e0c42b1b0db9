// Package config reads and writes the app's own settings: the file
// DIR/agentflow.yaml, the environment, and the secrets in the OS keyring or,
// where there is none, in files that only their owner can read.
package config

import (
	"net/netip"
	"os"
	"path/filepath"
	"runtime"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/sandbox"
)

// Version, Commit and BuiltAt are set by the linker.
var (
	Version = "0.1.0-dev"
	Commit  = ""
	BuiltAt = ""
)

// File is the content of DIR/agentflow.yaml (or of the file in AGENTFLOW_CONFIG).
type File struct {
	Gateways        []Gateway  `yaml:"gateways"`
	DefaultGateway  string     `yaml:"defaultGateway"`
	Providers       []Provider `yaml:"providers"`
	DefaultProvider string     `yaml:"defaultProvider"`

	// Prices are by provider/model, or by provider/* for all others of that provider.
	Prices map[string]Price `yaml:"prices"`
	// Budgets bound what a task may cost that says nothing itself.
	Budgets Budgets `yaml:"budgets"`
	// Security says who may reach the hub, and what is written down of it.
	Security Security `yaml:"security"`
	// ComplexTasks says how tasks of the type complex_task become plans that coding CLIs work.
	ComplexTasks ComplexTasks `yaml:"complexTasks"`
	// Sandbox says what tests, shell commands and coding CLIs can reach.
	Sandbox Sandbox `yaml:"sandbox"`
	// Agents says what agents of teams can be given.
	Agents Agents `yaml:"agents"`
	UI     UI     `yaml:"ui"`
}

// Security says who may reach the hub, and what is written down of it.
type Security struct {
	Allow   []netip.Prefix `yaml:"allow,omitempty"`   // addresses that may connect; none: all
	Proxies []netip.Prefix `yaml:"proxies,omitempty"` // whose X-Forwarded-For is believed
	// AuditsPrompts has what is asked of agents written into the audit log.
	AuditsPrompts bool `yaml:"auditsPrompts,omitempty"`
}

// Sandbox says what tests, shell commands and coding CLIs can reach on this computer.
type Sandbox struct {
	Mode        sandbox.Mode `yaml:"mode,omitempty"`        // auto, required or off; empty: auto
	Read        []string     `yaml:"read,omitempty"`        // further folders they can read
	Write       []string     `yaml:"write,omitempty"`       // likewise, and change
	Network     *bool        `yaml:"network,omitempty"`     // of tests and shell commands; absent: yes
	UnixSockets bool         `yaml:"unixSockets,omitempty"` // they can connect to those, such as Docker's
}

// Agents says what agents of teams can be given.
type Agents struct {
	Variables []string `yaml:"variables,omitempty"` // that a team can name beside those with the usual prefix
}

// Budgets are those of every task, and, before them, those of tasks for certain agents.
type Budgets struct {
	Task   Budget            `yaml:"task,omitempty" json:"task" doc:"Budget of a task."`
	Agents map[string]Budget `yaml:"agents,omitempty" json:"agents,omitempty" maxProperties:"1000" doc:"Budgets of single agents, by ID. Default: none."`
}

// Budget bounds what a task may cost. What is zero is not bounded.
type Budget struct {
	Tokens  int     `yaml:"tokens,omitempty" json:"tokens" minimum:"0" maximum:"1000000000" doc:"Maximum number of tokens, up to 1000000000. Default: 0, no limit."`
	USD     float64 `yaml:"usd,omitempty" json:"usd" minimum:"0" maximum:"1000000" doc:"Maximum cost in US dollars, up to 1000000. Default: 0, no limit."`
	Seconds int     `yaml:"seconds,omitempty" json:"seconds" minimum:"0" maximum:"604800" doc:"Maximum time in seconds, up to 604800 (a week). Default: 0, no limit."`
}

// ComplexTasks is how complex tasks are worked. Without a worker, one agent does them alone.
type ComplexTasks struct {
	Worker      string `yaml:"worker"`      // codex-cli, claude-code, gemini-cli or opencode
	Command     string `yaml:"command"`     // its path; empty: its usual name
	WorkerModel string `yaml:"workerModel"` // empty: the CLI's own
	Model       string `yaml:"model"`       // of the planner; empty: AGENTFLOW_META_MODEL, else that of the agent
	Folder      string `yaml:"folder"`      // where the work is done; empty: the agent's workspace
	Test        string `yaml:"test"`        // a command whose result is the evidence
	Parallel    int    `yaml:"parallel"`    // tasks at once; 0 is 2
	AskPlan     *bool  `yaml:"askPlan"`     // in the inbox, before a plan is worked; absent: yes
	AskPhases   bool   `yaml:"askPhases"`   // before each phase
	AskMerges   bool   `yaml:"askMerges"`   // before each merge
	// TryUSD is what a try counts as whose worker tells neither tokens nor a cost; 0: nobody knows.
	TryUSD float64 `yaml:"tryUsd"`
}

// Gateway is one gateway the hub knows. Its token is never in the file.
type Gateway struct {
	Name     string `yaml:"name" json:"name"`
	URL      string `yaml:"url" json:"url"`
	TokenEnv string `yaml:"tokenEnv,omitempty" json:"tokenEnv,omitempty"` // the environment variable that holds the token
	Color    int    `yaml:"color,omitempty" json:"color"`                 // identity color 1 to 12
	Insecure bool   `yaml:"insecure,omitempty" json:"insecure"`           // its token goes to another computer without TLS too
	// Fingerprint is that of its certificate, where no authority known here signed it.
	Fingerprint string `yaml:"fingerprint,omitempty" json:"fingerprint,omitempty"`
}

// Provider is where models are asked.
type Provider struct {
	Name      string `yaml:"name" json:"name"`
	Kind      string `yaml:"kind" json:"kind"` // openai, ollama or llm-cli
	BaseURL   string `yaml:"baseUrl,omitempty" json:"baseUrl,omitempty"`
	APIKeyEnv string `yaml:"apiKeyEnv,omitempty" json:"apiKeyEnv,omitempty"`
	Command   string `yaml:"command,omitempty" json:"command,omitempty"`
	Insecure  bool   `yaml:"insecure,omitempty" json:"insecure,omitempty"` // its key goes to another computer without TLS too
}

// Price is what a model costs: US dollars for a million tokens.
type Price struct {
	Input  float64 `yaml:"input"`
	Output float64 `yaml:"output"`
}

// UI is what the person set about the look. Empty fields follow the system.
type UI struct {
	Language       string `yaml:"language,omitempty" json:"language" enum:"auto,en,ja" doc:"Language of the page. auto: the browser's."`
	Theme          string `yaml:"theme,omitempty" json:"theme" enum:"auto,light,dark" doc:"Theme of the page. auto: the system's."`
	GPUPolicy      string `yaml:"gpuPolicy,omitempty" json:"gpuPolicy" enum:"never,always,ondemand" doc:"Use of the graphics card by the desktop window. Counts from the next start."`
	Motion         string `yaml:"motion,omitempty" json:"motion,omitempty" enum:"auto,reduced" default:"auto" doc:"Animations. auto: the system's setting."`
	Snap           string `yaml:"snap,omitempty" json:"snap,omitempty" enum:"on,off" default:"on" doc:"Snap agents to the grid. Default: on."`
	TextSize       int    `yaml:"textSize,omitempty" json:"textSize,omitempty" minimum:"100" maximum:"200" default:"100" doc:"Text size in percent, 100 to 200. Default: 100."`
	OnboardingDone bool   `yaml:"onboardingDone,omitempty" json:"onboardingDone" doc:"The first-run steps are closed."`
	// Tour is where the tour of the first run stands: the step it was left at, done or skipped; "" never begun.
	Tour string `yaml:"tour,omitempty" json:"tour,omitempty" maxLength:"20" doc:"Step of the tour: where it was left, done or skipped. Empty: not started."`
	// Tried are the parts of the first run that the person has really done.
	Tried []string `yaml:"tried,omitempty" json:"tried,omitempty" maxItems:"20" doc:"First-run steps that were completed, at most 20. Default: none."`
}

func (u UI) withDefaults() UI {
	if u.Language == "" {
		u.Language = "auto"
	}
	if u.Theme == "" {
		u.Theme = "auto"
	}
	if u.GPUPolicy == "" {
		u.GPUPolicy = "never"
	}
	if u.Motion == "" {
		u.Motion = "auto"
	}
	if u.Snap == "" {
		u.Snap = "on"
	}
	u.TextSize = max(100, min(u.TextSize, 200))
	return u
}

// DataDir returns the folder that holds everything the program keeps: flag, else
// AGENTFLOW_DATA, else the user's data folder. It is made, for its owner only, if absent.
func DataDir(flag string) (string, error) {
	dir := flag
	if dir == "" {
		dir = os.Getenv("AGENTFLOW_DATA")
	}
	if dir == "" {
		base, err := userDataDir()
		if err != nil {
			return "", errcode.Wrap(errcode.Validation, err,
				"no home folder found. Name a data folder with --data or AGENTFLOW_DATA")
		}
		dir = filepath.Join(base, "agentflow")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", errcode.Wrap(errcode.Validation, err, "couldn't resolve the data folder %q", dir)
	}
	if err := os.MkdirAll(abs, 0o700); err != nil {
		return "", errcode.Wrap(errcode.Unavailable, err,
			"couldn't create the data folder %s. Choose another with --data", abs).
			With(errcode.KeyFile, abs)
	}
	return abs, nil
}

// ProtectDataDir closes the data folder to the other users of this computer, regardless of its
// creator and their umask. Not every file system keeps permissions.
func ProtectDataDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil // a folder in the user's profile is closed to others there
	}
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm()&0o077 == 0 {
		return err
	}
	return os.Chmod(dir, 0o700)
}

func userDataDir() (string, error) {
	if x := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(x) {
		return x, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	for _, candidate := range platformDataDirs {
		if dir := os.Getenv(candidate); dir != "" {
			return dir, nil
		}
	}
	return filepath.Join(home, platformDataPath), nil
}
