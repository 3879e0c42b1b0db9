// Package readstate stores the person's position in each conversation: what they have read,
// and the message they have begun to write. It tells all windows what was read in one of
// them, and where new messages are. The code that shows conversations names them.
package readstate

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"agentflow/backend/base/atomicfile"
	"agentflow/backend/base/errcode"
)

// The bounds of what is kept.
const (
	MaxPlaces = 1000
	MaxDraft  = 65536 // characters
	maxName   = 1200  // bytes of a conversation's name
	maxRead   = 64    // bytes
)

// Place is where the person is in a conversation.
type Place struct {
	Conversation string    `json:"conversation" doc:"Room or session: room:NAME or session:GATEWAY:KEY."`
	Read         string    `json:"read,omitempty" doc:"ID of the newest message that was read."`
	Draft        string    `json:"draft,omitempty" doc:"Text that was typed but not sent."`
	At           time.Time `json:"at"`
}

// Change changes a place; what is nil stays.
type Change struct {
	Conversation string
	Read         *string
	Draft        *string
}

// Store keeps the places in one file. Its methods may be called from anywhere.
type Store struct {
	path string
	now  func() time.Time

	mu     sync.Mutex
	places map[string]Place
	views  map[*View]struct{}
}

// Open reads the places of the file, if it is there.
func Open(path string) (*Store, error) {
	d := &Store{path: path, now: time.Now, places: map[string]Place{}, views: map[*View]struct{}{}}
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return d, nil
	}
	var kept []Place
	if err == nil {
		err = json.Unmarshal(raw, &kept)
	}
	if err != nil {
		return nil, errcode.Wrap(errcode.Internal, err,
			"%s cannot be read: it holds drafts and what was read in rooms and sessions; put it aside to go on without",
			path)
	}
	for _, p := range kept {
		d.places[p.Conversation] = p
	}
	return d, nil
}

// Places returns all places, the latest first.
func (d *Store) Places() []Place {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.sorted()
}

func (d *Store) sorted() []Place {
	list := make([]Place, 0, len(d.places))
	for _, p := range d.places {
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b Place) int {
		if n := b.At.Compare(a.At); n != 0 {
			return n
		}
		return strings.Compare(a.Conversation, b.Conversation)
	})
	return list
}

func (c Change) check() error {
	field := func(name, why string) error {
		return errcode.New(errcode.Validation, "%s %s", name, why).With(errcode.KeyField, name)
	}
	switch {
	case c.Conversation == "" || len(c.Conversation) > maxName || !utf8.ValidString(c.Conversation):
		return field("conversation", fmt.Sprintf("must have 1 to %d bytes of valid text", maxName))
	case c.Read != nil && len(*c.Read) > maxRead:
		return field("read", fmt.Sprintf("has at most %d bytes", maxRead))
	case c.Draft != nil && utf8.RuneCountInString(*c.Draft) > MaxDraft:
		return field("draft", fmt.Sprintf("has at most %d characters", MaxDraft))
	}
	return nil
}

// Put changes a place and keeps it durably. Of too many places the oldest go.
func (d *Store) Put(c Change) error {
	if err := c.check(); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	before, had := d.places[c.Conversation]
	p := before
	p.Conversation, p.At = c.Conversation, d.now().UTC()
	if c.Read != nil {
		p.Read = *c.Read
	}
	if c.Draft != nil {
		p.Draft = *c.Draft
	}
	d.places[c.Conversation] = p
	if p.Read == "" && p.Draft == "" {
		delete(d.places, c.Conversation)
	}
	list := d.sorted()
	raw, err := json.Marshal(list[:min(len(list), MaxPlaces)])
	if err == nil {
		err = atomicfile.Write(d.path, raw, 0o600)
	}
	if err != nil {
		if delete(d.places, c.Conversation); had {
			d.places[c.Conversation] = before
		}
		return atomicfile.Full(errcode.Wrap(errcode.Unavailable, err,
			"%s cannot be written, so drafts and what was read are not kept. %s", d.path, atomicfile.Remedy(err)))
	}
	for _, gone := range list[min(len(list), MaxPlaces):] {
		delete(d.places, gone.Conversation)
	}
	for v := range d.views {
		if c.Read != nil {
			v.read[c.Conversation] = true
			v.tell()
		}
	}
	return nil
}
