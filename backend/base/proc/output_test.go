package proc

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"
)

func TestME11_HugeLinesSurvive(t *testing.T) {
	huge := strings.Repeat("x", 3<<20)
	in := "one\r\n\n" + huge + "\nthree\nfour"
	for name, r := range map[string]func(string) [][]byte{
		"whole": func(s string) [][]byte { return [][]byte{[]byte(s)} },
		"pieces": func(s string) (all [][]byte) {
			for p := range bytes.Lines([]byte(s)) {
				for len(p) > 1000 {
					all, p = append(all, p[:1000]), p[1000:]
				}
				all = append(all, p)
			}
			return all
		},
	} {
		var got []string
		l := LineSplitter{Most: 1 << 20, Line: func(line []byte, cut bool) error {
			got = append(got, fmt.Sprintf("%.5s %d %v", line, len(line), cut))
			return nil
		}}
		for _, p := range r(in) {
			if err := l.Take(p); err != nil {
				t.Fatal(err)
			}
		}
		if err := l.End(); err != nil {
			t.Fatal(err)
		}
		if want := "[one 3 false xxxxx 1048576 true three 5 false four 4 false]"; fmt.Sprint(got) != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	l := LineSplitter{Most: 10, Line: func([]byte, bool) error { return iotest.ErrTimeout }}
	if l.Take([]byte("a\nb\n")) == nil {
		t.Error("an error of the reader was lost")
	}
}

func TestME11_HeadAndTailAreKept(t *testing.T) {
	e := HeadTailBuffer{Most: 10}
	for i := range 1000 {
		_ = e.Take(fmt.Appendf(nil, "%03d ", i))
	}
	if got := e.Text(); got != "000 001 00\n[… 3980 bytes left out …]\n7 998 999 " {
		t.Errorf("%q", got)
	}
	short := HeadTailBuffer{Most: 10}
	_ = short.Take([]byte("はい、そう"))
	if got := short.Text(); got != "はい、そう" {
		t.Errorf("%q", got)
	}
}
