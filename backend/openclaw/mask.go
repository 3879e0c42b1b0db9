package openclaw

import (
	"gopkg.in/yaml.v3"

	"agentflow/backend/openclaw/shape"
	"agentflow/backend/yamldoc"
)

// secrets calls found for every text that is likely a secret in clear.
func secrets(n *yaml.Node, key string, found func(*yaml.Node)) {
	if n == nil {
		return
	}
	switch n.Kind {
	case yaml.ScalarNode:
		if s, ok := yamldoc.Scalar(n); ok && n.Tag != "!!bool" && shape.LooksSecret(key, s) {
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
