package snapshotstore

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/openclaw"
)

func snap(hash string) openclaw.Snapshot {
	return openclaw.Snapshot{Hash: hash, Config: []byte(`{"agents":{}}`)}
}

// GW-3, APP-3: a base is found by the gateway's address and its hash, both.
func TestAPP3_BasesByAddressAndHash(t *testing.T) {
	dir := t.TempDir()
	s := NewStore(dir)
	if err := s.PutBase("ws://a/", snap("h1")); err != nil {
		t.Fatal(err)
	}
	got, ok, err := s.Base("ws://a/", "h1")
	if err != nil || !ok || got.Hash != "h1" || string(got.Config) != `{"agents":{}}` {
		t.Fatalf("%+v %v %v", got, ok, err)
	}
	for _, other := range [][2]string{{"ws://b/", "h1"}, {"ws://a/", "h2"}} {
		if _, ok, err := s.Base(other[0], other[1]); ok || err != nil {
			t.Fatalf("%v: %v %v", other, ok, err)
		}
	}
	if runtime.GOOS != "windows" {
		info, err := os.Stat(s.basePath("ws://a/", "h1"))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Fatalf("mode %v, %v", info.Mode(), err)
		}
	}
	if err := os.WriteFile(s.basePath("ws://a/", "h1"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Base("ws://a/", "h1"); !errcode.Is(err, errcode.Validation) {
		t.Fatalf("a damaged file gave %v", err)
	}
}

func TestVersionsAreNewestFirstAndBounded(t *testing.T) {
	s := NewStore(t.TempDir())
	at := time.Date(2026, 8, 24, 10, 0, 0, 0, time.UTC)
	s.now = func() time.Time { at = at.Add(time.Second); return at }
	for i := range maxVersions + 5 {
		if _, err := s.PutVersion("ws://a/", snap(strings.Repeat("x", i+1)), "note"); err != nil {
			t.Fatal(err)
		}
	}
	last, err := s.PutVersion("ws://a/", snap("last"), "the last")
	if err != nil {
		t.Fatal(err)
	}
	list, err := s.Versions("ws://a/")
	if err != nil || len(list) != maxVersions || list[0] != last || list[0].Note != "the last" {
		t.Fatalf("%d versions, first %+v, want %+v, %v", len(list), list[0], last, err)
	}
	got, err := s.Version("ws://a/", last.ID)
	if err != nil || got.Hash != "last" {
		t.Fatalf("%+v, %v", got, err)
	}
	if _, err := s.Version("ws://a/", "../../secrets"); !errcode.Is(err, errcode.NotFound) {
		t.Fatalf("got %v", err)
	}
	if other, err := s.Versions("ws://b/"); err != nil || len(other) != 0 {
		t.Fatalf("another gateway has %v, %v", other, err)
	}
}

func TestBasesAreBounded(t *testing.T) {
	s := NewStore(t.TempDir())
	for i := range maxBases + 3 {
		if err := s.PutBase("ws://a/", snap(strings.Repeat("x", i+1))); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(filepath.Join(s.dir, "bases"))
	if err != nil || len(entries) != maxBases {
		t.Fatalf("%d bases, %v", len(entries), err)
	}
}
