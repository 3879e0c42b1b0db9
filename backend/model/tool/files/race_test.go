package files

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// A folder that is swapped with a link to the outside during use gives no access: the checked file is the one that is
// opened.
func TestFaultAFolderThatBecomesALink(t *testing.T) {
	b := newBox(t)
	inside, link, at := filepath.Join(b.one, "real"), filepath.Join(b.one, "link"), filepath.Join(b.one, "at")
	b.put(filepath.Join(inside, "secret.txt"), "mine")
	if err := os.Symlink(filepath.Dir(b.outside), link); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	var turns sync.WaitGroup
	turns.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			_ = os.RemoveAll(at) // a write may have created it
			_ = os.Rename(inside, at)
			_ = os.Rename(at, inside)
			_ = os.RemoveAll(at)
			_ = os.Rename(link, at)
			_ = os.Rename(at, link)
		}
	})
	read := 0
	for range 300 {
		for name, args := range map[string]m{Read: {"path": "at/secret.txt"}, Write: {"path": "at/secret.txt", "content": "mine"}, List: {"path": "at"}, Search: {"path": "at", "pattern": "yours"}} {
			if o := b.use(name, args); strings.Contains(o.Text, b.secretWords) || strings.Contains(o.Text, "secret.txt  9 bytes") {
				t.Fatalf("%s got out: %s", name, o.Text)
			} else if name == Read && !o.Failed {
				read++
			}
		}
	}
	t.Logf("%d of 300 reads found the folder", read)
	close(done)
	turns.Wait()
	if data, err := os.ReadFile(b.outside); err != nil || string(data) != b.secretWords {
		t.Errorf("the file outside became %q: %v", data, err)
	}
}
