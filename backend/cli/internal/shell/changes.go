package shell

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/i18n"
	"agentflow/backend/cli/internal/term"
	"agentflow/backend/team/topology"
)

// Letters of a value, and of a change, where it is one of several things that a line tells.
const (
	shownValue  = 100
	shownChange = 400
)

// describe is a change in one line, after its sign, with so many letters of each value.
func (s *Shell) describe(c topology.Change, most int) string {
	text := s.subject(c.Subject, c.Agent, c.Kind, c.Target, c.Item)
	if c.Field != "" {
		text += " " + fieldOf(c.Field)
	}
	switch {
	case c.Field != "" && len(c.Before) > 0 && len(c.After) > 0:
		text += ": " + s.value(c.Before, most) + " -> " + s.value(c.After, most)
	case c.Field != "" && len(c.After) > 0:
		text += ": " + s.value(c.After, most)
	case c.Field != "" && len(c.Before) > 0:
		text += ": " + s.value(c.Before, most) + " -> " + s.value(nil, most)
	case c.Subject == topology.SubjectAgent:
		text += nameIn(c.After, c.Before)
	}
	if c.Dangling {
		return s.Screen.Say("%s (leads to nobody)", text)
	}
	return text
}

// subject names what a change is about. Words from the file stay as they are written there.
func (s *Shell) subject(
	subject topology.Subject,
	agent topology.AgentID,
	kind topology.Kind,
	target topology.AgentID,
	item string,
) string {
	switch subject {
	case topology.SubjectConnection:
		text := s.Screen.Say("connection %s -%s-> %s", agent, kind, target)
		if item != "" {
			text += " (" + item + ")"
		}
		return text
	case topology.SubjectGroup:
		return s.Screen.Say("group %s", item)
	case topology.SubjectNote:
		return s.Screen.Say("note %s", item)
	case topology.SubjectBinding:
		return strings.TrimSpace(s.Screen.Say("binding %s", item))
	case topology.SubjectBroadcast:
		return s.Screen.Say("broadcast group")
	case topology.SubjectDefaults:
		return s.Screen.Say("every agent")
	case topology.SubjectMessages:
		return s.Screen.Say("messages between agents")
	case topology.SubjectAgent:
		return strings.TrimSpace(s.Screen.Say("agent %s", agent))
	case topology.SubjectTeam:
		return s.Screen.Say("team")
	case topology.SubjectLayout:
		return strings.TrimSpace(s.Screen.Say("layout %s", agent))
	}
	return strings.TrimSpace(string(subject) + " " + string(agent))
}

// nameIn shows the name of an agent that comes or goes.
func nameIn(values ...json.RawMessage) string {
	for _, v := range values {
		var a topology.Agent
		if len(v) > 0 && json.Unmarshal(v, &a) == nil && a.Name != "" {
			return fmt.Sprintf(" (%s)", term.OneLine(a.Name, shownValue))
		}
	}
	return ""
}

func (s *Shell) value(raw json.RawMessage, most int) string {
	if len(raw) == 0 {
		return s.Screen.Say("(none)")
	}
	return term.OneLine(string(raw), most)
}

// Sign is a change's operation as one letter.
func Sign(op topology.Op) string {
	switch op {
	case topology.Added:
		return "+"
	case topology.Removed:
		return "-"
	}
	return "~"
}

// CleanChange is a change in one short line, without its sign, fit for a terminal.
func (s *Shell) CleanChange(c topology.Change) string {
	return term.OneLine(s.describe(c, shownValue), shownChange)
}

// Change prints one change with its sign, and its values whole.
func (s *Shell) Change(c topology.Change, remark string) {
	color := map[topology.Op]string{topology.Added: term.Green, topology.Removed: term.Red}[c.Op]
	if color == "" {
		color = term.Yellow
	}
	line := s.Screen.Paint(color, Sign(c.Op)+" "+term.OneLine(s.describe(c, math.MaxInt), math.MaxInt))
	if remark != "" {
		line += "  [" + remark + "]"
	}
	s.Screen.Print("%s\n", line)
}

// fieldOf is a field as the team file names it: there, the keys of an agent that AgentFlow doesn't know stand beside
// those that it knows.
func fieldOf(field string) string { return strings.TrimPrefix(field, "extra.") }

// conflict tells of one conflict with its sides, on standard error.
func (s *Shell) conflict(c topology.Conflict) {
	text := s.subject(c.Subject, c.Agent, c.Kind, c.Target, "")
	if c.Field != "" {
		text += " " + fieldOf(c.Field)
	}
	s.Screen.Note("conflict: %s (%s)\n  base:   %s\n  mine:   %s\n  theirs: %s", term.Clean(text), c.Reason,
		s.value(c.Base, math.MaxInt), s.value(c.Mine, math.MaxInt), s.value(c.Theirs, math.MaxInt))
}

// OrNone makes an absent list an empty one, as JSON needs it.
func OrNone[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// TellDropped names what a merge let fall.
func (s *Shell) TellDropped(dropped topology.ChangeSet) {
	for _, c := range dropped {
		s.Screen.Note("removed, because its target was removed on the other side: %s", s.CleanChange(c))
	}
}

// Collides tells of the conflicts of a merge and returns the error that ends the command.
func (s *Shell) Collides(merged topology.Merged, remedy i18n.Text) error {
	if !s.Screen.JSON {
		for _, c := range merged.Conflicts {
			s.conflict(c)
		}
	}
	return errcode.New(errcode.Conflict,
		"%s in conflict. Nothing was written. %s", Plural(len(merged.Conflicts), "change"), remedy).
		With(errcode.KeyReason, "merge_conflict").
		With("conflicts", merged.Conflicts)
}
