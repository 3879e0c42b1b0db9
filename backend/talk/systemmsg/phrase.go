package systemmsg

import (
	_ "embed"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

//go:embed words.json
var wordsFile []byte

// words are the page's, by language: those for messages, and those for failures.
type words map[string]struct {
	Told map[string]string `json:"told"`
	Why  map[string]string `json:"why"`
}

var tongues = sync.OnceValue(func() map[string]*Translator {
	var file words
	if err := json.Unmarshal(wordsFile, &file); err != nil {
		panic(err) // it is part of the program
	}
	out := map[string]*Translator{}
	for language, w := range file {
		out[language] = &Translator{told: phrases(w.Told), why: phrases(w.Why)}
	}
	return out
})

// For returns the tongue of a language; nil where there are no words in it.
func For(language string) *Translator { return tongues()[language] }

// phrase is a text with places for params.
type phrase []piece

type piece struct {
	text  string // as it stands
	param string // or the name of what stands here
}

var place, spaces = regexp.MustCompile(`\{\{(\w+)\}\}`), regexp.MustCompile(`\s+`)

func phrases(texts map[string]string) map[string]phrase {
	out := make(map[string]phrase, len(texts))
	for name, text := range texts {
		var p phrase
		at := 0
		for _, m := range place.FindAllStringSubmatchIndex(text, -1) {
			if m[0] > at {
				p = append(p, piece{text: text[at:m[0]]})
			}
			p = append(p, piece{param: text[m[2]:m[3]]})
			at = m[1]
		}
		if at < len(text) {
			p = append(p, piece{text: text[at:]})
		}
		out[name] = p
	}
	return out
}

// number reports whether a param is one: it is written with marks between the thousands.
func (p piece) number() bool { return p.param == "n" || p.param == "used" || p.param == "most" }

func (p phrase) say(params map[string]string) string {
	var b strings.Builder
	for _, part := range p {
		switch value := params[part.param]; {
		case part.param == "":
			b.WriteString(part.text)
		case part.number():
			b.WriteString(grouped(value))
		default:
			b.WriteString(value)
		}
	}
	return b.String()
}

// grouped is a whole number as people write it; what is none stays.
func grouped(number string) string {
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 0 {
		return number
	}
	digits := strconv.FormatInt(n, 10)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// mayHold reports whether a word in small letters may stand in what the phrase says, and
// not in a param alone: those stand in the stored text, too.
func (p phrase) mayHold(word string) bool {
	for _, run := range p.runs() {
		for i, part := range run {
			before, after := i > 0, i+1 < len(run)
			switch text := strings.ToLower(part.text); {
			case part.param != "":
				if part.number() && strings.Trim(word, "0123456789,") == "" {
					return true
				}
			case strings.Contains(text, word), after && overlap(text, word), before && overlap(word, text), before && after && strings.Contains(word, text):
				return true
			}
		}
	}
	return false
}

// runs are the parts of a phrase without spaces: a word that is looked for has none.
func (p phrase) runs() []phrase {
	out := []phrase{nil}
	for _, part := range p {
		if part.param != "" {
			out[len(out)-1] = append(out[len(out)-1], part)
			continue
		}
		for i, text := range spaces.Split(part.text, -1) {
			if i > 0 {
				out = append(out, nil)
			}
			if text != "" {
				out[len(out)-1] = append(out[len(out)-1], piece{text: text})
			}
		}
	}
	return out
}

// overlap reports whether the end of a is the beginning of b.
func overlap(a, b string) bool {
	for i := range a {
		if strings.HasPrefix(b, a[i:]) {
			return true
		}
	}
	return false
}
