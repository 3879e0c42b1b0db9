// Package snapshotstore keeps what the command line needs again later: the configs that teams were
// read from, and those from before each apply.
package snapshotstore

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"agentflow/backend/base/atomicfile"
	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/openclaw"
)

const (
	maxBases    = 200
	maxVersions = 100 // of one gateway
	folderMode  = 0o700
	fileMode    = 0o600 // a config may hold what its gateway does not mask
)

// Store keeps configs below one data folder, in files that only their owner can read.
type Store struct {
	dir string
	now func() time.Time
}

// NewStore returns the store of a data folder.
func NewStore(dataDir string) *Store { return &Store{dir: dataDir, now: time.Now} }

// Version is one config as it was before an apply.
type Version struct {
	ID   string    `json:"id"`
	At   time.Time `json:"at"`
	Hash string    `json:"baseHash"`
	Note string    `json:"note,omitempty"` // of the apply that came after it

	After string `json:"-"` // hash that the apply left, "" if that isn't known
}

// kept is the content of a file.
type kept struct {
	Gateway  string            `json:"gateway"`
	At       time.Time         `json:"at"`
	Note     string            `json:"note,omitempty"`
	After    string            `json:"after,omitempty"`
	Snapshot openclaw.Snapshot `json:"snapshot"`
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func (s *Store) basePath(gateway, hash string) string {
	return filepath.Join(s.dir, "bases", digest(gateway+"\n"+hash)+".json")
}

// PutBase keeps a config that a team was read from. The newest 200 stay.
func (s *Store) PutBase(gateway string, snap openclaw.Snapshot) error {
	path := s.basePath(gateway, snap.Hash)
	if err := s.write(path, kept{Gateway: gateway, At: s.now(), Snapshot: snap}); err != nil {
		return err
	}
	return prune(filepath.Dir(path), maxBases, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
}

// Base returns the config with the hash as it was read from the gateway, and whether it
// has been kept.
func (s *Store) Base(gateway, hash string) (openclaw.Snapshot, bool, error) {
	k, err := read(s.basePath(gateway, hash))
	if errors.Is(err, fs.ErrNotExist) {
		return openclaw.Snapshot{}, false, nil
	}
	return k.Snapshot, err == nil, err
}

var unsafeName = regexp.MustCompile(`[^A-Za-z0-9.-]+`)

// versionsDir is readable and yet different for every address.
func (s *Store) versionsDir(gateway string) string {
	name := gateway
	if u, err := url.Parse(gateway); err == nil {
		name = u.Host + u.Path
	}
	name = strings.Trim(unsafeName.ReplaceAllString(name, "-"), "-.")
	return filepath.Join(s.dir, "snapshots", name[:min(len(name), 60)]+"-"+digest(gateway)[:12])
}

// PutVersion keeps a config that is about to be replaced. The newest 100 of a gateway stay.
func (s *Store) PutVersion(gateway string, snap openclaw.Snapshot, note string) (Version, error) {
	at := s.now().UTC()
	v := Version{
		ID:   at.Format("20060102T150405.000Z") + "-" + digest(snap.Hash)[:6],
		At:   at,
		Hash: snap.Hash,
		Note: note,
	}
	dir := s.versionsDir(gateway)
	if err := s.write(filepath.Join(dir, v.ID+".json"), kept{Gateway: gateway, At: at, Note: note, Snapshot: snap}); err != nil {
		return Version{}, err
	}
	return v, prune(dir, maxVersions, func(a, b fs.FileInfo) int { return cmp.Compare(b.Name(), a.Name()) })
}

// Applied records the hash that the change after a version left.
func (s *Store) Applied(gateway, id, hash string) error {
	path := filepath.Join(s.versionsDir(gateway), filepath.Base(id)+".json")
	k, err := read(path)
	if err != nil {
		return errcode.Wrap(errcode.Internal, err, "couldn't save a snapshot")
	}
	k.After = hash
	return s.write(path, k)
}

// Versions lists the kept configs of a gateway, newest first. What is damaged is left out.
func (s *Store) Versions(gateway string) ([]Version, error) {
	dir := s.versionsDir(gateway)
	names, err := list(dir)
	if err != nil {
		return nil, err
	}
	versions := []Version{}
	for _, info := range names {
		k, err := read(filepath.Join(dir, info.Name()))
		if err != nil {
			continue
		}
		id := strings.TrimSuffix(info.Name(), ".json")
		versions = append(versions, Version{ID: id, At: k.At, Hash: k.Snapshot.Hash, Note: k.Note, After: k.After})
	}
	slices.SortFunc(versions, func(a, b Version) int { return cmp.Compare(b.ID, a.ID) })
	return versions, nil
}

// Version returns the config of a version that Versions lists.
func (s *Store) Version(gateway, id string) (openclaw.Snapshot, error) {
	k, err := read(filepath.Join(s.versionsDir(gateway), filepath.Base(id)+".json"))
	if errors.Is(err, fs.ErrNotExist) {
		return openclaw.Snapshot{}, errcode.New(errcode.NotFound, "no snapshot %q of %s", id, gateway)
	}
	return k.Snapshot, err
}

func (s *Store) write(path string, k kept) error {
	data, err := json.Marshal(k)
	if err != nil {
		return errcode.Wrap(errcode.Internal, err, "couldn't save a snapshot")
	}
	if err := os.MkdirAll(filepath.Dir(path), folderMode); err != nil {
		return errcode.Wrap(errcode.Unavailable, err, "%s cannot be made: %s", filepath.Dir(path),
			atomicfile.Remedy(err))
	}
	return atomicfile.Write(path, data, fileMode)
}

func read(path string) (kept, error) {
	var k kept
	data, err := os.ReadFile(path)
	if err != nil {
		return k, err
	}
	if err := json.Unmarshal(data, &k); err != nil {
		return k, errcode.Wrap(errcode.Validation, err, "%s is damaged. Delete it and read the gateway again", path).
			With(errcode.KeyFile, path)
	}
	return k, nil
}

func list(dir string) ([]fs.FileInfo, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, errcode.Wrap(errcode.Unavailable, err, "%s cannot be read", dir)
	}
	var files []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && strings.HasSuffix(e.Name(), ".json") {
			files = append(files, info)
		}
	}
	return files, nil
}

// prune removes all but the first so many files.
func prune(dir string, keep int, order func(a, b fs.FileInfo) int) error {
	files, err := list(dir)
	if err != nil {
		return err
	}
	slices.SortFunc(files, order)
	for _, f := range files[min(keep, len(files)):] {
		if err := os.Remove(filepath.Join(dir, f.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return errcode.Wrap(errcode.Unavailable, err, "couldn't delete an old file in %s", dir)
		}
	}
	return nil
}
