package taskcmd

import (
	"slices"
	"strings"
	"time"

	"agentflow/backend/base/i18n"
	"agentflow/backend/cli/internal/term"
	"agentflow/backend/work/coordinator"
)

// maxNamed bounds how many agents a line names.
const maxNamed = 3

// waitsLine says in one line why nobody works on a task, and what ends that; "" if somebody does.
func (p program) waitsLine(w *coordinator.Waits) string {
	if w == nil {
		return ""
	}
	var names, reasons, from []string
	for _, a := range w.Agents[:min(len(w.Agents), maxNamed)] {
		names = append(names, term.OneLine(string(a.Agent), 100))
		why := strings.TrimRight(term.OneLine(p.Screen.Words(a.Why), 300), ".。")
		if why == "" {
			why = names[len(names)-1]
		}
		if !slices.Contains(reasons, why) {
			reasons = append(reasons, why)
		}
	}
	for _, id := range w.From {
		from = append(from, term.OneLine(string(id), 100))
	}
	line := p.Screen.Say("%s",
		reasonLine(w, strings.Join(names, ", "), strings.Join(reasons, "; "), strings.Join(from, ", ")))
	if w.Ahead > 0 {
		line = p.Screen.Say("%s Tasks ahead of it: %d.", line, w.Ahead)
	}
	return line
}

func reasonLine(w *coordinator.Waits, agents, why, from string) i18n.Text {
	switch w.Reason {
	case coordinator.WaitsForTeam:
		return i18n.T("waits for a team. Create one and apply it.")
	case coordinator.WaitsForAgent:
		return i18n.T("waits for %s, which isn't in the applied team.", agents)
	case coordinator.WaitsForConnection:
		return i18n.T("waits for a connection: %s has no Delegate connection to %s. Add one and apply it.", from,
			agents)
	case coordinator.WaitsForAbility:
		return i18n.T("no available agent can run this type of task: %s.", why)
	case coordinator.WaitsForRetry:
		at := w.Until.Local().Format(time.TimeOnly)
		if agents != "" { // it rejected the task for now
			return i18n.T("%s: %s. The next attempt starts at %s.", agents, why, at)
		}
		return i18n.T("the last attempt failed. The next one starts at %s.", at)
	case coordinator.WaitsForFree:
		return i18n.T("waits for an agent to become available: %s.", agents)
	case coordinator.WaitsForContact:
		return i18n.T("waits for a remote agent: %s.", why)
	case coordinator.WaitsForTrust:
		only := ""
		for _, a := range w.Agents {
			only += " --agent " + term.OneLine(string(a.Agent), 100)
		}
		return i18n.T("waits for trust: %s. Allow it with: agentflow trust allow local%s", agents, only)
	case coordinator.WaitsForTurn:
		return i18n.T("starts soon.")
	case coordinator.WaitsForResume:
		return i18n.T("paused, because a restored backup brought it. Resume or cancel it.")
	}
	return i18n.T("waits: %s", string(w.Reason))
}
