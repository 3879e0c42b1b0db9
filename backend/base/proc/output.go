package proc

import (
	"bytes"
	"fmt"
	"strings"
)

// HeadTailBuffer keeps the head and the tail of an output, however long it is. Its zero value keeps
// nothing; Most is how many bytes of either end it keeps.
type HeadTailBuffer struct {
	Most       int
	head, tail []byte
	lost       int64
}

// Take takes the next piece. It never fails.
func (e *HeadTailBuffer) Take(p []byte) error {
	if room := e.Most - len(e.head); room > 0 {
		n := min(room, len(p))
		e.head, p = append(e.head, p[:n]...), p[n:]
	}
	if len(p) > e.Most {
		e.lost += int64(len(p) - e.Most)
		p = p[len(p)-e.Most:]
	}
	e.tail = append(e.tail, p...)
	if over := len(e.tail) - e.Most; over > 0 {
		e.lost += int64(over)
		e.tail = append(e.tail[:0], e.tail[over:]...)
	}
	return nil
}

// Lost is how many bytes in the middle are left out.
func (e *HeadTailBuffer) Lost() int64 { return e.lost }

// Text is what was kept, with a line in the middle that says how much is left out.
func (e *HeadTailBuffer) Text() string {
	text := string(e.head)
	if e.lost > 0 {
		text += fmt.Sprintf("\n[… %d bytes left out …]\n", e.lost)
	}
	return strings.ToValidUTF8(text+string(e.tail), "\uFFFD")
}

// LineSplitter cuts an output into lines. A line longer than Most bytes is handed over cut, and
// the rest of it is dropped: what follows it is read as if nothing had been.
type LineSplitter struct {
	Most int
	Line func(line []byte, cut bool) error // without its end; not to be kept
	part []byte
	cut  bool
}

// Take takes the next piece.
func (l *LineSplitter) Take(p []byte) error {
	for {
		at := bytes.IndexByte(p, '\n')
		if at < 0 {
			l.add(p)
			return nil
		}
		l.add(p[:at])
		p = p[at+1:]
		if err := l.End(); err != nil {
			return err
		}
	}
}

func (l *LineSplitter) add(p []byte) {
	if room := l.Most - len(l.part); len(p) > room {
		p, l.cut = p[:room], true
	}
	l.part = append(l.part, p...)
}

// End hands over a line that has begun, as it does when the output ends without a newline.
func (l *LineSplitter) End() error {
	line, cut := bytes.TrimSuffix(l.part, []byte("\r")), l.cut
	l.part, l.cut = l.part[:0], false
	if len(line) == 0 {
		return nil
	}
	return l.Line(line, cut)
}
