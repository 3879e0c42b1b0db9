package backend

import (
	"fmt"
	"go/ast"
	"path"
	"slices"
	"strings"
	"testing"
)

// uncontained are the files that start something in which a panic may end the program, each with
// the number of those places and the reason. Everything else contains it by safego.
var uncontained = map[string]struct {
	places int
	why    string
}{
	"app.go":      {2, "the hub itself, and the end of its window with it"},
	"app_quit.go": {1, "ends the program on purpose"},

	"backend/work/agentprocess/server.go": {3,
		"the process has one agent and ends with it: who started it starts it anew"},
	"backend/talk/chatagent/toolresponder.go": {1, "MCP servers, which contain each of their lives"},
	"backend/cli/internal/chatcmd/join.go":    {2, "a command of its own, over what contains a panic in each reply"},
	"backend/cli/serve.go":                    {1, "the hub itself"},
	"backend/cli/internal/term/term.go":       {1, "a question at the terminal, of a command that ends with it"},
	"backend/engine/engine.go": {
		15,
		"the machines: a hub that lacks one must not look whole, and is started anew",
	},
	"backend/engine/link.go":           {1, "the link of one command, which ends with it"},
	"backend/server/httpapi/server.go": {1, "the rooms' sockets, as a machine"},
	"backend/gateway/builtin/serve.go": {1, "the close frame of a socket that ends"},
	"backend/base/proc/group_unix.go": {
		1,
		"signals to processes: what contains a panic would leave them running",
	},
	"backend/base/proc/proc.go":             {2, "as above"},
	"backend/base/netlisten/serve.go":       {1, "the end of a server that ends with its machine"},
	"backend/base/proc/shim_linux.go":       {2, "a process of its own, which ends with its children"},
	"backend/base/proc/tree_windows.go":     {1, "as above"},
	"backend/talk/room/hub.go":              {1, "a machine's other half: each reader contains what it does itself"},
	"backend/talk/roomclient/roomclient.go": {1, "the close frame of a socket that ends"},
}

// harmless are calls of which none runs what may panic: they end something, or make a value.
var harmless = []string{
	"cancel", "close", "delete", "done", "gone", "stop", "withdraw",
	"After", "AfterFunc", "Cause", "Close", "Done", "From", "Is", "Kill", "Lock", "Reset", "Stop", "Unlock", "Wait", "WithoutCancel",
}

// helpsTests finds the helpers of tests, which are separate packages.
func helpsTests(f goFile) bool { return strings.HasSuffix(f.dir(), "test") }

// containment knows by package which functions and methods contain a panic of what they do: all
// that have the name do, since calls differ by name only.
type containment map[string]bool

func contained(files []goFile) containment {
	known := containment{}
	for _, f := range files {
		for _, decl := range f.tree.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Body != nil && !f.test {
				key := f.dir() + "." + fn.Name.Name
				if fn.Recv != nil {
					key = method(f.dir(), fn.Name.Name)
				}
				before, seen := known[key]
				known[key] = (before || !seen) && callsSafego(fn.Body)
			}
		}
	}
	return known
}

func method(dir, name string) string { return dir + ".(x)." + name }

func callsSafego(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			found = found || isSafego(call.Fun)
		}
		return !found
	})
	return found
}

func isSafego(fun ast.Expr) bool {
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	from, ok := sel.X.(*ast.Ident)
	return ok && from.Name == "safego" && sel.Sel.Name != "Is"
}

// holds reports whether a panic in what fun does stays there.
func (c containment) holds(f goFile, fun ast.Expr) bool {
	switch fun := fun.(type) {
	case *ast.FuncLit:
		return c.held(f, fun.Body)
	case *ast.Ident:
		return slices.Contains(harmless, fun.Name) || c[f.dir()+"."+fun.Name]
	case *ast.SelectorExpr:
		if from, ok := fun.X.(*ast.Ident); ok {
			for _, imported := range importPaths(f) {
				if path.Base(imported) == from.Name && c[strings.TrimPrefix(imported, "agentflow/")+"."+fun.Sel.Name] {
					return true
				}
			}
		}
		return slices.Contains(harmless, fun.Sel.Name) || c[method(f.dir(), fun.Sel.Name)]
	}
	return false
}

// held reports whether every call of a body is contained or harmless.
func (c containment) held(f goFile, body ast.Node) bool {
	all := true
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		switch {
		case !ok:
			return all
		case isSafego(call.Fun):
			return false
		case !c.holds(f, call.Fun):
			all = false
		}
		return all
	})
	return all
}

// begun returns what a file has run by others than its caller: in a goroutine, or in a timer.
func begun(f goFile) []ast.Expr {
	var found []ast.Expr
	ast.Inspect(f.tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			found = append(found, n.Call.Fun)
		case *ast.CallExpr:
			sel, ok := n.Fun.(*ast.SelectorExpr)
			switch {
			case ok && sel.Sel.Name == "Go" && len(n.Args) == 1:
				found = append(found, n.Args[0])
			case ok && sel.Sel.Name == "AfterFunc" && len(n.Args) == 2:
				found = append(found, n.Args[1])
			}
		}
		return true
	})
	return found
}

func (c containment) problems(f goFile, allowed int) []string {
	var found []string
	for _, fun := range begun(f) {
		if !c.holds(f, fun) {
			found = append(
				found,
				fmt.Sprintf(
					"%s:%d: a panic in what begins here ends the program: contain it by safego",
					f.name,
					f.line(fun.Pos()),
				),
			)
		}
	}
	switch {
	case len(found) < allowed:
		return []string{
			fmt.Sprintf(
				"%s begins %d things without safego, and may begin %d: say so in arch_panic_test.go",
				f.name,
				len(found),
				allowed,
			),
		}
	case len(found) == allowed:
		return nil
	}
	return found
}

// TestTR5_WhatRunsBesideItsCallerContainsAPanic finds goroutines and timers in which a panic would end
// the hub, its window and all rooms.
func TestTR5_WhatRunsBesideItsCallerContainsAPanic(t *testing.T) {
	files := goFiles(t)
	known := contained(files)
	seen := map[string]bool{}
	for _, f := range files {
		if f.test || helpsTests(f) || !strings.HasPrefix(f.name, "backend/") && f.dir() != "." {
			continue
		}
		seen[f.name] = true
		report(t, known.problems(f, uncontained[f.name].places))
	}
	for name := range uncontained {
		if !seen[name] {
			t.Errorf("arch_panic_test.go allows %s, which does not exist", name)
		}
	}
}

func TestTR5_ABarePanicIsFound(t *testing.T) {
	f, err := parseGo("backend/x/x.go", []byte(`package x
func (t *T) work() { safego.Call(nil, nil, "x", t.bare) }
func (t *T) bare() {}
func f() {
	go t.bare()
	go func() { defer close(done); t.work(); t.bare() }()
	g.Go(t.bare)
	time.AfterFunc(1, t.bare)
	context.AfterFunc(ctx, func() { log.Print("x") })
	go t.work()
	go func() { defer close(done); t.work() }()
	g.Go(func() { out = safego.Value(nil, nil, "x", t.bare) })
	time.AfterFunc(1, func() { cancel(nil) })
}
`))
	if err != nil {
		t.Fatal(err)
	}
	known := contained([]goFile{f})
	if got := known.problems(f, 0); len(got) != 5 {
		t.Errorf("found %q", got)
	}
	if got := known.problems(f, 5); got != nil {
		t.Errorf("what is allowed gave %q", got)
	}
	if got := known.problems(f, 6); len(got) != 1 {
		t.Errorf("a row for more than there is gave %q", got)
	}
}
