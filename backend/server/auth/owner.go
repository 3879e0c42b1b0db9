package auth

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"sync"
	"time"

	"agentflow/backend/base/errcode"
)

// minToken is how long a token of one's own must be where guessing has no other brake.
const minToken = 32

// auth knows the owner's token and the one-time links.
type auth struct {
	mu    sync.Mutex
	token string
	codes map[string]time.Time
}

func newAuth(token string) *auth { return &auth{token: token, codes: map[string]time.Time{}} }

func (a *auth) newCode() string {
	raw := make([]byte, 18)
	_, _ = rand.Read(raw)
	code := base64.RawURLEncoding.EncodeToString(raw)
	a.mu.Lock()
	defer a.mu.Unlock()
	for c, until := range a.codes {
		if time.Now().After(until) || len(a.codes) >= codesAtMost {
			delete(a.codes, c)
		}
	}
	a.codes[code] = time.Now().Add(codeLife)
	return code
}

func (a *auth) takeCode(code string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	until, ok := a.codes[code]
	delete(a.codes, code)
	return ok && time.Now().Before(until)
}

func (a *auth) validToken(token string) bool {
	a.mu.Lock()
	own := a.token
	a.mu.Unlock()
	given, want := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(own))
	return token != "" && subtle.ConstantTimeCompare(given[:], want[:]) == 1
}

// weak reports whether the owner's token is so short that it could be found by trying.
func (a *auth) weak() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.token) < minToken
}

// CheckToken refuses a token of the owner's own that is too short for a hub that other computers
// can reach.
func CheckToken(token string) error {
	if len(token) >= minToken {
		return nil
	}
	return errcode.New(errcode.Validation, "the owner's token has %d bytes, and a hub that other computers can reach needs at least %d. Set AGENTFLOW_TOKEN to a longer one, as from: openssl rand -base64 32", len(token), minToken).
		With(errcode.KeyReason, "weak_token")
}

// RotateToken lets the owner in by another token from now on. All logins end, and so does what the
// owner has open, by the old token too.
func (c *Control) RotateToken(token string) error {
	c.auth.mu.Lock()
	c.auth.token = token
	clear(c.codes)
	c.auth.mu.Unlock()
	err := c.Logins.EndAll("")
	c.networks.serving.Range(func(key, _ any) bool {
		if v := key.(*visit); v.owner.Load() {
			v.leave(errcode.New(errcode.Unauthorized, "the owner's token was changed"))
		}
		return true
	})
	return err
}
