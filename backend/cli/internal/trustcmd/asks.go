package trustcmd

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"agentflow/backend/base/i18n"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/cli/internal/term"
	"agentflow/backend/team/consent"
	"agentflow/backend/team/trust"
)

// asks are the sentences of what an agent asks for, as the page has them, each followed by
// everything that is allowed with it.
func asks(s *shell.Shell, request json.RawMessage) ([]string, error) {
	var r trust.Request
	if err := json.Unmarshal(request, &r); err != nil {
		return nil, err
	}
	var lines []string
	for _, a := range r.Asks() {
		lines = append(lines, s.Screen.Say("%s", sentence(a)))
		for _, f := range facts(a) {
			lines = append(lines, s.Screen.Say("  %s: %s", f.name, f.value))
		}
	}
	return lines, nil
}

func sentence(a trust.Ask) i18n.Text {
	with := trust.Names(a.Variables)
	switch {
	case a.Kind == trust.Runs:
		return i18n.T("It runs `%s` on this computer.", words(a.Command))
	case a.Kind == trust.Reaches && with == "":
		return i18n.T("Connects to %s.", shown(a.Origin))
	case a.Kind == trust.Reaches:
		return i18n.T("Sends %s to %s.", shown(with), shown(a.Origin))
	case a.Kind == trust.Sends && with == "":
		return i18n.T("Sends tasks to %s.", shown(a.Origin))
	case a.Kind == trust.Sends:
		return i18n.T("Sends tasks and %s to %s.", shown(with), shown(a.Origin))
	case a.Kind == trust.LetsIn:
		return i18n.T("Lets in anyone with the secret %s as this agent.", shown(with))
	case a.Kind == trust.Writes:
		return i18n.T("Can write in `%s`.", shown(trust.Names(a.Folders)))
	case a.Kind == trust.Unasked && len(a.Tools) > 0:
		return i18n.T("It uses `%s` without asking you.", shown(trust.Names(a.Tools)))
	case a.Kind == trust.Unasked:
		return i18n.T("It uses its tools without asking you.")
	}
	return i18n.T("Sets limits for its own process.")
}

type fact struct {
	name  i18n.Text
	value string
}

// facts are what the sentence leaves out.
func facts(a trust.Ask) []fact {
	var out []fact
	add := func(name, value string) {
		if value != "" {
			out = append(out, fact{i18n.T(name), value})
		}
	}
	add("MCP server", shown(a.Server))
	if a.Kind != trust.Runs {
		add("Command", words(a.Command))
	} else {
		add("Variables", words(a.Variables))
	}
	if a.URL != a.Origin {
		add("Address", shown(a.URL))
	}
	add("Fingerprint", shown(a.Fingerprint))
	if a.Kind == trust.Writes {
		add("Tools", words(a.Tools))
	}
	if p := a.Policy; p != nil {
		rules := []string{}
		if p.Default != "" {
			rules = append(rules, "default: "+p.Default)
		}
		for _, tool := range slices.Sorted(maps.Keys(p.Tools)) {
			rules = append(rules, trust.Word(tool)+": "+trust.Word(p.Tools[tool]))
		}
		add("Tool policy", shown(strings.Join(rules, ", ")))
	}
	if s := a.Security; s != nil {
		add("Blocked commands", words(s.BlockedCommands))
		add("Commands it asks about", words(s.AskConfirmationCommands))
		add("Allowed addresses", words(s.AllowedAddresses))
	}
	return out
}

// stateWord is a state for a person. With --json it stays as the hub has it.
func stateWord(state string) i18n.Text {
	switch consent.State(state) {
	case consent.Asked:
		return i18n.T("asked")
	case consent.Changed:
		return i18n.T("changed")
	case consent.Allowed:
		return i18n.T("allowed")
	case consent.Refused:
		return i18n.T("refused")
	}
	return i18n.T("%s", term.OneLine(state, 40)) // of a newer hub
}

// unusedWord is the state of a permission of an agent that isn't in the team.
func unusedWord() i18n.Text { return i18n.T("allowed, not in use") }

// shown is a text of the team in one line, so that no part of it can look like a line of the program.
func shown(text string) string { return term.Inline(text) }

func words(list []string) string { return shown(trust.Words(list)) }
