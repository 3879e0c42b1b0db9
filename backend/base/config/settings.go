package config

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"gopkg.in/yaml.v3"

	"agentflow/backend/base/atomicfile"
	"agentflow/backend/base/docedit"
	"agentflow/backend/base/errcode"
	"agentflow/backend/base/sandbox"
)

// LocalGateway is the name of the embedded gateway, EnvGateway of the one that
// AGENTFLOW_GATEWAY_URL adds.
const (
	LocalGateway = "local"
	EnvGateway   = "env"
)

// EnvGatewayFingerprint is the variable with the fingerprint of that gateway's certificate.
const EnvGatewayFingerprint = "AGENTFLOW_GATEWAY_FINGERPRINT"

// Settings is the settings file of one data folder. Methods may be called from
// anywhere; edits leave comments and unknown keys of the file alone.
type Settings struct {
	path string
	dir  string

	mu   sync.Mutex
	file File
}

// Load reads the settings file of dir, or the one in AGENTFLOW_CONFIG. A missing
// file is an empty one; a bad one is an error that names file and line.
func Load(dir string) (*Settings, error) {
	path := os.Getenv("AGENTFLOW_CONFIG")
	if path == "" {
		path = filepath.Join(dir, "agentflow.yaml")
	}
	s := &Settings{path: path, dir: dir}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return nil, errcode.Wrap(errcode.Validation, err, "the settings file %s cannot be read", path).
			With(errcode.KeyFile, path)
	}
	s.file, err = parse(data, path)
	return s, err
}

func parse(data []byte, path string) (File, error) {
	var f File
	doc, err := docedit.Parse(data, path)
	if err != nil {
		return f, err
	}
	if doc.Root() == nil || doc.Root().Kind == 0 {
		return f, nil
	}
	if err := checkNetworks(doc); err != nil {
		return f, err
	}
	if err := doc.Root().Decode(&f); err != nil {
		var typeErr *yaml.TypeError
		if errors.As(err, &typeErr) {
			return f, errcode.Wrap(errcode.Validation, err, "the settings file %s is not as expected", path).
				With(errcode.KeyFile, path)
		}
		return f, errcode.Wrap(errcode.Validation, err, "the settings file %s cannot be understood", path).
			With(errcode.KeyFile, path)
	}
	return f, f.validate(doc)
}

// Sandbox returns what commands can reach on this computer.
func (s *Settings) Sandbox() sandbox.Settings {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.file.Sandbox
	return sandbox.Settings{
		Mode:    b.Mode,
		Read:    slices.Clone(b.Read),
		Write:   slices.Clone(b.Write),
		Offline: b.Network != nil && !*b.Network,
		Sockets: b.UnixSockets,
		Data:    s.dir,
	}
}

// LoadSandbox reads what commands can reach from the settings file of dir.
func LoadSandbox(dir string) (sandbox.Settings, error) {
	s, err := Load(dir)
	if err != nil {
		return sandbox.Settings{}, err
	}
	return s.Sandbox(), nil
}

// Path returns the file that the settings live in.
func (s *Settings) Path() string { return s.path }

// Gateways returns the configured gateways, without the local one, and the name of
// the default one. AGENTFLOW_GATEWAY_URL adds one named "env", which is then the default;
// AGENTFLOW_GATEWAY_INSECURE=true is its insecure: true, AGENTFLOW_GATEWAY_FINGERPRINT its fingerprint.
func (s *Settings) Gateways() ([]Gateway, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := slices.Clone(s.file.Gateways)
	if url := os.Getenv("AGENTFLOW_GATEWAY_URL"); url != "" {
		list = append(
			list,
			Gateway{
				Name:        EnvGateway,
				URL:         url,
				TokenEnv:    "AGENTFLOW_GATEWAY_TOKEN",
				Color:       2,
				Insecure:    os.Getenv("AGENTFLOW_GATEWAY_INSECURE") == "true",
				Fingerprint: os.Getenv(EnvGatewayFingerprint),
			},
		)
		return list, EnvGateway
	}
	if s.file.DefaultGateway != "" && s.file.DefaultGateway != EnvGateway {
		return list, s.file.DefaultGateway
	}
	return list, LocalGateway
}

// Providers returns the configured model providers and the default one's name.
func (s *Settings) Providers() ([]Provider, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.file.Providers), s.file.DefaultProvider
}

// Budget returns what a task for the agent may cost where the task does not say it; "" is any.
func (s *Settings) Budget(agent string) Budget {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, all := s.file.Budgets.Agents[agent], s.file.Budgets.Task
	return Budget{
		Tokens:  cmp.Or(b.Tokens, all.Tokens),
		USD:     cmp.Or(b.USD, all.USD),
		Seconds: cmp.Or(b.Seconds, all.Seconds),
	}
}

// ComplexTasks returns how complex tasks are worked.
func (s *Settings) ComplexTasks() ComplexTasks {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.file.ComplexTasks
}

// AgentVariables returns the environment variables that teams can name beside those with the
// usual prefix, and those that hold keys of providers and tokens of gateways.
func (s *Settings) AgentVariables() (listed, closed []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.file.Providers {
		closed = append(closed, p.APIKeyEnv)
	}
	for _, g := range s.file.Gateways {
		closed = append(closed, g.TokenEnv)
	}
	return slices.Clone(s.file.Agents.Variables), slices.DeleteFunc(closed, func(n string) bool { return n == "" })
}

// Budgets returns what tasks may cost that do not say it, and those of agents' tasks.
func (s *Settings) Budgets() Budgets {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Budgets{Task: s.file.Budgets.Task, Agents: maps.Clone(s.file.Budgets.Agents)}
}

// SetBudgets stores them. They hold for tasks that are submitted from now on.
func (s *Settings) SetBudgets(b Budgets) error {
	own := map[string]Budget{}
	for agent, of := range b.Agents {
		if agent != "" && of != (Budget{}) {
			own[agent] = of
		}
	}
	return s.edit(func(f *File) { f.Budgets = Budgets{Task: b.Task, Agents: own} }, "budgets")
}

// Security returns who may reach the hub, and what is written down of it.
func (s *Settings) Security() Security {
	s.mu.Lock()
	defer s.mu.Unlock()
	of := s.file.Security
	of.Allow, of.Proxies = slices.Clone(of.Allow), slices.Clone(of.Proxies)
	return of
}

// SetSecurity changes it.
func (s *Settings) SetSecurity(change func(*Security)) error {
	return s.edit(func(f *File) { change(&f.Security) }, "security")
}

// PutProvider adds the provider, or replaces the one called name; makeDefault makes it
// the default one.
func (s *Settings) PutProvider(name string, p Provider, makeDefault bool) error {
	return s.edit(func(f *File) {
		if makeDefault || name != "" && f.DefaultProvider == name {
			f.DefaultProvider = p.Name
		}
		if name != "" {
			f.movePrices(name, p.Name)
		}
		f.Providers = slices.Clone(f.Providers)
		if i := slices.IndexFunc(f.Providers, func(x Provider) bool { return x.Name == name }); i >= 0 {
			f.Providers[i] = p
			return
		}
		f.Providers = append(f.Providers, p)
	}, "providers", "defaultProvider", "prices")
}

// SetDefaultProvider chooses the provider of models that name none; "" is the first.
func (s *Settings) SetDefaultProvider(name string) error {
	return s.edit(func(f *File) { f.DefaultProvider = name }, "defaultProvider")
}

// RemoveProvider forgets the provider; removing one that is not there does nothing.
func (s *Settings) RemoveProvider(name string) error {
	return s.edit(func(f *File) {
		f.Providers = slices.DeleteFunc(slices.Clone(f.Providers), func(p Provider) bool { return p.Name == name })
		if f.DefaultProvider == name {
			f.DefaultProvider = ""
		}
		f.movePrices(name, "")
	}, "providers", "defaultProvider", "prices")
}

// UI returns the person's settings about the look, with defaults filled in.
func (s *Settings) UI() UI {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.file.UI.withDefaults()
}

// SetUI stores them.
func (s *Settings) SetUI(ui UI) error {
	return s.edit(func(f *File) { f.UI = ui }, "ui")
}

// PutGateway adds the gateway, or replaces the one called name; makeDefault makes it
// the default one.
func (s *Settings) PutGateway(name string, g Gateway, makeDefault bool) error {
	return s.edit(func(f *File) {
		if makeDefault {
			f.DefaultGateway = g.Name
		} else if f.DefaultGateway == name && name != "" {
			f.DefaultGateway = g.Name
		}
		if name == LocalGateway || g.Name == LocalGateway {
			return
		}
		f.Gateways = slices.Clone(f.Gateways)
		if i := slices.IndexFunc(f.Gateways, func(x Gateway) bool { return x.Name == name }); i >= 0 {
			f.Gateways[i] = g
			return
		}
		f.Gateways = append(f.Gateways, g)
	}, "gateways", "defaultGateway")
}

// RemoveGateway forgets the gateway; removing one that is not there does nothing.
func (s *Settings) RemoveGateway(name string) error {
	return s.edit(func(f *File) {
		f.Gateways = slices.DeleteFunc(slices.Clone(f.Gateways), func(g Gateway) bool { return g.Name == name })
		if f.DefaultGateway == name {
			f.DefaultGateway = ""
		}
	}, "gateways", "defaultGateway")
}

// edit changes the file's given top-level keys and leaves every other byte as it is.
func (s *Settings) edit(change func(*File), keys ...string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, next := s.file, s.file
	change(&next)
	unsaved, err := docedit.Parse(nil, s.path) // what is wrong isn't in the file, so it has no line there
	if err != nil {
		return err
	}
	if err := next.validate(unsaved); err != nil {
		return err
	}
	data, err := os.ReadFile(s.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return errcode.Wrap(errcode.Unavailable, err, "the settings file %s cannot be read", s.path).
			With(errcode.KeyFile, s.path)
	}
	out, err := editKeys(data, s.path, before, next, keys)
	if err != nil {
		return err
	}
	if err := atomicfile.Write(s.path, out, secretMode); err != nil {
		return err
	}
	s.file = next
	return nil
}
