package config

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/zalando/go-keyring"

	"agentflow/backend/base/atomicfile"
	"agentflow/backend/base/errcode"
)

const (
	keyringService = "agentflow"
	secretMode     = 0o600
)

// Secrets keeps secrets by key in the OS keyring, or in DIR/secrets.json (0600)
// where there is no keyring. Methods may be called from anywhere.
type Secrets struct {
	dir string
	mu  sync.Mutex
}

// NewSecrets returns the secrets of one data folder.
func NewSecrets(dir string) *Secrets { return &Secrets{dir: dir} }

// hasKeyring avoids asking where an answer could only be a new, empty D-Bus daemon.
func hasKeyring() bool {
	return runtime.GOOS != "linux" || os.Getenv("DBUS_SESSION_BUS_ADDRESS") != ""
}

// user keeps the folders apart, so that two data folders never share a secret.
func (s *Secrets) user(key string) string { return s.dir + "|" + key }

// Get returns the secret, or "" where there is none.
func (s *Secrets) Get(key string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if hasKeyring() {
		if v, err := keyring.Get(keyringService, s.user(key)); err == nil {
			return v, nil
		}
	}
	all, err := s.read()
	return all[key], err
}

// Set keeps the secret; "" forgets it.
func (s *Secrets) Set(key, secret string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	inKeyring := false
	if hasKeyring() {
		if secret == "" {
			_ = keyring.Delete(keyringService, s.user(key))
		} else {
			inKeyring = keyring.Set(keyringService, s.user(key), secret) == nil
		}
	}
	all, err := s.read()
	if err != nil {
		return err
	}
	if _, there := all[key]; !there && (secret == "" || inKeyring) {
		return nil
	}
	delete(all, key)
	if secret != "" && !inKeyring {
		all[key] = secret
	}
	data, err := json.Marshal(all)
	if err != nil {
		return errcode.Wrap(errcode.Internal, err, "the secrets cannot be written")
	}
	return atomicfile.Write(s.path(), data, secretMode)
}

// SecretsPlace says where secrets are saved.
type SecretsPlace string

// The places of secrets.
const (
	SecretsNowhere   SecretsPlace = "none" // nothing is saved yet
	SecretsInFile    SecretsPlace = "file"
	SecretsInKeyring SecretsPlace = "keyring"
)

// Place returns where secrets are saved, and the file if it is one. A keyring can't be listed, so it is asked for keys
// that can have a secret.
func (s *Secrets) Place(keys ...string) (place SecretsPlace, file string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if all, err := s.read(); err != nil || len(all) > 0 {
		return SecretsInFile, s.path()
	}
	if !hasKeyring() {
		return SecretsNowhere, ""
	}
	for _, key := range keys {
		if v, err := keyring.Get(keyringService, s.user(key)); err == nil && v != "" {
			return SecretsInKeyring, ""
		}
	}
	return SecretsNowhere, ""
}

func (s *Secrets) path() string { return filepath.Join(s.dir, "secrets.json") }

func (s *Secrets) read() (map[string]string, error) {
	all := map[string]string{}
	data, err := os.ReadFile(s.path())
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	if err != nil {
		return all, errcode.Wrap(errcode.Unavailable, err, "%s cannot be read", s.path()).
			With(errcode.KeyFile, s.path())
	}
	if err := json.Unmarshal(data, &all); err != nil {
		return all, errcode.New(errcode.Validation, "%s is damaged. Move it away and enter the tokens again", s.path()).
			With(errcode.KeyFile, s.path())
	}
	return all, nil
}

// GatewayKey is the key of the token for exactly one normalised gateway address.
func GatewayKey(normalizedURL string) string { return "gateway " + normalizedURL }

// ProviderKey is the key of the API key of a model provider at exactly one address.
func ProviderKey(name, address string) string { return "provider " + name + " " + address }

// OwnerToken returns the hub owner's token: AGENTFLOW_TOKEN, else the keyring's, else
// DIR/token. With create, a token is made and kept in DIR/token (0600) if there is none;
// without, "" means that there is none.
func OwnerToken(dir string, create bool) (string, error) {
	if t := os.Getenv("AGENTFLOW_TOKEN"); t != "" {
		return t, nil
	}
	if hasKeyring() {
		if t, err := keyring.Get(keyringService, dir+"|owner"); err == nil && t != "" {
			return t, nil
		}
	}
	path := filepath.Join(dir, "token")
	data, err := os.ReadFile(path)
	if err == nil {
		if t := strings.TrimSpace(string(data)); t != "" {
			return t, nil
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return "", errcode.Wrap(errcode.Unavailable, err, "the token file %s cannot be read", path).
			With(errcode.KeyFile, path)
	}
	if !create {
		return "", nil
	}
	token := newToken()
	return token, atomicfile.Write(path, []byte(token+"\n"), secretMode)
}

func newToken() string {
	raw := make([]byte, 32)
	_, _ = rand.Read(raw)
	return base64.RawURLEncoding.EncodeToString(raw)
}

// RotateOwnerToken puts another token in the place of the owner's, where OwnerToken finds it: the
// keyring's, else DIR/token. One of AGENTFLOW_TOKEN is not this program's to change.
func RotateOwnerToken(dir string) (string, error) {
	if os.Getenv("AGENTFLOW_TOKEN") != "" {
		return "", errcode.New(errcode.Conflict,
			"the owner's token comes from AGENTFLOW_TOKEN. Change it there, then restart the hub.").
			With(errcode.KeyReason, "fixed_token")
	}
	token, path := newToken(), filepath.Join(dir, "token")
	if hasKeyring() {
		if kept, err := keyring.Get(keyringService, dir+"|owner"); err == nil && kept != "" {
			if err := keyring.Set(keyringService, dir+"|owner", token); err != nil {
				return "", errcode.Wrap(errcode.Unavailable, err,
					"the keyring does not take a new token, so the old one stays")
			}
			return token, nil
		}
	}
	if err := atomicfile.Write(path, []byte(token+"\n"), secretMode); err != nil {
		return "", atomicfile.Full(
			errcode.Wrap(errcode.Unavailable, err,
				"%s cannot be written, so the old token stays. %s", path, atomicfile.Remedy(err)).
				With(errcode.KeyFile, path),
		)
	}
	return token, nil
}

// LoginsFile is the file in the data folder that holds in which browsers the owner is signed in.
const LoginsFile = "logins.json"

// DropLogins ends all logins of a data folder that no hub has.
func DropLogins(dir string) error {
	path := filepath.Join(dir, LoginsFile)
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return errcode.Wrap(errcode.Unavailable, err, "%s cannot be removed, so the logins stay", path).
			With(errcode.KeyFile, path)
	}
	return nil
}

// PushKey is the key of the private key that signs push notifications.
const PushKey = "push notifications"
