package a2aserver

import (
	"context"
	"fmt"
	"strings"

	"agentflow/backend/base/errcode"
	"agentflow/backend/server/auth"
	"agentflow/backend/work/inbox"
	"agentflow/backend/work/task"
)

// asked returns the open questions of the task and its subtasks, oldest first.
func (d *Handler) asked(ctx context.Context, t *task.Task) []inbox.Entry {
	waiting := d.Inbox.Waiting()
	if len(waiting) == 0 || t.Status.Ended() {
		return nil
	}
	mine := map[string]bool{}
	d.family(ctx, t, mine)
	var out []inbox.Entry
	for _, q := range waiting {
		if mine[q.Task] {
			out = append(out, q)
		}
	}
	return out
}

// askedAll lists the tasks that wait for an answer: those with an open question, and their ancestors.
func (d *Handler) askedAll(ctx context.Context) []task.ID {
	out, seen := []task.ID{}, map[task.ID]bool{"": true}
	for _, q := range d.Inbox.Waiting() {
		for id := task.ID(q.Task); !seen[id]; {
			seen[id] = true
			t, err := d.Coordinator.Task(ctx, id)
			if err != nil {
				break
			}
			if !t.Status.Ended() {
				out = append(out, id)
			}
			if t.Trace != nil {
				id = t.Trace.Parent
			}
		}
	}
	return out
}

// family collects the IDs of a task and its descendants.
func (d *Handler) family(ctx context.Context, t *task.Task, ids map[string]bool) {
	ids[string(t.ID)] = true
	for _, id := range t.Given {
		if ids[string(id)] {
			continue
		}
		if part, err := d.Coordinator.Task(ctx, id); err == nil {
			d.family(ctx, &part, ids)
		}
	}
}

// inWords formats a question for another agent.
func inWords(q *inbox.Entry) string {
	if q.Tool == "" {
		return q.Text
	}
	text := fmt.Sprintf("%s wants to use the tool %s of %s", q.Agent, q.Tool, q.From)
	if q.Workspace != "" {
		text += " in the folder " + q.Workspace
	}
	if len(q.Arguments) > 0 {
		text += ": " + string(q.Arguments)
	}
	return text + "\nAnswer with once, always or deny; what follows that word is told to the agent."
}

// answer passes a message to the task's oldest open question.
func (d *Handler) answer(ctx context.Context, t *task.Task, text string) error {
	waiting := d.asked(ctx, t)
	if len(waiting) == 0 {
		return errcode.New(errcode.Conflict, "the task %s waits for no answer: it is %s", t.ID, t.Status)
	}
	q := waiting[0]
	if q.Tool != "" && !auth.Owner(ctx) {
		return errcode.New(errcode.Forbidden,
			"whether a tool may be used is for the owner to say: the question waits in the inbox")
	}
	choice, word := inbox.Once, text
	if q.Tool != "" {
		first, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
		switch strings.ToLower(strings.Trim(first, ".,:;!")) {
		case "once", "yes":
			choice = inbox.Once
		case "always":
			choice = inbox.Always
		case "deny", "no":
			choice = inbox.Deny
		default:
			return errcode.New(errcode.Validation,
				"the question is whether a tool may be used: begin the answer with once, always or deny")
		}
		word = strings.TrimSpace(rest)
	}
	_, err := d.Inbox.Answer(ctx, q.ID, choice, word)
	return err
}
