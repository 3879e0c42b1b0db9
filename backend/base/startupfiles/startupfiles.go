// Package startupfiles keeps the files that the program was started with until a page takes
// them: whichever page asks first shows the file to the person.
package startupfiles

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/event"
)

const (
	// MaxBytes keeps a wrong choice (a film, say) from filling the memory.
	MaxBytes = 20 << 20
	most     = 16 // files that wait
)

// File is a file as the person gave it: a text, or the bytes of a bundle.
type File struct {
	Name string `json:"name" doc:"Name of the file."`
	Text string `json:"text,omitempty" doc:"Text of the file. Default: empty."`
	Data []byte `json:"data,omitempty" doc:"Bytes of a bundle, as base64. Default: none."`
}

// Read reads a team file, a config or a bundle. What it holds is not looked at.
func Read(path string) (File, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return File{}, errcode.New(errcode.NotFound, "%s cannot be read: %s", path, "there is no such file").
			With(errcode.KeyFile, path)
	}
	if err == nil && (!info.Mode().IsRegular() || info.Size() > MaxBytes) {
		return File{}, errcode.New(errcode.Validation,
			"%s isn't a team file: it is larger than %d MiB or not a regular file", path, MaxBytes>>20).
			With(errcode.KeyFile, path)
	}
	var data []byte
	if err == nil {
		data, err = os.ReadFile(path)
	}
	if err != nil {
		return File{}, errcode.Wrap(errcode.Validation, err, "%s cannot be read", path).With(errcode.KeyFile, path)
	}
	if bytes.HasPrefix(data, []byte("PK")) {
		return File{Name: filepath.Base(path), Data: data}, nil
	}
	return File{Name: filepath.Base(path), Text: string(data)}, nil
}

// Pending holds the files that wait, oldest first. The zero value is ready to use.
type Pending struct {
	mu      sync.Mutex
	files   []File
	changed event.Topic[struct{}]
}

// Put adds a file. A tray that is full refuses it: nobody looks.
func (t *Pending) Put(f File) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.files) == most {
		return errcode.New(errcode.Conflict, "%d files already wait to be opened. Open the page first", most)
	}
	t.files = append(t.files, f)
	t.changed.Publish(struct{}{})
	return nil
}

// Take removes the oldest file; nil if none waits.
func (t *Pending) Take() *File {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.files) == 0 {
		return nil
	}
	f := t.files[0]
	t.files = t.files[1:]
	return &f
}

// Waiting counts the files.
func (t *Pending) Waiting() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.files)
}

// Subscribe tells of each file that comes.
func (t *Pending) Subscribe(buffer int) *event.Subscription[struct{}] {
	return t.changed.Subscribe(buffer)
}
