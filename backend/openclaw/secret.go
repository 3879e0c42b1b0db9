package openclaw

import (
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"

	"agentflow/backend/yamldoc"
)

var (
	secretValue  = regexp.MustCompile(`^(sk-|sk_|xox[abeprs]-|gh[opsu]_|github_pat_|glpat-|AKIA|AIza|ya29\.|hf_|Bearer )[\w.\-/+=]{12,}$`)
	secretEnding = []string{"apikey", "token", "secret", "password", "passwd", "passphrase", "authorization", "accesskey", "privatekey", "secretkey", "credential", "credentials"}
	notSeparator = strings.NewReplacer("_", "", "-", "", ".", "", " ", "")
)

// LooksSecret reports whether a text under a key is likely a secret in clear. A name
// of an environment variable, a reference to one, and what a gateway shows in place
// of a secret are none.
func LooksSecret(key, value string) bool {
	v := strings.TrimSpace(value)
	if v == "" || v == Redacted || strings.HasPrefix(v, "${") || strings.HasPrefix(v, "env:") || strings.HasPrefix(v, "$") {
		return false
	}
	if secretValue.MatchString(v) {
		return true
	}
	k := strings.ToLower(notSeparator.Replace(key))
	for _, end := range secretEnding {
		if strings.HasSuffix(k, end) {
			return true
		}
	}
	return false
}

// secrets calls found for every text that is likely a secret in clear.
func secrets(n *yaml.Node, key string, found func(*yaml.Node)) {
	if n == nil {
		return
	}
	switch n.Kind {
	case yaml.ScalarNode:
		if s, ok := yamldoc.Scalar(n); ok && n.Tag != "!!bool" && LooksSecret(key, s) {
			found(n)
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			secrets(n.Content[i+1], n.Content[i].Value, found)
		}
	case yaml.SequenceNode:
		for _, c := range n.Content {
			secrets(c, key, found)
		}
	}
}

// masked returns the document with every secret in clear replaced.
func masked(doc *yamldoc.Document) (*yamldoc.Document, error) {
	ed := doc.Edit()
	secrets(doc.Root(), "", func(n *yaml.Node) { ed.Replace(n, yamldoc.String(Redacted)) })
	return ed.Apply()
}

// encode writes a document in the language a gateway takes.
func encode(doc *yamldoc.Document, format string) (string, error) {
	if format == "yaml" {
		text, err := doc.YAML()
		return string(text), err
	}
	return string(doc.JSON()), nil
}
