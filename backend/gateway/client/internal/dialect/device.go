package dialect

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// DeviceStore keeps this installation's identity, and the tokens that gateways gave
// to it, each under the normalised address of the one gateway it is for. Several
// Clients may share one.
type DeviceStore interface {
	// Seed returns the 32 secret bytes of the identity, making them the first time.
	Seed() ([]byte, error)
	// DeviceToken returns the token for the address, or "".
	DeviceToken(url string) (string, error)
	// SetDeviceToken keeps the token for the address; "" removes it.
	SetDeviceToken(url, token string) error
}

// MemoryDeviceStore forgets everything at the end of the process.
type MemoryDeviceStore struct {
	mu     sync.Mutex
	seed   []byte
	tokens map[string]string
}

// Seed implements DeviceStore.
func (m *MemoryDeviceStore) Seed() ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.seed == nil {
		m.seed = newSeed()
	}
	return m.seed, nil
}

// OnlyIdentity is a DeviceStore that neither offers nor keeps device tokens.
type OnlyIdentity struct{ DeviceStore }

// DeviceToken implements DeviceStore.
func (OnlyIdentity) DeviceToken(string) (string, error) { return "", nil }

// SetDeviceToken implements DeviceStore.
func (OnlyIdentity) SetDeviceToken(string, string) error { return nil }

// DeviceToken implements DeviceStore.
func (m *MemoryDeviceStore) DeviceToken(url string) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.tokens[url], nil
}

// SetDeviceToken implements DeviceStore.
func (m *MemoryDeviceStore) SetDeviceToken(url, token string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.tokens == nil {
		m.tokens = map[string]string{}
	}
	m.tokens[url] = token
	return nil
}

func newSeed() []byte {
	seed := make([]byte, ed25519.SeedSize)
	_, _ = rand.Read(seed) // never fails
	return seed
}

// FileDeviceStore keeps the identity in dir/device.key and the tokens in
// dir/device-tokens.json, both readable by their owner only. Clients of several
// processes may use the same dir; they share one identity.
type FileDeviceStore struct {
	dir string
	mu  sync.Mutex
}

// NewFileDeviceStore returns a store in dir, which is made when something is kept.
func NewFileDeviceStore(dir string) *FileDeviceStore { return &FileDeviceStore{dir: dir} }

// Seed returns the identity's secret. A file with other content is an error and is not
// replaced: every gateway would have to approve the new identity.
func (s *FileDeviceStore) Seed() ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	path := filepath.Join(s.dir, "device.key")
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := s.createSeed(path); err != nil {
			return nil, err
		}
		text, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, err
	}
	seed, err := base64.RawURLEncoding.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(seed) != ed25519.SeedSize {
		return nil, fmt.Errorf(
			"%s holds no device key; put back the right file, or remove it to start with a new identity",
			path,
		)
	}
	return seed, nil
}

// createSeed writes a new key whole or not at all; where two processes meet, the first wins.
func (s *FileDeviceStore) createSeed(path string) error {
	tmp, err := s.temp([]byte(base64.RawURLEncoding.EncodeToString(newSeed()) + "\n"))
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(tmp) }()
	if err := os.Link(tmp, path); err == nil || errors.Is(err, fs.ErrExist) {
		return nil
	}
	return os.Rename(tmp, path) // a file system without hard links
}

// temp writes data to a new private file in dir.
func (s *FileDeviceStore) temp(data []byte) (string, error) {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(s.dir, ".device-*") // 0600
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		_ = os.Remove(f.Name())
		return "", err
	}
	return f.Name(), nil
}

func (s *FileDeviceStore) tokens() (map[string]string, error) {
	data, err := os.ReadFile(filepath.Join(s.dir, "device-tokens.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]string{}, nil
	}
	if err != nil {
		return nil, err
	}
	tokens := map[string]string{}
	if !json.Valid(data) {
		return tokens, nil // only a fallback is lost; gateways give new ones
	}
	return tokens, json.Unmarshal(data, &tokens)
}

// DeviceToken returns the token for the address, or "".
func (s *FileDeviceStore) DeviceToken(url string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	tokens, err := s.tokens()
	return tokens[url], err
}

// SetDeviceToken keeps the token for the address; "" removes it.
func (s *FileDeviceStore) SetDeviceToken(url, token string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	tokens, err := s.tokens()
	if err != nil || tokens[url] == token {
		return err
	}
	tokens[url] = token
	if token == "" {
		delete(tokens, url)
	}
	data, err := json.MarshalIndent(tokens, "", "  ")
	if err != nil {
		return err
	}
	tmp, err := s.temp(append(data, '\n'))
	if err != nil {
		return err
	}
	return os.Rename(tmp, filepath.Join(s.dir, "device-tokens.json"))
}

// device is the identity as it goes over the wire.
type device struct {
	ID        string `json:"id"`
	PublicKey string `json:"publicKey"`
	Signature string `json:"signature"`
	SignedAt  int64  `json:"signedAt"`
	Nonce     string `json:"nonce"`
}

// DisplayName is how AgentFlow is called at gateways.
const DisplayName = "AgentFlow"

const (
	clientID   = "gateway-client" // from the gateway's fixed list
	clientMode = "ui"
	clientRole = "operator"
)

// signDevice answers a challenge: it signs who asks for what with which token.
func signDevice(seed []byte, token string, scopes []string, ch challenge) device {
	key := ed25519.NewKeyFromSeed(seed)
	public := key.Public().(ed25519.PublicKey)
	sum := sha256.Sum256(public)
	d := device{
		ID: hex.EncodeToString(sum[:]), PublicKey: base64.RawURLEncoding.EncodeToString(public),
		SignedAt: ch.TS, Nonce: ch.Nonce,
	}
	text := strings.Join([]string{
		"v2", d.ID, clientID, clientMode, clientRole, strings.Join(scopes, ","),
		strconv.FormatInt(d.SignedAt, 10), token, d.Nonce,
	}, "|")
	d.Signature = base64.RawURLEncoding.EncodeToString(ed25519.Sign(key, []byte(text)))
	return d
}
