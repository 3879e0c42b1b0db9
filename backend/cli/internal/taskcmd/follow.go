package taskcmd

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/hubclient"
	"agentflow/backend/cli/internal/term"
	"agentflow/backend/work/coordinator"
	"agentflow/backend/work/task"
)

// Waits between two tries to come back to a hub.
const (
	firstWait = 250 * time.Millisecond
	lastWait  = 5 * time.Second
	giveUp    = 2 * time.Minute
)

var errEnd = errors.New("the task has ended")

// follow prints a task's events to its end, over cuts of the connection and restarts of
// the hub. It returns nil if the task was completed, and exit code 1 if it failed or was
// canceled. With whole, it prints the answer at the end, and nothing of attempts that failed.
func (p program) follow(ctx context.Context, c *hubclient.Client, id task.ID, after int64, whole bool) error {
	f := &follower{program: p, after: after, whole: whole,
		detail: func() (coordinator.Detail, error) { return detail(ctx, c, id) }}
	wait, lost := firstWait, time.Time{}
	for {
		before := f.after
		err := c.Events(ctx, taskPath(string(id), "/events?after="+strconv.FormatInt(f.after, 10)), f.event)
		switch {
		case errors.Is(err, errEnd):
			return f.outcome()
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case after == f.after && lost.IsZero() && errcode.HasReason(err, errcode.ReasonLinkDown):
			return err // it was never there
		case !broken(err):
			return err
		}
		if f.after > before || lost.IsZero() {
			wait, lost = firstWait, time.Now()
		}
		if time.Since(lost) > giveUp {
			return errcode.Wrap(errcode.Unavailable, err, "lost the connection to the hub at %s. The task continues there. Follow it with agentflow task watch", c.URL()).
				With(errcode.KeyReason, errcode.ReasonLinkDown)
		}
		p.Screen.Progress("lost the connection to the hub, reconnecting …")
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(wait):
			wait = min(2*wait, lastWait)
		}
	}
}

// broken reports whether a stream ended because the hub or the way to it was gone.
func broken(err error) bool {
	if _, coded := errors.AsType[*errcode.Error](err); coded {
		return errcode.HasReason(err, errcode.ReasonLinkDown)
	}
	return err != nil
}

// toldEvent is an event, with why nobody works on the task.
type toldEvent struct {
	task.Event
	Waits *coordinator.Waits `json:"waits,omitempty"`
}

// follower prints one task.
type follower struct {
	program
	detail func() (coordinator.Detail, error)
	after  int64
	whole  bool            // the answer is printed at the end
	text   strings.Builder // the answer so far, of the last attempt that isn't a review
	waits  string          // why nobody works on it, as it was told last
	mid    bool            // text was printed, and its line is open
	said   bool            // the last attempt that isn't a review has printed its answer
	review bool            // the attempt that runs is a review, whose text is no answer
	end    task.Event
}

func (f *follower) event(_ string, data []byte) error {
	var e task.Event
	if err := json.Unmarshal(data, &e); err != nil {
		return errcode.Wrap(errcode.Internal, err, "couldn't read the hub's events")
	}
	f.after = e.Seq
	told := toldEvent{Event: e}
	if e.Type == task.EventStatus && e.Status == task.Pending {
		if now, err := f.detail(); err == nil { // a cut of the connection ends the stream as well
			told.Waits = now.Waits
		}
	}
	if f.Screen.JSON {
		if err := f.Screen.Line(told); err != nil {
			return err
		}
	} else if e.Type == task.EventDelta {
		f.delta(e.Text)
	} else {
		f.attempt(e)
		f.note(e)
		if line := f.waitsLine(told.Waits); line != "" && line != f.waits && told.Waits.Reason != coordinator.WaitsForTurn {
			f.waits = line
			f.Screen.Note("%s", line)
		}
	}
	if e.Type != task.EventEnd {
		return f.Screen.Failed()
	}
	f.end = e
	return errEnd
}

// delta is a part of an attempt's text.
func (f *follower) delta(text string) {
	switch {
	case f.review:
	case f.whole:
		f.text.WriteString(text)
	default:
		f.Screen.Print("%s", term.Clean(text))
		f.mid, f.said = true, true
	}
}

// attempt notes that an attempt starts. What an earlier attempt wrote ends with its line.
func (f *follower) attempt(e task.Event) {
	if e.Type != task.EventStatus || e.Agent == "" {
		return
	}
	if f.mid {
		f.Screen.Print("\n")
		f.mid = false
	}
	f.review = e.Review
	f.said = f.said && f.review
	if f.review {
		f.Screen.Note("%s reviews the result", term.OneLine(e.Agent, 100))
		return
	}
	f.text.Reset()
	if e.Attempt > 1 {
		f.Screen.Note("trying again: attempt %d, %s", e.Attempt, term.OneLine(e.Agent, 100))
	}
}

func (f *follower) outcome() error {
	if f.mid {
		f.Screen.Print("\n")
	} else if f.end.Status == task.Completed && !f.said {
		f.Screen.Print("%s\n", term.Clean(cmp.Or(f.text.String(), answerOf(f.end.Result))))
	}
	if f.end.Status == task.Completed {
		return nil
	}
	if f.end.Status == task.Canceled {
		if !f.Screen.JSON {
			f.Screen.Note("agentflow: the task was canceled")
		}
		return term.ExitError(term.Failed)
	}
	if !f.Screen.JSON {
		f.Screen.Note("agentflow: the task failed: %s", term.Clean(f.Screen.Why(f.end.ErrorMessage, f.end.Cause)))
	}
	return term.ExitError(term.Failed)
}

// The lines that a task's log has for a tool: with its arguments, and with its error.
var (
	usesTool   = regexp.MustCompile(`(?s)^uses (\w[\w.-]*)(.*)$`)
	toolFailed = regexp.MustCompile(`(?s)^(\w[\w.-]*) failed: (.*)$`)
)

// step words a step of the work that has a cause; "" for anything else.
func (p program) step(c *errcode.Cause) string {
	if c == nil {
		return ""
	}
	agent, from, said := c.Params[task.KeyAgent], c.Params[task.KeyFrom], c.Params[task.KeySaid]
	switch c.Code {
	case task.CauseGave:
		return p.Screen.Say("task created for %s", agent)
	case task.CauseAccepted:
		return p.Screen.Say("%s accepted the result of %s", agent, from)
	case task.CauseNotAccepted:
		return p.Screen.Say("%s rejected the result of %s: %s", agent, from, said)
	}
	return ""
}

// note tells of a status or a log line, for a person who looks.
func (p program) note(e task.Event) {
	switch e.Type {
	case task.EventLog:
		text, attempt := p.Screen.Words(e.Text), 0
		if step := p.step(e.Cause); step != "" {
			text = step
		} else if _, err := fmt.Sscanf(e.Text, "attempt %d failed:", &attempt); err == nil {
			_, why, _ := strings.Cut(e.Text, ": ")
			text = p.Screen.Say("attempt %d failed: %s", attempt, p.Screen.Why(why, e.Cause))
		} else if used := usesTool.FindStringSubmatch(e.Text); used != nil {
			text = p.Screen.Say("uses %s%s", used[1], used[2])
		} else if failed := toolFailed.FindStringSubmatch(e.Text); failed != nil {
			text = p.Screen.Say("%s failed: %s", failed[1], p.Screen.Words(failed[2]))
		}
		p.Screen.Note("%s", term.OneLine(text, 2000))
	case task.EventStatus:
		if e.Progress != nil && *e.Progress > 0 {
			p.Screen.Progress("%s, %.0f %%", statusWord(e.Status), *e.Progress)
		} else {
			p.Screen.Progress("%s", statusWord(e.Status))
		}
	}
}
