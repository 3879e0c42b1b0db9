// Package dbfile is the database as a file: what its first bytes say, and one put in
// another's place a rename at a time.
package dbfile

import (
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/store/database"
)

// ApplicationID marks our databases, so that a foreign one is never written to;
// SchemaVersion, the number of the newest migration, tells whether a newer program has already changed one.
const (
	ApplicationID = 0x41464c57 // "AFLW"
	// 2: rooms, 3: teams, 4: sessions of tasks, 5: canceled tasks, 6: goals, 7: canceled plans
	SchemaVersion = 11
	Name          = "agentflow.db"
	// BackupPattern names the copies that are being sent.
	BackupPattern = "backup-*.db"
)

// A database on its way to be restored: first handed in and checked, then decided on.
// The second name is the decision; whatever happens after it, Open carries it out.
const (
	stagedName  = "restore-checked.db"
	decidedName = "restore.db"
	asidePrefix = "agentflow-before-restore-"
)

// Step lets a test end the process between any two steps.
var Step = func(string) {}

// Staged is where a backup is taken in.
func Staged(dir string) string { return filepath.Join(dir, stagedName) }

// DropStaged forgets what was taken in.
func DropStaged(dir string) {
	for _, end := range []string{"", "-wal", "-shm", "-journal"} {
		_ = os.Remove(Staged(dir) + end)
	}
}

// Inspect looks at the file before SQLite does, which would turn an empty file into a
// new database, and another program's into one with a write-ahead log.
func Inspect(path string) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return unusable(path, err, "the database %s cannot be read: check its permissions", path)
	}
	defer func() { _ = f.Close() }()
	head := make([]byte, 100)
	n, err := io.ReadFull(f, head)
	if n == 0 {
		return unusable(path, nil,
			"the database %s has been emptied: put a backup in its place, or delete the file to start anew", path)
	}
	if err != nil || string(head[:16]) != "SQLite format 3\x00" {
		return unusable(path, nil, "%s is not a database, or is damaged; it was left as it is: put a backup in its place, or move it away to start anew", path)
	}
	// Offsets of SQLite's file format: 40 schema cookie, 60 user version, 68 application
	// id. A database whose schema cookie is 0 never held a table.
	cookie, version, id := binary.BigEndian.Uint32(head[40:]), binary.BigEndian.Uint32(head[60:]), binary.BigEndian.Uint32(head[68:])
	if cookie != 0 && id != ApplicationID {
		return unusable(path, nil,
			"%s belongs to another program and was left as it is: choose another folder with --data", path)
	}
	if version > SchemaVersion {
		return unusable(path, nil,
			"%s was written by a newer AgentFlow (schema %d, this one knows %d): use the newer program", path, version,
			SchemaVersion)
	}
	return nil
}

// Protect closes a database, its logs and the databases kept from before restores to the other
// users of this computer, whatever the umask was. SQLite gives new logs the mode of the database.
func Protect(path string) error {
	kept, err := filepath.Glob(filepath.Join(filepath.Dir(path), asidePrefix+"*"))
	if err != nil {
		return err
	}
	for _, name := range append(kept, path, path+"-wal", path+"-shm", path+"-journal") {
		info, err := os.Stat(name)
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			err = os.Chmod(name, 0o600)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return unusable(name, err, "%s can be read by other users: make it yours with chmod 600", name)
		}
	}
	return nil
}

// Receive writes what is handed in, and returns how much it was.
func Receive(path string, from io.Reader) (int64, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return 0, unusable(path, err, "the backup cannot be kept in %s: check its permissions", filepath.Dir(path))
	}
	n, err := io.Copy(f, from)
	if err = errors.Join(err, f.Close()); err == nil {
		return n, nil
	}
	if errors.Is(err, syscall.ENOSPC) {
		return n, unusable(
			path,
			err,
			"the disk is full: free some space and hand the backup in again; nothing was changed",
		).With(errcode.KeyReason, errcode.ReasonDiskFull)
	}
	if e, ok := errors.AsType[*errcode.Error](err); ok {
		return n, e
	}
	return n, errcode.Wrap(errcode.Validation, err,
		"the backup did not arrive whole; nothing was changed: hand it in again")
}

// InspectBackup looks at a file before SQLite does, as Inspect does at the present one.
func InspectBackup(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return unusable(path, err, "the backup cannot be read")
	}
	defer func() { _ = f.Close() }()
	head := make([]byte, 100)
	if _, err := io.ReadFull(f, head); err != nil || string(head[:16]) != "SQLite format 3\x00" {
		return refused(database.ReasonNoDatabase,
			"this file is not a backup of AgentFlow: choose one that was saved here")
	}
	if binary.BigEndian.Uint32(head[68:]) != ApplicationID {
		return refused(database.ReasonForeign,
			"this database belongs to another program: choose a backup that was saved by AgentFlow")
	}
	if v := binary.BigEndian.Uint32(head[60:]); v > SchemaVersion {
		return refused(database.ReasonNewer, "this backup was saved by a newer AgentFlow (schema %d, this one knows %d): update AgentFlow, then restore it", v, SchemaVersion)
	}
	return nil
}

func refused(reason, format string, args ...any) *errcode.Error {
	return errcode.New(errcode.Validation, format, args...).With(errcode.KeyReason, reason)
}

// Decide makes what is staged the one that Take will put in the database's place, and
// returns the name under which the present one will be kept.
func Decide(dir string, now time.Time) (aside string, err error) {
	staged := Staged(dir)
	if !exists(staged) {
		return "", errcode.New(errcode.Conflict, "there is no checked backup to restore: hand one in first").
			With(errcode.KeyReason, "nothing_staged")
	}
	now = now.Truncate(time.Second) // every file system can keep that
	for exists(filepath.Join(dir, asideName(now))) {
		now = now.Add(time.Second)
	}
	err = os.Chtimes(staged, now, now)
	if err == nil {
		err = syncFile(staged)
	}
	Step("staged")
	if err == nil {
		err = os.Rename(staged, filepath.Join(dir, decidedName))
	}
	syncFolder(dir)
	Step("decided")
	if err != nil {
		return "", unusable(staged, err, "the backup cannot be put into %s; nothing was changed: check its permissions",
			dir)
	}
	return asideName(now), nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

func asideName(decided time.Time) string {
	return asidePrefix + decided.UTC().Format("20060102-150405") + ".db"
}

// Take puts a backup that was decided on in the database's place, and keeps the
// one before under its own name. Each step is one rename and may be the last before a
// power cut: the next call continues from there.
func Take(dir string) error {
	decided, present := filepath.Join(dir, decidedName), filepath.Join(dir, Name)
	info, err := os.Stat(decided)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = setAside(present, filepath.Join(dir, asideName(info.ModTime())))
	}
	if err == nil {
		err = os.Rename(decided, present)
	}
	syncFolder(dir)
	Step("taken")
	if err != nil {
		return unusable(decided, err,
			"the backup %s cannot be put in place of %s: check the folder's permissions and start again", decided,
			present)
	}
	return nil
}

// setAside moves a database with its write-ahead log, which has the latest writes:
// the log first, so that it is never beside another database.
func setAside(present, aside string) error {
	for _, end := range []string{"-wal", ""} {
		err := os.Rename(present+end, aside+end)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		Step("aside" + end)
	}
	if err := os.Remove(present + "-shm"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	syncFolder(filepath.Dir(present))
	return nil
}

// syncFile waits until a file is on the disk, syncFolder until the names in a folder are,
// which not every system can tell.
func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

func syncFolder(dir string) {
	if f, err := os.Open(dir); err == nil {
		_ = f.Sync()
		_ = f.Close()
	}
}

// DropLeftovers removes what a hub that was killed left half done.
func DropLeftovers(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if ok, _ := filepath.Match(BackupPattern, e.Name()); ok || strings.HasPrefix(e.Name(), stagedName) {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

func unusable(path string, cause error, format string, args ...any) *errcode.Error {
	return errcode.Wrap(errcode.Unavailable, cause, format, args...).With(errcode.KeyFile, path)
}
