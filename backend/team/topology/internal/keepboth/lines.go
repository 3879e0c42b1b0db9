package keepboth

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/rogpeppe/go-internal/diff"
)

// both is the line-wise union of two texts that were edited from base: what either side wrote is there, mine first
// where they meet, and what either took away isn't. Without a base, what both have is there once. Line ends are those
// of mine.
func both(base, mine, theirs string) string {
	u := joining{base: split(base), mine: split(mine), theirs: split(theirs), wrote: map[place]int{}}
	ours, others := editsOf(u.base, u.mine), editsOf(u.base, u.theirs)
	u.lines(ours, others)
	eol, end := "\n", strings.HasSuffix(mine, "\n")
	if strings.Contains(mine, "\r\n") {
		eol = "\r\n"
	}
	if base != "" && end == strings.HasSuffix(base, "\n") {
		end = strings.HasSuffix(theirs, "\n")
	}
	out := strings.Join(u.out, eol)
	if end {
		out += eol
	}
	return out
}

// joining is the work on one union.
type joining struct {
	base, mine, theirs []string
	moved              map[string]bool // the lines of base
	wrote              map[place]int   // what mine wrote, as far as theirs didn't write it too
	out                []string
}

// place is where a line was written: before which line of base, or anywhere for a line that was only moved.
type place struct {
	gap  int
	line string
}

const anywhere = -1

func (u *joining) place(gap int, line string) place {
	if u.moved[line] {
		gap = anywhere
	}
	return place{gap, line}
}

func (u *joining) lines(ours, others edits) {
	u.moved = make(map[string]bool, len(u.base))
	for _, line := range u.base {
		u.moved[line] = true
	}
	for gap, lines := range ours.put {
		for _, i := range lines {
			u.wrote[u.place(gap, u.mine[i])]++
		}
	}
	for gap := range ours.put {
		u.written(gap, ours.put[gap], others.put[gap])
		if gap < len(u.base) && ours.kept[gap] && others.kept[gap] {
			u.out = append(u.out, u.base[gap])
		}
	}
}

// written adds the lines that the sides wrote at one place, as indices of their lines.
func (u *joining) written(gap int, ours, others []int) {
	m, t := pick(u.mine, ours), pick(u.theirs, others)
	e := editsOf(m, t)
	for i := 0; i <= len(m); i++ {
		own := i
		for ; i < len(m) && !e.kept[i]; i++ {
			u.out = append(u.out, m[i])
		}
		u.others(gap, pick(others, e.put[own]), i > own)
		if i < len(m) {
			u.wrote[u.place(gap, m[i])]--
			u.out = append(u.out, m[i])
		}
	}
}

// others adds what only theirs wrote at one place.
func (u *joining) others(gap int, lines []int, afterOurs bool) {
	dropped := false
	for _, j := range lines {
		line, at := u.theirs[j], u.place(gap, u.theirs[j])
		blank := strings.TrimSpace(line) == ""
		switch {
		case u.wrote[at] > 0 && !frame(line):
			u.wrote[at]--
			dropped = true
			continue
		case blank && dropped:
			continue
		case afterOurs && !blank && u.beginsParagraph(j):
			u.blank()
		}
		u.out = append(u.out, line)
		dropped, afterOurs = false, false
	}
}

// beginsParagraph reports whether a line of theirs begins a paragraph.
func (u *joining) beginsParagraph(i int) bool {
	return i == 0 || strings.TrimSpace(u.theirs[i-1]) == ""
}

// blank ends a paragraph.
func (u *joining) blank() {
	if n := len(u.out); n > 0 && strings.TrimSpace(u.out[n-1]) != "" {
		u.out = append(u.out, "")
	}
}

// frame reports whether a line only sets others apart, and so can be there twice.
func frame(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") ||
		!strings.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}

func pick[T any](lines []T, at []int) (out []T) {
	for _, i := range at {
		out = append(out, lines[i])
	}
	return out
}

// split returns the lines of a text without their ends.
func split(text string) []string {
	text = strings.TrimSuffix(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// edits are what made one text of another.
type edits struct {
	kept []bool  // the old lines that are still there
	put  [][]int // the new lines before each old line, and after the last
}

// editsOf compares two texts. New lines stand where the lines that they replace began.
func editsOf(old, now []string) edits {
	e := edits{kept: make([]bool, len(old)), put: make([][]int, len(old)+1)}
	i, j := 0, 0
	keep := func(until int) {
		for ; i < until; i, j = i+1, j+1 {
			e.kept[i] = true
		}
	}
	gap := 0
	for _, line := range hunks(old, now) {
		switch line[0] {
		case '@':
			var from, lines int
			_, _ = fmt.Sscanf(line, "@@ -%d,%d ", &from, &lines) // from counts from 1, unless there are no lines
			keep(from - min(lines, 1))
			gap = i
		case ' ':
			keep(i + 1)
			gap = i
		case '-':
			i++
		case '+':
			e.put[gap] = append(e.put[gap], j)
			j++
		}
	}
	keep(len(old))
	return e
}

// hunks returns the lines of a diff without its three lines of names.
func hunks(old, now []string) []string {
	text := func(lines []string) []byte {
		if len(lines) == 0 {
			return nil
		}
		return []byte(strings.Join(lines, "\n") + "\n")
	}
	out := split(string(diff.Diff("old", text(old), "now", text(now))))
	return out[min(len(out), 3):]
}
