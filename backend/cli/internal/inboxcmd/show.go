package inboxcmd

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"agentflow/backend/base/i18n"
	"agentflow/backend/cli/internal/term"
	"agentflow/backend/model/tool"
	"agentflow/backend/model/tool/files"
	"agentflow/backend/model/tool/shell"
	"agentflow/backend/work/inbox"
)

// who asks, and on which gateway.
func who(e *inbox.Entry) string {
	if e.Gateway != nil {
		return e.Agent + "@" + e.Gateway.Name
	}
	return e.Agent
}

// what an entry is about, in short.
func what(e *inbox.Entry) string {
	if e.Tool == "" {
		return cmp.Or(title(e), e.Text)
	}
	return e.Tool + " " + string(e.Arguments)
}

func title(e *inbox.Entry) string {
	switch {
	case e.Gateway == nil:
		return ""
	case e.Gateway.Title != "" || len(e.Gateway.Fields) == 0:
		return e.Gateway.Title
	}
	return cmp.Or(e.Gateway.Fields[0].Header, e.Gateway.Fields[0].Text)
}

// became says how an entry stands.
func (p program) became(e *inbox.Entry) i18n.Text {
	switch {
	case e.State == inbox.Expired:
		return i18n.T("expired")
	case e.State == inbox.Waiting && e.Gateway != nil && e.Gateway.Stale:
		return i18n.T("no link")
	case e.State == inbox.Waiting:
		return i18n.T("waiting for you")
	case e.Choice == inbox.Deny && isQuestion(e):
		return i18n.T("skipped")
	case e.Choice == inbox.Deny:
		return i18n.T("denied")
	case isQuestion(e):
		return i18n.T("answered")
	case e.Choice == inbox.Always:
		return i18n.T("allowed from now on")
	}
	return i18n.T("allowed once")
}

// isQuestion reports whether words are the answer. Everything else is allowed or denied.
func isQuestion(e *inbox.Entry) bool {
	if e.Gateway != nil {
		return e.Gateway.Kind == inbox.Questions
	}
	return e.Tool == ""
}

// tell shows everything that a person decides about, with a mark where something is that nobody sees.
func (p program) tell(e *inbox.Entry) {
	p.Screen.Print("%s  %s  %s\n", term.OneLine(string(e.ID), 60), p.became(e), term.Inline(who(e)))
	add := func(name, value string) {
		if value != "" {
			p.Screen.Print("  %s: %s\n", i18n.T(name), term.Inline(value))
		}
	}
	add("Tool", e.Tool)
	add("Server", e.From)
	if slices.Contains([]string{shell.From, files.From}, e.From) { // a plan names its folder in the arguments
		add("Folder", e.Workspace)
	}
	add("Task", e.Task)
	add("Room", e.Room)
	add("API token", cmp.Or(e.CallerName, e.Caller))
	if g := e.Gateway; g != nil {
		add("Session", g.Session)
		add("Title", g.Title)
	}
	if f := e.Effect; f != nil {
		p.Screen.Print("  %s\n", effect(f))
	}
	p.block("It said", e.Said)
	if e.Gateway == nil || len(e.Gateway.Fields) == 0 { // the text is that of the fields otherwise
		p.block("Question", e.Text)
	}
	p.block("Arguments", pretty(e.Arguments))
	if e.Gateway != nil {
		p.fields(e.Gateway)
	}
	p.block("Your reply", e.Word)
}

// fields are the questions of a gateway, each with the key that inbox answer --field takes.
func (p program) fields(g *inbox.AtGateway) {
	for i := range g.Fields {
		f := &g.Fields[i]
		p.Screen.Print("  %s: %s\n", term.Inline(f.ID), term.Inline(cmp.Or(f.Text, f.Header)))
		if f.URL != "" {
			p.Screen.Print("    %s\n", term.Inline(f.URL))
		}
		if f.Secret {
			p.Screen.Print("    %s\n", i18n.T("It asks for a secret. Answer it at the gateway."))
		}
		for _, o := range f.Options {
			p.Screen.Print("    - %s\n", term.Inline(o.Label))
			if o.About != "" {
				p.Screen.Print("      %s\n", term.Inline(o.About))
			}
		}
	}
	if g.Unclear {
		p.Screen.Print("  %s\n", i18n.T("It can't be shown whole, so it can only be denied."))
	}
}

func effect(f *tool.FileEffect) i18n.Text {
	switch f.Op {
	case tool.Creates:
		return i18n.T("Creates the file.")
	case tool.Extends:
		return i18n.T("Adds to the file of %d bytes.", f.Size)
	}
	return i18n.T("Replaces the file of %d bytes.", f.Size)
}

// block shows text of several lines, indented, so that it can't be read as a line of AgentFlow's own.
func (p program) block(name, text string) {
	if text == "" {
		return
	}
	p.Screen.Print("  %s:\n", i18n.T(name))
	for line := range strings.SplitSeq(strings.TrimRight(term.Marked(text), "\n"), "\n") {
		p.Screen.Print("    %s\n", line)
	}
}

func pretty(arguments json.RawMessage) string {
	var out bytes.Buffer
	if len(arguments) == 0 || string(arguments) == "{}" {
		return ""
	}
	if err := json.Indent(&out, arguments, "", "  "); err != nil {
		return string(arguments)
	}
	return out.String()
}
