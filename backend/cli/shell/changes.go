package shell

import (
	"encoding/json"
	"fmt"
	"strings"

	"agentflow/backend/cli/term"
	"agentflow/backend/errcode"
	"agentflow/backend/topology"
)

const shownValue = 100 // letters of a value in a line

// describe is a change in one line, after its sign.
func describe(c topology.Change) string {
	text := subject(c.Subject, c.Agent, c.Kind, c.Target, c.Item)
	if c.Field != "" {
		text += " " + c.Field
	}
	switch {
	case c.Field != "" && len(c.Before) > 0 && len(c.After) > 0:
		text += ": " + value(c.Before) + " -> " + value(c.After)
	case c.Field != "" && len(c.After) > 0:
		text += ": " + value(c.After)
	case c.Field != "" && len(c.Before) > 0:
		text += ": " + value(c.Before) + " -> (none)"
	case c.Subject == topology.SubjectAgent:
		text += nameIn(c.After, c.Before)
	}
	if c.Dangling {
		text += " (leads to nobody)"
	}
	return text
}

func subject(s topology.Subject, agent topology.AgentID, kind topology.Kind, target topology.AgentID, item string) string {
	switch s {
	case topology.SubjectConnection:
		text := fmt.Sprintf("connection %s -%s-> %s", agent, kind, target)
		if item != "" {
			text += " (" + item + ")"
		}
		return text
	case topology.SubjectGroup, topology.SubjectNote:
		return string(s) + " " + item
	}
	return strings.TrimSpace(string(s) + " " + string(agent))
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

func value(raw json.RawMessage) string {
	if len(raw) == 0 {
		return "(none)"
	}
	return term.OneLine(string(raw), shownValue)
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

// CleanChange is a change in one line, without its sign, fit for a terminal.
func CleanChange(c topology.Change) string { return term.OneLine(describe(c), 400) }

// Change prints one change with its sign.
func (s *Shell) Change(c topology.Change, remark string) {
	color := map[topology.Op]string{topology.Added: term.Green, topology.Removed: term.Red}[c.Op]
	if color == "" {
		color = term.Yellow
	}
	line := s.Screen.Paint(color, Sign(c.Op)+" "+CleanChange(c))
	if remark != "" {
		line += "  [" + remark + "]"
	}
	s.Screen.Print("%s\n", line)
}

// conflict tells of one conflict with its sides, on standard error.
func (s *Shell) conflict(c topology.Conflict) {
	text := subject(c.Subject, c.Agent, c.Kind, c.Target, "")
	if c.Field != "" {
		text += " " + c.Field
	}
	s.Screen.Note("conflict: %s (%s)\n  base:   %s\n  mine:   %s\n  theirs: %s", term.Clean(text), c.Reason, value(c.Base), value(c.Mine), value(c.Theirs))
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
		s.Screen.Note("dropped, because the other side removed the target: %s", CleanChange(c))
	}
}

// Collides tells of the conflicts of a merge and returns the error that ends the command.
func (s *Shell) Collides(merged topology.Merged, remedy string) error {
	if !s.Screen.JSON {
		for _, c := range merged.Conflicts {
			s.conflict(c)
		}
	}
	return errcode.New(errcode.Conflict, "%s collide, nothing was written: %s", Plural(len(merged.Conflicts), "change"), remedy).
		With(errcode.KeyReason, "merge_conflict").With("conflicts", merged.Conflicts)
}
