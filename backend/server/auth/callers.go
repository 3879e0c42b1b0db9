package auth

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/oklog/ulid/v2"

	"agentflow/backend/base/atomicfile"
	"agentflow/backend/base/errcode"
)

// MaxCallers is how many there can be.
const MaxCallers = 100

// seenEvery is how often it is written down that a caller has called.
const seenEvery = time.Hour

// Caller is somebody beside the owner who may call the hub, known by a token of their own.
type Caller struct {
	ID   string `json:"id" doc:"ID of the API token."`
	Name string `json:"name"`
	Role Role   `json:"role" enum:"reader,tasks,rooms"`
	Seat
	MadeAt time.Time `json:"madeAt" doc:"Creation time of the token."`
	SeenAt time.Time `json:"seenAt,omitzero" doc:"Time of the last request with the token."`
}

// Seat is where a caller of the role rooms can talk, and under which name.
type Seat struct {
	Rooms []string `json:"rooms,omitempty" doc:"Rooms that the token can access. Only for the role rooms."`
	As    string   `json:"as,omitempty" doc:"Name in the rooms. Only for the role rooms."`
}

// CheckSeat refuses a caller of the role rooms in other rooms than their own, or under another
// name; "" is no name. Everybody else talks where and as they like.
func CheckSeat(ctx context.Context, room, name string) error {
	who := visitOf(ctx).caller
	switch {
	case who.Role != Talker:
		return nil
	case !slices.Contains(who.Rooms, room):
		return errcode.New(errcode.Forbidden, "%s may not be in the room %s", who.Name, room)
	case name != "" && name != who.As:
		e := errcode.New(errcode.Forbidden, "%s talks as %s, not as %s. Use that name, or leave it out",
			who.Name, who.As, name)
		return e.With(errcode.KeyField, "sender").With("as", who.As)
	}
	return nil
}

// SeatName returns the name under which a caller talks who gave this one. The token of a caller of the role rooms has
// a name, which counts where none is given.
func SeatName(ctx context.Context, name string) string {
	if who := visitOf(ctx).caller; name == "" && who.Role == Talker {
		return who.As
	}
	return name
}

// kept is a caller as the file has them: of the token only its digest. A token is random and
// long, so that it cannot be found by trying.
type kept struct {
	Caller
	Digest string `json:"digest"`
}

// Callers keeps who they are, in a file. Methods may be called from anywhere.
type Callers struct {
	path string

	mu      sync.Mutex
	all     []kept
	serving map[*served]struct{}
}

// served is a caller's request that is being served.
type served struct {
	caller string
	leave  context.CancelCauseFunc
}

// OpenCallers reads the callers of the file, if it is there.
func OpenCallers(path string) (*Callers, error) {
	c := &Callers{path: path, serving: map[*served]struct{}{}}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &c.all)
	}
	if err != nil {
		return nil, errcode.Wrap(errcode.Validation, err,
			"%s cannot be read: it holds who may call the hub; put it aside to go on with the owner alone", path).
			With(errcode.KeyFile, path)
	}
	return c, nil
}

// List returns all, by name.
func (c *Callers) List() []Caller {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := make([]Caller, 0, len(c.all))
	for _, k := range c.all {
		out = append(out, k.Caller)
	}
	slices.SortFunc(out, func(a, b Caller) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Make adds a caller and returns their token, which is kept nowhere and cannot be had again.
func (c *Callers) Make(name string, role Role, seat Seat) (made Caller, token string, err error) {
	name = strings.TrimSpace(name)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.check("", name, role, seat); err != nil {
		return Caller{}, "", err
	}
	if len(c.all) >= MaxCallers {
		return Caller{}, "", errcode.New(errcode.Conflict,
			"there are %d callers already: remove one first", len(c.all)).
			With(errcode.KeyReason, "too_many")
	}
	token, k := newToken(Caller{ID: ulid.Make().String(), Name: name, Role: role, Seat: seat})
	return k.Caller, token, c.write(append(slices.Clone(c.all), k))
}

// Change gives a caller another name and role. What they are at ends if it is another role.
func (c *Callers) Change(id, name string, role Role, seat Seat) (Caller, error) {
	name = strings.TrimSpace(name)
	c.mu.Lock()
	defer c.mu.Unlock()
	i, err := c.at(id)
	if err == nil {
		err = c.check(id, name, role, seat)
	}
	if err != nil {
		return Caller{}, err
	}
	next, before := slices.Clone(c.all), c.all[i]
	next[i].Name, next[i].Role, next[i].Seat = name, role, seat
	if err := c.write(next); err != nil {
		return Caller{}, err
	}
	if role != before.Role || seat.As != before.As || !slices.Equal(seat.Rooms, before.Rooms) {
		c.endOf(id)
	}
	return next[i].Caller, nil
}

// Rotate gives a caller another token; the old one is refused from now on, and what was
// begun with it ends.
func (c *Callers) Rotate(id string) (changed Caller, token string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	i, err := c.at(id)
	if err != nil {
		return Caller{}, "", err
	}
	next := slices.Clone(c.all)
	token, next[i] = newToken(next[i].Caller)
	if err := c.write(next); err != nil {
		return Caller{}, "", err
	}
	c.endOf(id)
	return next[i].Caller, token, nil
}

// Revoke forgets a caller; their token is refused from now on, and what they are at ends.
func (c *Callers) Revoke(id string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	i, err := c.at(id)
	if err != nil {
		return err
	}
	if err := c.write(slices.Delete(slices.Clone(c.all), i, i+1)); err != nil {
		return err
	}
	c.endOf(id)
	return nil
}

func (c *Callers) check(id, name string, role Role, seat Seat) error {
	switch {
	case name == "" || utf8.RuneCountInString(name) > 100 || !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return errcode.New(errcode.Validation, "the name of an API token must have 1 to 100 characters").
			With(errcode.KeyField, "name")
	case role != Reader && role != Tasker && role != Talker:
		return errcode.New(errcode.Validation, "a caller's role is %s, %s or %s", Reader, Tasker, Talker).
			With(errcode.KeyField, "role")
	case role == Talker && (len(seat.Rooms) == 0 || seat.As == ""):
		return errcode.New(errcode.Validation,
			"the role %s needs at least one room, and the name that talks there", Talker).
			With(errcode.KeyField, "rooms").
			With(errcode.KeyReason, "no_seat")
	case role != Talker && (len(seat.Rooms) > 0 || seat.As != ""):
		return errcode.New(errcode.Validation, "only the role %s has rooms", Talker).With(errcode.KeyField, "rooms")
	case slices.ContainsFunc(c.all, func(k kept) bool { return k.Name == name && k.ID != id }):
		return errcode.New(errcode.Conflict, "an API token named %s already exists", name).
			With(errcode.KeyReason, "exists").
			With(errcode.KeyField, "name")
	}
	return c.checkAs(id, seat.As)
}

// checkAs refuses a name in the rooms that another token has: nobody could tell the two apart.
func (c *Callers) checkAs(id, as string) error {
	for _, k := range c.all {
		if as != "" && k.ID != id && strings.EqualFold(k.As, as) {
			return errcode.New(errcode.Conflict,
				"the API token %s already talks as %s. Choose another name", k.Name, k.As).
				With(errcode.KeyReason, "as_taken").With(errcode.KeyField, "as").With("as", k.As).With("name", k.Name)
		}
	}
	return nil
}

func newToken(who Caller) (string, kept) {
	token := rand.Text() + rand.Text()
	who.MadeAt, who.SeenAt = time.Now().UTC(), time.Time{}
	return token, kept{who, digest(token)}
}

func digest(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

func (c *Callers) at(id string) (int, error) {
	i := slices.IndexFunc(c.all, func(k kept) bool { return k.ID == id })
	if i < 0 {
		return i, errcode.New(errcode.NotFound, "there is no such caller any more")
	}
	return i, nil
}

func (c *Callers) write(next []kept) error {
	data, err := json.MarshalIndent(next, "", "  ")
	if err == nil {
		err = atomicfile.Write(c.path, data, 0o600)
	}
	if err != nil {
		return atomicfile.Full(errcode.Wrap(errcode.Unavailable, err,
			"%s cannot be written, so nothing was changed. %s", c.path, atomicfile.Remedy(err)))
	}
	c.all = next
	return nil
}

// endOf ends what is being served of a caller.
func (c *Callers) endOf(id string) {
	for s := range c.serving {
		if s.caller == id {
			s.leave(errcode.New(errcode.Unauthorized, "the token is not taken any more"))
		}
	}
}

// enter returns whose token it is, and a context of their request that ends with their right
// to it; done must be called. The time it takes does not tell how much of a token was right.
func (c *Callers) enter(ctx context.Context, token string) (who Caller, until context.Context, done func(), is bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	found := c.find(token)
	if found < 0 {
		return Caller{}, ctx, func() {}, false
	}
	c.seen(found, time.Now().UTC())
	until, leave := context.WithCancelCause(ctx)
	s := &served{c.all[found].ID, leave}
	c.serving[s] = struct{}{}
	return c.all[found].Caller, until, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.serving, s)
		leave(nil)
	}, true
}

// find returns the index of the caller with a token, or -1. The caller holds mu.
func (c *Callers) find(token string) int {
	given, found := digest(token), -1
	for i := range c.all {
		if subtle.ConstantTimeCompare([]byte(given), []byte(c.all[i].Digest)) == 1 {
			found = i
		}
	}
	return found
}

// roleOf returns the role of a token, or "". It isn't a use of the token.
func (c *Callers) roleOf(token string) Role {
	c.mu.Lock()
	defer c.mu.Unlock()
	if found := c.find(token); found >= 0 {
		return c.all[found].Role
	}
	return ""
}

// seen notes that a caller called, in the file only now and then.
func (c *Callers) seen(i int, now time.Time) {
	before := c.all[i].SeenAt
	c.all[i].SeenAt = now
	if now.Sub(before) >= seenEvery {
		_ = c.write(c.all) // the request is served all the same, and the next hour tells it again
	}
}
