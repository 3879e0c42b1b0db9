package engine

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"agentflow/backend/base/atomicfile"
	"agentflow/backend/base/config"
	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/builtin"
	"agentflow/backend/gateway/client"
	"agentflow/backend/server/httpapi"
	"agentflow/backend/team/gatewayconfig"
	"agentflow/backend/team/gatewayschema"
)

// settingsOf is what is known of the settings that a gateway offers for its agents.
type settingsOf struct {
	mu    sync.Mutex // one question at a time
	kept  *keptSettings
	asked time.Time // when the connection began in which the gateway was asked
}

// keptSettings are the settings of one gateway as they are saved in the data folder.
type keptSettings struct {
	URL      string               `json:"url"`
	Version  string               `json:"version,omitempty"`
	At       time.Time            `json:"at"`
	Source   gatewayschema.Source `json:"source"`
	Defaults json.RawMessage      `json:"defaults,omitempty"` // agents.defaults without secrets

	described, everyone gatewayschema.Description
}

// withoutOwners returns the settings of everyone without those that name one agent.
func withoutOwners(path []string, settings []gatewayschema.Setting) []gatewayschema.Setting {
	var out []gatewayschema.Setting
	for _, s := range settings {
		at := append(slices.Clone(path), s.Key)
		if gatewayconfig.NamesOwner(at...) {
			continue
		}
		if len(at) == 1 {
			s.Settings = withoutOwners(at, s.Settings)
		}
		out = append(out, s)
	}
	return out
}

// describe reads what the source says.
func (k *keptSettings) describe() {
	k.described = gatewayschema.Describe(k.Source)
	if k.Source.Everyone != nil {
		k.everyone = gatewayschema.Describe(*k.Source.Everyone)
		k.everyone.Settings = withoutOwners(nil, k.everyone.Settings)
	}
}

// AgentSettings implements httpapi.Fleet. It asks the gateway once per connection, because the answer costs the gateway
// seconds, and saves it for when there is no connection.
func (f *Fleet) AgentSettings(ctx context.Context, name string) (httpapi.AgentSettings, error) {
	if name == config.LocalGateway {
		d := gatewayschema.Describe(builtin.AgentSettings())
		return httpapi.AgentSettings{State: httpapi.SettingsCurrent, Version: config.Version, Settings: d.Settings}, nil
	}
	m, err := f.member(name)
	if err != nil {
		return httpapi.AgentSettings{}, err
	}
	m.settings.mu.Lock()
	defer m.settings.mu.Unlock()
	if m.settings.kept == nil {
		m.settings.kept = f.loadSettings(m.client.URL())
	}
	failed := f.askSettings(ctx, m)
	if err := ctx.Err(); err != nil {
		return httpapi.AgentSettings{}, errcode.From(err)
	}
	return m.settings.answer(failed), nil
}

// askSettings asks a connected gateway for what isn't known in this connection yet.
func (f *Fleet) askSettings(ctx context.Context, m *member) error {
	status := m.client.Status()
	if status.State != client.StateConnected {
		if status.Error != nil {
			return status.Error
		}
		return errcode.New(errcode.Unavailable, "the gateway %q isn't connected", m.conf.Name).
			With(errcode.KeyReason, errcode.ReasonLinkDown)
	}
	kept := keptSettings{URL: m.client.URL(), Version: status.ServerVersion, At: time.Now().UTC()}
	if m.settings.kept != nil && m.settings.asked.Equal(status.Since) {
		kept = *m.settings.kept
	} else {
		src, err := m.client.AgentSettings(ctx)
		if err != nil {
			return err
		}
		kept.Source = src
		kept.describe()
	}
	kept.Defaults = f.agentDefaults(ctx, m, kept.Defaults)
	if last := m.settings.kept; last == nil || !last.At.Equal(kept.At) || !bytes.Equal(last.Defaults, kept.Defaults) {
		f.saveSettings(&kept)
	}
	m.settings.kept, m.settings.asked = &kept, status.Since
	return nil
}

// agentDefaults reads what the agents of a gateway inherit; last is what is known where it can't be read.
func (f *Fleet) agentDefaults(ctx context.Context, m *member, last json.RawMessage) json.RawMessage {
	cfg, err := m.client.ConfigGet(ctx)
	if err != nil {
		return last
	}
	var config struct {
		Agents struct {
			Defaults json.RawMessage `json:"defaults"`
		} `json:"agents"`
	}
	if json.Unmarshal(cfg.Parsed, &config) != nil || len(config.Agents.Defaults) == 0 {
		return nil
	}
	return gatewayconfig.Masked(config.Agents.Defaults)
}

func (s *settingsOf) answer(failed error) httpapi.AgentSettings {
	out := httpapi.AgentSettings{State: httpapi.SettingsCurrent}
	if failed != nil {
		out.State, out.Error = httpapi.SettingsKept, errcode.From(failed)
	}
	if k := s.kept; k != nil {
		out.Version, out.At, out.Defaults = k.Version, k.At, k.Defaults
		out.Settings, out.Truncated = k.described.Settings, k.described.Truncated || k.everyone.Truncated
		out.Everyone = k.everyone.Settings
	}
	if len(out.Settings) == 0 {
		out.State, out.Settings = httpapi.SettingsNone, []gatewayschema.Setting{}
	}
	return out
}

// settingsFile names the file of one gateway by its address, so that no name can lead elsewhere.
func (f *Fleet) settingsFile(url string) string {
	sum := sha256.Sum256([]byte(url))
	return filepath.Join(f.dir, "schemas", hex.EncodeToString(sum[:8])+".json")
}

func (f *Fleet) loadSettings(url string) *keptSettings {
	path := f.settingsFile(url)
	if info, err := os.Stat(path); err != nil || info.Size() > gatewayschema.MaxSource {
		return nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	kept := new(keptSettings)
	if json.Unmarshal(data, kept) != nil || kept.URL != url {
		return nil // another program wrote it; the gateway is asked again
	}
	kept.describe()
	return kept
}

// saveSettings saves what a gateway said. A failure costs only the view without a connection.
func (f *Fleet) saveSettings(kept *keptSettings) {
	if len(kept.Source.Schema) == 0 {
		return
	}
	data, err := json.Marshal(kept)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(f.settingsFile(kept.URL)), 0o700)
	}
	if err == nil {
		err = atomicfile.Write(f.settingsFile(kept.URL), data, 0o600)
	}
	if err != nil {
		f.log.Warn("the settings of a gateway could not be saved", slog.Any("error", err))
	}
}

// forgetSettings deletes what a gateway said that is no longer configured.
func (f *Fleet) forgetSettings(url string) {
	if err := os.Remove(f.settingsFile(url)); err != nil && !os.IsNotExist(err) {
		f.log.Warn("the settings of a removed gateway could not be deleted", slog.Any("error", err))
	}
}
