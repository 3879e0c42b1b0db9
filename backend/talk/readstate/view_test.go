package readstate

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
)

func news(t *testing.T, v *View) News {
	t.Helper()
	select {
	case <-v.Ready():
	default:
		t.Fatal("nothing is there to take")
	}
	n := v.Take()
	if n == nil {
		t.Fatal("it said that something is there, and there was nothing")
	}
	return *n
}

func TestAPP4_WhatIsReadInOneWindowIsToldToAll(t *testing.T) {
	d := open(t, filepath.Join(t.TempDir(), "desk.json"))
	one, other := d.View(), d.View()
	defer one.Close()
	first, second, draft := "41", "42", "begun"
	put(t, d, "room:a", &first, nil)
	put(t, d, "room:a", &second, nil)
	put(t, d, "room:b", nil, &draft)
	want := []Mark{{"room:a", "42"}}
	if n := news(t, one); !slices.Equal(n.Read, want) || n.Said != nil {
		t.Errorf("the window that read was told %+v", n)
	}
	if n := news(t, other); !slices.Equal(n.Read, want) {
		t.Errorf("the other window was told %+v", n)
	}
	if n := one.Take(); n != nil {
		t.Errorf("told twice: %+v", n)
	}
	other.Close()
	put(t, d, "room:a", &first, nil)
	if n := other.Take(); n != nil {
		t.Errorf("a window that is closed was told %+v", n)
	}
	if n := d.Reads(); !slices.Equal(n.Read, []Mark{{"room:a", "41"}}) {
		t.Errorf("a new window got %+v", n)
	}
}

func TestAPP4_WhereSomethingWasSaidIsToldOnceAndBounded(t *testing.T) {
	d := open(t, filepath.Join(t.TempDir(), "desk.json"))
	v := d.View()
	defer v.Close()
	d.Said("studio", "agent:a:main")
	d.Said("studio", "agent:a:main")
	if n := news(t, v); !slices.Equal(n.Said, []Said{{"studio", "agent:a:main"}}) {
		t.Errorf("told %+v", n)
	}
	for i := range 10 * mostSaid {
		d.Said("studio", fmt.Sprint("agent:a:", i))
	}
	n := news(t, v)
	if len(n.Said) > mostSaid || !slices.Contains(n.Said, Said{Gateway: "studio"}) {
		t.Errorf("got %d entries, one for the whole gateway: %v", len(n.Said),
			slices.Contains(n.Said, Said{Gateway: "studio"}))
	}
}
