package engine

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"agentflow/backend/base/config"
	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/client"
	"agentflow/backend/server/httpapi"
)

// Put implements httpapi.Fleet: it adds a gateway, or changes the one called name.
func (f *Fleet) Put(_ context.Context, name string, edit httpapi.GatewayEdit) (httpapi.Gateway, error) {
	if name == config.LocalGateway || edit.Name == config.LocalGateway {
		return f.putLocal(name, edit)
	}
	if err := f.checkName(name, edit.Name); err != nil {
		return httpapi.Gateway{}, err
	}
	key, err := client.NormalizeURL(edit.URL)
	if err != nil {
		return httpapi.Gateway{}, err
	}
	conf := config.Gateway{Name: edit.Name, URL: edit.URL, Color: edit.Color}
	if conf.Color == 0 {
		conf.Color = (len(f.Gateways())+1)%12 + 1 // the local gateway has the second
	}
	old, err := f.member(name)
	moved := err == nil && old.client.URL() != key
	if err == nil && !moved {
		conf.Insecure, conf.Fingerprint = old.conf.Insecure, old.conf.Fingerprint
		if edit.Token == nil {
			conf.TokenEnv = old.conf.TokenEnv // a token belongs to one address and never follows to another
		}
	}
	if edit.Insecure != nil {
		conf.Insecure = *edit.Insecure
	}
	if edit.Fingerprint != nil {
		conf.Fingerprint = strings.TrimSpace(*edit.Fingerprint)
	}
	if err := client.CheckFingerprint(key, conf.Fingerprint); err != nil {
		return httpapi.Gateway{}, err
	}
	if err := f.checkReadable(conf, key, edit.Token); err != nil {
		return httpapi.Gateway{}, err
	}
	if edit.Token != nil {
		if err := f.setToken(key, *edit.Token); err != nil {
			return httpapi.Gateway{}, err
		}
	}
	if err := f.settings.PutGateway(name, conf, edit.Default); err != nil {
		return httpapi.Gateway{}, err
	}
	f.leave(name)
	if moved {
		if err := f.forget(old.client.URL()); err != nil {
			return httpapi.Gateway{}, err
		}
	}
	if err := f.join(conf); err != nil {
		return httpapi.Gateway{}, err
	}
	f.topic.Publish(struct{}{})
	return f.get(edit.Name)
}

// setToken saves the token of an address. A gateway gives each device a token at its login, which is tried where the
// saved one is refused. With another token it goes, so that a wrong one is refused.
func (f *Fleet) setToken(key, token string) error {
	was, err := f.secrets.Get(config.GatewayKey(key))
	if err != nil || was != token {
		if err := f.deviceStore().SetDeviceToken(key, ""); err != nil {
			return err
		}
	}
	return f.secrets.Set(config.GatewayKey(key), token)
}

// checkReadable refuses a gateway whose token others could read on the way, unless its entry accepts that.
func (f *Fleet) checkReadable(conf config.Gateway, address string, given *string) error {
	refused := client.Readable(address)
	if refused == nil || conf.Insecure {
		return nil
	}
	if given == nil {
		kept, err := f.token(conf)(context.Background())
		if err != nil {
			return err
		}
		given = &kept
	}
	if strings.TrimSpace(*given) == "" {
		return nil
	}
	return refused
}

func (f *Fleet) putLocal(name string, edit httpapi.GatewayEdit) (httpapi.Gateway, error) {
	if name != edit.Name {
		return httpapi.Gateway{}, errcode.New(errcode.Validation,
			"the name %q belongs to the local gateway", config.LocalGateway).
			With(errcode.KeyField, "name")
	}
	if edit.Default {
		if err := f.settings.PutGateway(name, config.Gateway{Name: name}, true); err != nil {
			return httpapi.Gateway{}, err
		}
		f.topic.Publish(struct{}{})
	}
	return f.get(name)
}

func (f *Fleet) checkName(old, name string) error {
	if name == config.EnvGateway || old == config.EnvGateway {
		return errcode.New(errcode.Validation,
			"the gateway %q comes from the environment: change AGENTFLOW_GATEWAY_URL", config.EnvGateway).
			With(errcode.KeyField, "name")
	}
	if old != "" {
		if _, err := f.member(old); err != nil {
			return err
		}
	}
	if _, err := f.member(name); err == nil && old != name {
		return errcode.New(errcode.Conflict, "there is a gateway named %q already", name).With(errcode.KeyField, "name")
	}
	return nil
}

func (f *Fleet) get(name string) (httpapi.Gateway, error) {
	all := f.Gateways()
	if i := slices.IndexFunc(all, func(g httpapi.Gateway) bool { return g.Name == name }); i >= 0 {
		return all[i], nil
	}
	return httpapi.Gateway{}, errcode.New(errcode.NotFound, "there is no gateway named %q", name)
}

func (f *Fleet) leave(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if m, ok := f.members[name]; ok {
		close(m.cancel)
		delete(f.members, name)
		delete(f.kept, name)
	}
}

// Remove implements httpapi.Fleet. The token goes with the gateway.
func (f *Fleet) Remove(_ context.Context, name string) error {
	if name == config.LocalGateway || name == config.EnvGateway {
		return errcode.New(errcode.Validation, "the gateway %q cannot be removed", name)
	}
	m, err := f.member(name)
	if err != nil {
		return err
	}
	if err := f.settings.RemoveGateway(name); err != nil {
		return err
	}
	f.leave(name)
	f.moved()
	f.topic.Publish(struct{}{})
	return f.forget(m.client.URL())
}

// forget deletes the token and the saved settings of an address that no gateway uses any more.
func (f *Fleet) forget(address string) error {
	f.mu.Lock()
	for _, m := range f.members {
		if m.client.URL() == address {
			f.mu.Unlock()
			return nil
		}
	}
	f.mu.Unlock()
	f.forgetSettings(address)
	return f.secrets.Set(config.GatewayKey(address), "")
}

// Reconnect implements httpapi.Fleet.
func (f *Fleet) Reconnect(name string) (httpapi.Gateway, error) {
	if name == config.LocalGateway {
		return f.get(name)
	}
	m, err := f.member(name)
	if err != nil {
		return httpapi.Gateway{}, err
	}
	m.client.Reconnect()
	return f.get(name)
}

// Test implements httpapi.Fleet. What is wrong stands in the answer's state and error.
func (f *Fleet) Test(ctx context.Context, edit httpapi.GatewayEdit) (httpapi.Gateway, error) {
	var last client.Status
	secret := func(ctx context.Context) (string, error) {
		if edit.Token != nil {
			return *edit.Token, nil
		}
		return f.token(config.Gateway{URL: edit.URL})(ctx)
	}
	link, stop, err := DialGateway(ctx, DialOptions{
		URL: edit.URL, Token: secret, Insecure: f.insecure(edit), Fingerprint: f.fingerprint(edit), Dir: f.dir,
		Logger: f.log, Wait: 8 * time.Second, OnlyToken: edit.Token != nil,
		Ended: func(s client.Status) { last = s },
	})
	if err == nil {
		last = link.client.Status()
		stop()
	} else if last.State == "" {
		return httpapi.Gateway{}, err
	}
	g := statusView(last)
	g.Name, g.URL, g.Color = edit.Name, edit.URL, edit.Color
	if u, perr := url.Parse(edit.URL); perr == nil {
		u.User = nil
		g.URL = u.String()
	}
	return g, nil
}

// insecure is the edit's own word, else that of the gateway that is kept with its address.
func (f *Fleet) insecure(edit httpapi.GatewayEdit) bool {
	if edit.Insecure != nil {
		return *edit.Insecure
	}
	return AllowsInsecure(f.settings, edit.URL)
}

// fingerprint is the edit's own, else that of the gateway that is kept with its address.
func (f *Fleet) fingerprint(edit httpapi.GatewayEdit) string {
	if edit.Fingerprint != nil {
		return *edit.Fingerprint
	}
	return KeptFingerprint(f.settings, edit.URL)
}

// AllowsInsecure reports whether the settings let a token go to the gateway at the address without TLS.
func AllowsInsecure(s *config.Settings, address string) bool {
	return slices.ContainsFunc(at(s, address), func(g config.Gateway) bool { return g.Insecure })
}

// KeptFingerprint returns the fingerprint that the settings have for the gateway at the address, or "".
func KeptFingerprint(s *config.Settings, address string) string {
	for _, g := range at(s, address) {
		if g.Fingerprint != "" {
			return g.Fingerprint
		}
	}
	return ""
}

// at returns the gateways of the settings at the address.
func at(s *config.Settings, address string) []config.Gateway {
	want, err := client.NormalizeURL(address)
	if err != nil {
		return nil
	}
	list, _ := s.Gateways()
	return slices.DeleteFunc(list, func(g config.Gateway) bool {
		found, err := client.NormalizeURL(g.URL)
		return err != nil || found != want
	})
}
