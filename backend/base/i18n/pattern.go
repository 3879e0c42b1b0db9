package i18n

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// pattern recognises the texts that a format makes.
type pattern struct {
	literals []string // before, between and behind the verbs
	verbs    []string
	weight   int // letters that are not an argument
	japanese string
}

var verb = regexp.MustCompile(`%(?:\[(\d+)\])?[-+# 0]*\d*(?:\.\d+)?([a-zA-Z%])`)

func newPattern(format, japanese string) pattern {
	p := pattern{}
	literal, at := "", 0
	for _, m := range verb.FindAllStringSubmatchIndex(format, -1) {
		literal += format[at:m[0]]
		at = m[1]
		if v := format[m[4]:m[5]]; v == "%" {
			literal += "%"
		} else {
			p.literals, p.verbs, literal = append(p.literals, literal), append(p.verbs, v), ""
		}
	}
	p.literals = append(p.literals, literal+format[at:])
	for _, l := range p.literals {
		p.weight += len(l)
	}
	p.japanese = finishedFormat(japanese)
	return p
}

// finishedFormat is a format whose arguments are all texts already.
func finishedFormat(format string) string {
	return verb.ReplaceAllStringFunc(format, func(v string) string {
		m := verb.FindStringSubmatch(v)
		switch {
		case m[2] == "%":
			return v
		case m[1] != "":
			return "%[" + m[1] + "]s"
		}
		return "%s"
	})
}

// match returns the arguments as they stand in the text.
func (p pattern) match(text string) ([]string, bool) {
	last := len(p.literals) - 1
	rest, ok := strings.CutPrefix(text, p.literals[0])
	if !ok || last == 0 {
		return nil, ok && rest == ""
	}
	rest, ok = strings.CutSuffix(rest, p.literals[last])
	if !ok {
		return nil, false
	}
	var args []string
	for i := 1; i < last; i++ {
		arg, after, found := strings.Cut(rest, p.literals[i])
		if !found {
			return nil, false
		}
		args, rest = append(args, arg), after
	}
	args = append(args, rest)
	for i, v := range p.verbs {
		if _, err := strconv.Atoi(args[i]); v == "d" && err != nil {
			return nil, false
		}
	}
	return args, true
}

// find says a text by the entry that explains most of it. Its arguments are data, but for
// those that are the parts of sentences, and for sentences behind a colon, which are causes.
func find(text string, among []pattern) (string, bool) {
	best, args := pattern{weight: -1}, []string(nil)
	for _, p := range among {
		if p.weight > best.weight {
			if got, ok := p.match(text); ok {
				best, args = p, got
			}
		}
	}
	if best.weight < 0 {
		return "", false
	}
	said := make([]any, len(args))
	for i, a := range args {
		said[i] = a
		within := partPatterns()
		if strings.HasSuffix(best.literals[i], ": ") && strings.Contains(a, " ") {
			within = everything()
		}
		if part, ok := find(a, within); ok {
			said[i] = part
		}
	}
	return fmt.Sprintf(best.japanese, said...), true
}

func patterns(table map[string]string) []pattern {
	var list []pattern
	for _, format := range slices.Sorted(maps.Keys(table)) {
		if _, is := joins[format]; is {
			continue
		}
		list = append(list, newPattern(format, table[format]))
	}
	return list
}

var (
	everything = sync.OnceValue(func() []pattern { return patterns(japanese) })
	// A part that contains another text isn't recognised inside a sentence: it could be a command.
	partPatterns = sync.OnceValue(func() []pattern {
		return slices.DeleteFunc(patterns(parts), func(p pattern) bool { return slices.Contains(p.verbs, "s") })
	})
)

// japanese are all entries. A text that stands in two tables says the same in both.
var japanese = func() map[string]string {
	all := map[string]string{}
	for _, table := range []map[string]string{
		parts, joins, fixed, helpWords, programWords, gatewayWords, teamWords, hubWords, agentWords, hereWords,
		callerWords, trustWords, inboxWords, loginWords, doctorWords, runWords, findingWords, settingsWords, belowWords,
	} {
		maps.Copy(all, table)
	}
	return all
}()
