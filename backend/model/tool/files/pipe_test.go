//go:build !windows

package files

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A pipe without a writer must not block the agent.
func TestFaultAPipeIsNoFile(t *testing.T) {
	b := newBox(t)
	if err := syscall.Mkfifo(filepath.Join(b.one, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	if o := b.use(Read, m{"path": "pipe"}); !o.Failed || !strings.Contains(o.Text, "not a plain file") {
		t.Errorf("%+v", o)
	}
	if o := b.use(Write, m{"path": "pipe", "content": "x", "append": true}); !o.Failed {
		t.Errorf("%+v", o)
	}
	if o := b.use(Search, m{"pattern": "x"}); o.Failed {
		t.Errorf("%+v", o)
	}
}
