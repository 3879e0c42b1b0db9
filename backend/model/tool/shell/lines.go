package shell

import "bytes"

// lines passes on the beginning of an output, in whole lines: what a person must not see, such as a secret, can be
// masked only in a line that is complete.
type lines struct {
	say  func(string)
	part []byte // of the line that has not ended
	said int
	over bool // the output is longer than maxKept: the rest isn't passed on
}

// before returns a taker that passes on each chunk and gives it to next.
func (l *lines) before(next func([]byte) error) func([]byte) error {
	return func(chunk []byte) error {
		l.take(chunk)
		return next(chunk)
	}
}

func (l *lines) take(chunk []byte) {
	if l.over = l.over || l.said+len(l.part)+len(chunk) > maxKept; l.over {
		l.part = nil
		return
	}
	l.part = append(l.part, chunk...)
	if n := bytes.LastIndexByte(l.part, '\n') + 1; n > 0 {
		l.say(string(l.part[:n]))
		l.said, l.part = l.said+n, l.part[n:]
	}
}

// end passes on a last line without an end.
func (l *lines) end() {
	if len(l.part) > 0 {
		l.say(string(l.part) + "\n")
	}
}
