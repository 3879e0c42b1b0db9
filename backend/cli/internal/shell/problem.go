package shell

import (
	"agentflow/backend/base/i18n"
	"agentflow/backend/cli/internal/term"
	"agentflow/backend/team/lint"
	"agentflow/backend/team/topology"
)

// Problem is a problem of a team with its remedy, in one line, whole. Its values come from the team, and a person
// decides by them: they are shown exactly, whatever the language.
func (s *Shell) Problem(p topology.Problem) string {
	message, remedy, ok := lint.Formats(p)
	if !ok { // of a newer program, whose words are shown as they are
		message, remedy = lint.Format{Text: "%s", Values: []lint.Value{{Text: p.Message}}},
			lint.Format{Text: "%s", Values: []lint.Value{{Text: p.Remedy}}}
	}
	if p.Remedy == "" {
		return s.Screen.Say("%s", problemText(message))
	}
	return s.Screen.Say("%s%s", problemText(message), i18n.T(" (%s)", problemText(remedy)))
}

func problemText(f lint.Format) i18n.Text {
	values := make([]any, len(f.Values))
	for i, v := range f.Values {
		values[i] = term.Inline(v.Text)
		if v.Translatable {
			values[i] = i18n.T(v.Text)
		}
	}
	return i18n.T(f.Text, values...)
}
