package task

import (
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"
)

// Summary is a task in a list: its title and state.
type Summary struct {
	ID           ID        `json:"taskId"`
	Title        string    `json:"title" doc:"First line of the task, at most 160 characters."`
	Type         Type      `json:"taskType"`
	Status       Status    `json:"status" enum:"pending,in_progress,completed,failed,canceled"`
	Progress     float64   `json:"progress"`
	Agent        string    `json:"agent,omitempty" doc:"Agent that runs or ran the task. Before that, the agent it is assigned to."`
	Attempts     int       `json:"attempts" doc:"Number of attempts, without reviews and without those that a review asked for."`
	Rejections   int       `json:"rejections,omitempty" doc:"How many times a review rejected the result."`
	ErrorMessage string    `json:"errorMessage,omitempty" doc:"Why it failed or was canceled, at most 300 characters."`
	ExitCode     int       `json:"exitCode,omitempty" doc:"Exit code of a command that failed, although the task is completed."`
	TimedOut     bool      `json:"timedOut,omitempty" doc:"The command of a completed task took too long and was ended."`
	Queued       bool      `json:"queued,omitempty" doc:"The task is in progress, but no attempt runs now."`
	Held         bool      `json:"held,omitempty" doc:"The task comes from a restored backup and waits for a person."`
	Parent       ID        `json:"parent,omitempty" doc:"Task that delegated this one."`
	CreatedAt    time.Time `json:"createdAt"`
	StartedAt    time.Time `json:"startedAt,omitzero" doc:"Start of the first attempt."`
	UpdatedAt    time.Time `json:"updatedAt" doc:"Time of the last change. For an ended task, its end."`
}

const (
	maxTitle   = 160
	maxExcerpt = 300
)

// Summary returns the task's entry in a list.
func (t *Task) Summary() Summary {
	s := Summary{
		ID: t.ID, Title: cut(strings.TrimSpace(firstLine(t.Prompt)), maxTitle), Type: t.Type, Status: t.Status, Progress: t.Progress,
		Agent: t.Agent(), ErrorMessage: cut(t.ErrorMessage, maxExcerpt), CreatedAt: t.CreatedAt, UpdatedAt: t.UpdatedAt,
	}
	s.Attempts, s.Rejections = t.tried()
	s.StartedAt = t.Began()
	s.ExitCode, s.TimedOut = t.commandEnd()
	s.Queued = t.Status == InProgress && !t.Open()
	s.Held = t.Held && !t.Status.Ended()
	if t.Trace != nil {
		s.Parent = t.Trace.Parent
	}
	return s
}

// tried counts the attempts, without reviews and without those that a review asked for, and the rejections of reviews.
func (t *Task) tried() (attempts, rejections int) {
	rejected := false
	for i := range t.Attempts {
		a := &t.Attempts[i]
		switch {
		case a.Review:
			rejected = true // if work follows
		case rejected:
			rejected = false
		default:
			attempts++
		}
	}
	if t.Review != nil {
		rejections = len(t.Review.Refusals)
	}
	return attempts, rejections
}

// commandEnd returns how the command of a completed task ended, or zero values if the task isn't one.
func (t *Task) commandEnd() (exitCode int, timedOut bool) {
	if t.Type != CommandExecution || t.Status != Completed {
		return 0, false
	}
	var r struct {
		ExitCode int  `json:"exitCode"`
		TimedOut bool `json:"timedOut"`
	}
	if json.Unmarshal(t.Result, &r) != nil { // an agent elsewhere can return any result
		return 0, false
	}
	return r.ExitCode, r.TimedOut
}

// Agent returns the agent that does or did the work last, not a reviewer; before that, the requested agent, or "".
func (t *Task) Agent() string {
	for i := len(t.Attempts) - 1; i >= 0; i-- {
		if !t.Attempts[i].Review {
			return t.Attempts[i].Agent
		}
	}
	w, err := t.Options()
	if err != nil {
		return ""
	}
	return w.Agent
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimLeft(text, " \t\r\n"), "\n")
	return line
}

func cut(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}

// Matching returns a filter for tasks of an agent ("" is any) that contain all the search words, in any order and
// case.
func Matching(agent, search string) func(*Task) bool {
	words := strings.Fields(strings.ToLower(search))
	return func(t *Task) bool {
		if agent != "" && t.Agent() != agent {
			return false
		}
		if len(words) == 0 {
			return true
		}
		text := strings.ToLower(t.Prompt + "\n" + string(t.ID))
		for _, w := range words {
			if !strings.Contains(text, w) {
				return false
			}
		}
		return true
	}
}
