package dialect

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// GW-10: the signature is byte for byte what real gateways of both generations accept.
func TestGW10_DeviceSignatureVector(t *testing.T) {
	seed := make([]byte, 32)
	for i := range seed {
		seed[i] = byte(i)
	}
	got := signDevice(seed, "example-token", askedScopes,
		challenge{Nonce: "11111111-2222-4333-8444-555555555555", TS: 1700000000000})
	want := device{
		ID:        "56475aa75463474c0285df5dbf2bcab73da651358839e9b77481b2eab107708c",
		PublicKey: "A6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg",
		Signature: "T14aqqHN4YRcSvR1o7pOL31vaWEAOZWRNZMk6WMEppEp52BgULczUMxPc0XtNK-vV59ngAWt3ZhCyzHMuVLjDg",
		SignedAt:  1700000000000, Nonce: "11111111-2222-4333-8444-555555555555",
	}
	if got != want {
		t.Fatalf("got  %+v\nwant %+v", got, want)
	}
}

func TestFileDeviceStore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	seeds := make([]string, 8)
	var wg sync.WaitGroup
	for i := range seeds { // like separate processes, each with its own store
		wg.Go(func() {
			seed, err := NewFileDeviceStore(dir).Seed()
			if err != nil {
				t.Error(err)
			}
			seeds[i] = string(seed)
		})
	}
	wg.Wait()
	for _, seed := range seeds {
		if seed != seeds[0] || len(seed) != 32 {
			t.Fatal("two identities came of one folder")
		}
	}
	s := NewFileDeviceStore(dir)
	for url, token := range map[string]string{"ws://a:1/": "A", "ws://b:1/": "B"} {
		if err := s.SetDeviceToken(url, token); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.SetDeviceToken("ws://a:1/", ""); err != nil {
		t.Fatal(err)
	}
	a, _ := s.DeviceToken("ws://a:1/")
	b, _ := NewFileDeviceStore(dir).DeviceToken("ws://b:1/")
	if a != "" || b != "B" {
		t.Fatalf("tokens %q %q", a, b)
	}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if info, err := e.Info(); err != nil || info.Mode().Perm() != 0o600 || strings.HasPrefix(e.Name(), ".") {
			t.Errorf("%s has mode %v, %v", e.Name(), info.Mode(), err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "device.key"), []byte("not a key"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Seed(); err == nil || !strings.Contains(err.Error(), "device.key") {
		t.Fatalf("a broken key file gave %v", err)
	}
}
