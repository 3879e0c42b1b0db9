package lint

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"agentflow/backend/team/topology"
)

// secretEnv is the field that names a variable. It can't contain anything else.
const secretEnv = "secretEnv"

// agentSecrets looks for secrets wherever an agent holds free text or unknown keys.
// What it finds is named by its place and never repeated.
func (c *checker) agentSecrets(a *topology.Agent) {
	report := func(field string) {
		c.at(a, topology.SeverityError, SecretInClear, field, "field", field)
	}
	for _, f := range topology.Fields() {
		if text, ok := f.Text(a); ok && holdsSecret(text) && f.Name != secretEnv {
			report(f.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(a.Files)) {
		if holdsSecret(a.Files[name].Content) {
			report(topology.FileField(name))
		}
	}
	if a.SecretEnv != "" && !variable.MatchString(a.SecretEnv) {
		report(secretEnv) // the name of a variable belongs here
	}
	extraSecrets("extra", a.Extra, report)
	for _, conn := range a.Connections {
		at := fmt.Sprintf("connections.%s.%s.", conn.Type, conn.TargetID)
		if holdsSecret(conn.Label) {
			report(at + "label")
		}
		extraSecrets(at+"extra", conn.Extra, report)
	}
}

func (c *checker) teamSecrets() {
	report := func(p topology.Problem, place, field string) {
		p.Field = field
		c.add(topology.SeverityError, SecretInClear, place+":"+field, p, "agent", c.teamName(), "field",
			strings.TrimSpace(place+" "+field))
	}
	extraSecrets("extra", c.t.Extra, func(field string) {
		report(topology.Problem{Subject: topology.SubjectTeam}, "", field)
	})
	extraSecrets("extra", c.t.Broadcast, func(field string) {
		report(topology.Problem{Subject: topology.SubjectBroadcast}, "broadcast", field)
	})
	extraSecrets("extra", c.t.Defaults, func(field string) {
		report(topology.Problem{Subject: topology.SubjectDefaults}, "defaults", field)
	})
	extraSecrets("extra", c.t.Messages, func(field string) {
		report(topology.Problem{Subject: topology.SubjectMessages}, "messages", field)
	})
	for i, b := range c.t.Bindings {
		extraSecrets("bindings", topology.Extra{{Key: fmt.Sprint(i), Value: b}}, func(field string) {
			report(topology.Problem{Subject: topology.SubjectBinding, Item: fmt.Sprint(i)}, "", field)
		})
	}
	for _, n := range c.t.Notes {
		if holdsSecret(n.Text) {
			report(topology.Problem{Subject: topology.SubjectNote}, "note "+n.ID, "text")
		}
		extraSecrets("extra", n.Extra, func(field string) {
			report(topology.Problem{Subject: topology.SubjectNote}, "note "+n.ID, field)
		})
	}
	for _, g := range c.t.Groups {
		extraSecrets("extra", g.Extra, func(field string) {
			report(topology.Problem{Subject: topology.SubjectGroup}, "group "+g.ID, field)
		})
	}
}

func extraSecrets(at string, e topology.Extra, report func(field string)) {
	for _, f := range e {
		var v any
		if json.Unmarshal(f.Value, &v) == nil {
			walkSecrets(at+"."+f.Key, f.Key, v, report)
		}
	}
}

// walkSecrets goes through a value; key is the nearest name above it.
func walkSecrets(at, key string, v any, report func(field string)) {
	switch v := v.(type) {
	case string:
		if holdsSecret(v) || secretKey(key) && !refersTo(v) {
			report(at)
		}
	case []any:
		for i, x := range v {
			walkSecrets(fmt.Sprintf("%s[%d]", at, i), key, x, report)
		}
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			walkSecrets(at+"."+k, k, v[k], report)
		}
	}
}

var variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// refersTo reports whether the value of a secret key is none itself: empty, masked by
// the gateway, or the name of an environment variable.
func refersTo(v string) bool {
	v = strings.TrimSpace(v)
	if v == "" || v == "__OPENCLAW_REDACTED__" {
		return true
	}
	if name, ok := strings.CutPrefix(v, "env:"); ok {
		return variable.MatchString(name)
	}
	name, ok := strings.CutPrefix(v, "$")
	return ok && variable.MatchString(strings.TrimSuffix(strings.TrimPrefix(name, "{"), "}"))
}

// secretKey reports whether a key names a secret by its words: apiKey, GH_TOKEN,
// client-secret, but not maxTokens, tokenizer or tokenEnv.
func secretKey(key string) bool {
	w := words(key)
	if len(w) == 0 || slices.Contains([]string{"env", "file", "path", "name", "id", "url", "ref", "type", "limit", "budget", "count"}, w[len(w)-1]) {
		return false
	}
	for i, s := range w {
		switch s {
		case "token", "secret", "secrets", "password", "passwd", "passphrase", "apikey", "privatekey", "credential", "credentials":
			return true
		case "key":
			if i > 0 && slices.Contains([]string{"api", "private", "access"}, w[i-1]) {
				return true
			}
		}
	}
	return false
}

// words parts fooBar_baz-QUX into foo, bar, baz, qux.
func words(key string) []string {
	var out []string
	var word []rune
	lower := false
	flush := func() {
		if len(word) > 0 {
			out = append(out, strings.ToLower(string(word)))
			word = word[:0]
		}
	}
	for _, r := range key {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
			lower = false
			continue
		case unicode.IsUpper(r) && lower:
			flush()
		}
		lower = !unicode.IsUpper(r)
		word = append(word, r)
	}
	flush()
	return out
}

// prefixes are how well-known secrets begin, and how much follows at least.
var prefixes = []struct {
	text string
	more int
}{
	{"sk-", 16}, {"ghp_", 20}, {"gho_", 20}, {"ghu_", 20}, {"ghs_", 20}, {"ghr_", 20}, {"github_pat_", 20}, {"glpat-", 16},
	{"xoxb-", 10}, {"xoxp-", 10}, {"xoxa-", 10}, {"xoxs-", 10}, {"xapp-", 10}, {"AKIA", 16}, {"AIza", 30}, {"hf_", 20},
}

var privateKey = regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY`)

// holdsSecret reports whether a text holds something that begins as well-known
// secrets do, a private key, or an address with a password in it.
func holdsSecret(s string) bool {
	if len(s) < 12 {
		return false
	}
	for _, p := range prefixes {
		for rest, before := s, byte(' '); ; {
			i := strings.Index(rest, p.text)
			if i < 0 {
				break
			}
			if i > 0 {
				before = rest[i-1]
			}
			rest = rest[i+len(p.text):]
			if !tokenByte(before) && looksRandom(rest, p.more) {
				return true
			}
			before = p.text[len(p.text)-1]
		}
	}
	if strings.Contains(s, "-----BEGIN ") && privateKey.MatchString(s) {
		return true
	}
	return strings.Contains(s, "://") && strings.Contains(s, "@") && hasPassword(s)
}

func tokenByte(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '_' || b == '-'
}

// looksRandom reports whether s begins with at least n characters of a token, digits
// and letters among them.
func looksRandom(s string, n int) bool {
	digit, letter, i := false, false, 0
	for ; i < len(s) && tokenByte(s[i]); i++ {
		isDigit := s[i] >= '0' && s[i] <= '9'
		digit, letter = digit || isDigit, letter || !isDigit && s[i] != '-' && s[i] != '_'
	}
	return i >= n && digit && letter
}

func hasPassword(s string) bool {
	for _, word := range strings.Fields(s) {
		i := strings.Index(word, "://")
		if i < 0 || !strings.Contains(word[i:], "@") {
			continue
		}
		for i > 0 && word[i-1] >= 'a' && word[i-1] <= 'z' {
			i--
		}
		u, err := url.Parse(strings.TrimRight(word[i:], `.,;)"'`))
		if err != nil || u.User == nil {
			continue
		}
		if p, ok := u.User.Password(); ok && !refersTo(p) {
			return true
		}
	}
	return false
}
