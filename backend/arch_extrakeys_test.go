package backend

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"testing"

	"agentflow/backend/team/trust"
)

// otherKeys are extra keys that aren't an agent's, or that gateways know.
var otherKeys = map[string]string{
	"common_settings": "a key of the file, not of an agent",
	"default":         "gateways know it",
	"tools":           "gateways know it, and it is only compared",
}

// extraKeyProblems lists the extra keys that a file reads and the linter would call unknown.
func extraKeyProblems(f goFile, known []string) []string {
	var found []string
	ast.Inspect(f.tree, func(n ast.Node) bool {
		call, is := n.(*ast.CallExpr)
		if !is || len(call.Args) != 1 {
			return true
		}
		get, is := call.Fun.(*ast.SelectorExpr)
		if !is || get.Sel.Name != "Get" {
			return true
		}
		if of, is := get.X.(*ast.SelectorExpr); !is || of.Sel.Name != "Extra" {
			return true
		}
		text, is := call.Args[0].(*ast.BasicLit)
		if !is || text.Kind != token.STRING {
			return true // a key of the data, or one of trust.Keys
		}
		key, err := strconv.Unquote(text.Value)
		if err == nil && !slices.Contains(known, key) && otherKeys[key] == "" {
			found = append(found, fmt.Sprintf("%s:%d: reads the key %s, which isn't in trust.Keys: the linter says that it does nothing", f.name, f.line(call.Pos()), key))
		}
		return true
	})
	return found
}

// TestExtraKeys: a key of an agent that any part of the program reads is one that the linter knows.
func TestExtraKeys(t *testing.T) {
	for _, f := range goFiles(t) {
		if !f.test {
			report(t, extraKeyProblems(f, trust.Keys))
		}
	}

	// It must see what it is for.
	f, err := parseGo(
		"x.go",
		[]byte("package x\n\nfunc f() {\n\ta.Extra.Get(\"secret\")\n\tt.Agents[0].Extra.Get(`mcpServers`)\n}\n"),
	)
	if err != nil {
		t.Fatal(err)
	}
	if got := extraKeyProblems(f, trust.Keys); len(got) != 1 {
		t.Errorf("one key that isn't known: %q", got)
	}
}
