package atomicfile

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

const nobody = 65534

// asOwnerOnly runs f as the owner of the folder and its files. Tests in containers run as
// the superuser, who can write what is protected.
func asOwnerOnly(t *testing.T, dir string, f func() error) error {
	t.Helper()
	if os.Geteuid() != 0 {
		return f()
	}
	entries, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(entries, dir) {
		if err := os.Chown(path, nobody, nobody); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Dir(dir), 0o711); err != nil { // which has to be passed
		t.Fatal(err)
	}
	got := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // without an unlock: the thread ends with the goroutine
		if err := syscall.Setfsuid(nobody); err != nil {
			got <- err
			return
		}
		got <- f()
	}()
	return <-got
}
