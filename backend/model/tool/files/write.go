package files

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"unicode/utf8"

	"agentflow/backend/base/errcode"
	"agentflow/backend/model/tool"
)

// excerpt returns a piece of a file as text, and states how much follows.
func excerpt(path string, data []byte, offset, size int64) (string, error) {
	more := size - offset - int64(len(data))
	if more > 0 { // a character may be cut
		for i := 1; i <= min(utf8.UTFMax, len(data)); i++ {
			if tail := data[len(data)-i:]; utf8.RuneStart(tail[0]) {
				if !utf8.FullRune(tail) {
					data = data[:len(data)-i]
				}
				break
			}
		}
	}
	if bytes.ContainsRune(data, 0) || offset == 0 && !utf8.Valid(data) {
		return "", errcode.New(errcode.Validation, "%s is not a text: it has %d bytes", path, size)
	}
	if more = size - offset - int64(len(data)); more > 0 {
		return fmt.Sprintf("%s\n[… %d more bytes: go on with offset %d]", data, more, offset+int64(len(data))), nil
	}
	return string(data), nil
}

type writeArgs struct {
	Path    string `json:"path"`
	Content string `json:"content"`
	Append  bool   `json:"append,omitzero"`
}

// effect returns what a write would do to the file as it is now.
func (f *Folders) effect(arguments json.RawMessage) *tool.FileEffect {
	var a writeArgs
	if json.Unmarshal(arguments, &a) != nil { // Read has decoded them strictly
		return nil
	}
	p, name, err := f.locate(a.Path)
	if err != nil {
		return nil
	}
	if p.root == nil { // the workspace isn't there yet
		return &tool.FileEffect{Op: tool.Creates}
	}
	switch info, err := p.root.Stat(name); {
	case errors.Is(err, fs.ErrNotExist):
		return &tool.FileEffect{Op: tool.Creates}
	case err != nil || !info.Mode().IsRegular():
		return nil
	case a.Append:
		return &tool.FileEffect{Op: tool.Extends, Size: info.Size()}
	default:
		return &tool.FileEffect{Op: tool.Replaces, Size: info.Size()}
	}
}

// write replaces a file atomically, so that no reader sees half of it.
func (f *Folders) write(_ context.Context, a writeArgs) (string, error) {
	if len(a.Content) > maxWrite {
		return "", errcode.New(errcode.Validation, "the content is longer than %d bytes", maxWrite)
	}
	p, name, err := f.find(a.Path)
	if err != nil {
		return "", err
	}
	mode := fs.FileMode(0o644)
	switch info, err := p.root.Stat(name); {
	case err == nil && !info.Mode().IsRegular():
		return "", errcode.New(errcode.Validation, "%s is not a plain file", a.Path)
	case err == nil:
		mode = info.Mode().Perm()
	case !errors.Is(err, fs.ErrNotExist):
		return "", f.refused(a.Path, err)
	}
	if err := p.root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return "", f.refused(a.Path, err)
	}
	if a.Append {
		err = addTo(p.root, name, a.Content, mode)
	} else {
		err = replace(p.root, name, a.Content, mode)
	}
	if err != nil {
		return "", f.refused(a.Path, err)
	}
	return fmt.Sprintf("wrote %d bytes to %s", len(a.Content), filepath.Join(p.path, name)), nil
}

func addTo(root *os.Root, name, content string, mode fs.FileMode) error {
	file, err := root.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE|nonblock, mode)
	if err != nil {
		return err
	}
	_, err = file.WriteString(content)
	return errors.Join(err, file.Close())
}

func replace(root *os.Root, name, content string, mode fs.FileMode) error {
	beside := filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+"."+rand.Text()[:8])
	if len(filepath.Base(beside)) > 255 {
		beside = filepath.Join(filepath.Dir(name), "."+rand.Text()[:16])
	}
	file, err := root.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = file.WriteString(content)
	if err = errors.Join(err, file.Close()); err == nil {
		err = root.Rename(beside, name)
	}
	if err != nil {
		_ = root.Remove(beside) // the error is already reported
	}
	return err
}
