package docedit

import (
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// The characters that stand in for others while a value is written: the private ones of
// the first plane, which nobody means as text.
const (
	firstPrivate = 0xe000
	lastPrivate  = 0xf8ff
)

// standIns replaces characters such as emoji for a while: the library writes those beyond
// the first plane as \U0001F338, and people read team files.
type standIns struct {
	used map[rune]bool // in the value itself
	of   map[rune]rune
	back []string // pairs for strings.NewReplacer
}

// replaceIn puts the stand-ins into n, which is a copy.
func (s *standIns) replaceIn(n *yaml.Node) {
	s.used, s.of = map[rune]bool{}, map[rune]rune{}
	astral := false
	each(n, func(n *yaml.Node) {
		for _, text := range []string{n.Value, n.HeadComment, n.LineComment, n.FootComment} {
			for _, r := range text {
				s.used[r] = true
				astral = astral || r > 0xffff
			}
		}
	})
	if !astral {
		return
	}
	next := rune(firstPrivate)
	stand := func(r rune) rune {
		if r <= 0xffff {
			return r
		}
		if p, ok := s.of[r]; ok {
			return p
		}
		for next <= lastPrivate && s.used[next] {
			next++
		}
		if next > lastPrivate {
			return r // more kinds than there are stand-ins: the rest is escaped
		}
		s.of[r] = next
		s.back = append(s.back, string(next), string(r))
		next++
		return s.of[r]
	}
	each(n, func(n *yaml.Node) {
		if n.Kind == yaml.ScalarNode && utf8.ValidString(n.Value) {
			n.Value = strings.Map(stand, n.Value)
		}
	})
}

// restore takes the stand-ins out of the text.
func (s *standIns) restore(text []byte) []byte {
	if len(s.back) == 0 {
		return text
	}
	return []byte(strings.NewReplacer(s.back...).Replace(string(text)))
}

func each(n *yaml.Node, do func(*yaml.Node)) {
	do(n)
	for _, c := range n.Content {
		each(c, do)
	}
}
