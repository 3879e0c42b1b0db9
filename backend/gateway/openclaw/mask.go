package openclaw

import (
	"gopkg.in/yaml.v3"

	"agentflow/backend/base/docedit"
	"agentflow/backend/team/gatewayconfig"
)

// secrets calls found for every text that is likely a secret in clear.
func secrets(n *yaml.Node, key string, found func(*yaml.Node)) {
	if n == nil {
		return
	}
	switch n.Kind {
	case yaml.ScalarNode:
		if s, ok := docedit.Scalar(n); ok && n.Tag != "!!bool" && gatewayconfig.LooksSecret(key, s) {
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
func masked(doc *docedit.Document) (*docedit.Document, error) {
	ed := doc.Edit()
	secrets(doc.Root(), "", func(n *yaml.Node) { ed.Replace(n, docedit.String(Redacted)) })
	return ed.Apply()
}

// encode writes a document in the language a gateway takes.
func encode(doc *docedit.Document, format string) (string, error) {
	if format == "yaml" {
		text, err := doc.YAML()
		return string(text), err
	}
	return string(doc.JSON()), nil
}
