// Package atomicfile writes files whole or not at all.
package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"agentflow/backend/base/errcode"
)

// Write replaces the file's content in one step: a reader sees the old content or the
// new one. An existing file keeps its mode, and a symbolic link stays one. On any
// error the old file is as it was.
func Write(path string, data []byte, mode fs.FileMode) error {
	if err := replace(path, data, mode); err != nil {
		return Full(
			errcode.Wrap(errcode.Unavailable, err, "%s cannot be written: %s", path, Remedy(err)).
				With(errcode.KeyFile, path),
		)
	}
	return nil
}

// Full tells an error apart whose cause is that the disk, a quota or a limit of file sizes is full.
func Full(e *errcode.Error) error {
	if noSpace(e) || errors.Is(e, syscall.EFBIG) {
		return e.With(errcode.KeyReason, errcode.ReasonDiskFull)
	}
	return e
}

func noSpace(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }

// Remedy says what a person can do about an error of the file system.
func Remedy(err error) string {
	switch {
	case noSpace(err):
		return "the disk is full. Free some space and try again. The file didn't change"
	case errors.Is(err, syscall.EFBIG):
		return "a limit of file sizes is reached. Raise it and try again. The file didn't change"
	case errors.Is(err, fs.ErrPermission):
		return "no permission for the file or its folder. The file didn't change"
	case errors.Is(err, syscall.EROFS):
		return "the file system is read-only. Use -o to choose another file"
	case errors.Is(err, fs.ErrNotExist):
		return "its folder doesn't exist. Create it first"
	}
	return "the file didn't change"
}

func replace(path string, data []byte, mode fs.FileMode) (err error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	if info, err := os.Stat(path); err == nil {
		if !info.Mode().IsRegular() {
			return writeThrough(path, data)
		}
		if err := writable(path); err != nil {
			return err
		}
		mode = info.Mode().Perm()
	}
	dir := filepath.Dir(path)
	tmp, err := os.CreateTemp(dir, "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(tmp.Name())
		}
	}()
	if err := fill(tmp, data, mode); err != nil {
		return err
	}
	if err := os.Rename(tmp.Name(), path); err != nil {
		return err
	}
	if d, err := os.Open(dir); err == nil { // the new name survives a power cut only once its folder is on the disk
		_ = d.Sync()
		_ = d.Close()
	}
	return nil
}

// writable refuses a file that is write-protected, which a rename would not notice.
func writable(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// writeThrough serves what is no file, such as /dev/stdout or a pipe.
func writeThrough(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

func fill(f *os.File, data []byte, mode fs.FileMode) error {
	_, err := f.Write(data)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}
