package planexec

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"agentflow/backend/base/errcode"
	"agentflow/backend/plan/planner"
	"agentflow/backend/plan/runner"
)

const tailKept = 16 << 10 // bytes of a worker's output

// say adds an event to the output of a task.
func (at *report) say(e runner.Event) {
	line, own, cause := lineOf(e)
	if line == "" {
		return
	}
	if own > 0 {
		at.Own = append(at.Own,
			planner.OwnLine{Line: strings.Count(at.Output, "\n"), Chars: own, Cause: *cause})
	}
	all := at.Output + line + "\n"
	at.Output = tail(all)
	cut := all[:len(all)-len(at.Output)]
	if cut == "" {
		return
	}
	gone, kept := strings.Count(cut, "\n"), at.Own[:0]
	for _, o := range at.Own {
		if o.Line -= gone; o.Line > 0 || o.Line == 0 && strings.HasSuffix(cut, "\n") {
			kept = append(kept, o)
		}
	}
	at.Own = kept
}

// lineOf returns an event as text, the number of characters at its start that aren't the worker's or the planner's,
// and what they say.
func lineOf(e runner.Event) (line string, own int, cause *errcode.Cause) {
	text := strings.TrimSpace(e.Text)
	whole := func(line string, cause *errcode.Cause) (string, int, *errcode.Cause) {
		return line, utf8.RuneCountInString(line), cause
	}
	switch {
	case e.Worker != nil:
		return strings.TrimSpace(e.Worker.Text), 0, nil
	case e.Type == runner.EventTest && e.ExitCode != nil:
		head, own, cause := whole("test: "+runner.ExitCode(*e.ExitCode),
			(&errcode.Cause{Code: "tested"}).About("exit", strconv.Itoa(*e.ExitCode)))
		return strings.TrimSpace(head + "\n" + e.Text), own, cause
	case e.Type == runner.EventMerge && e.Merged:
		return whole("merged into "+e.Branch, (&errcode.Cause{Code: "merged"}).About("branch", e.Branch))
	case e.Type == runner.EventResumed:
		return whole(fmt.Sprintf("resumed after %d steps", e.Steps),
			(&errcode.Cause{Code: "resumed"}).About("n", strconv.Itoa(e.Steps)))
	case e.Type == runner.EventEnd || text == "":
		return "", 0, nil
	case e.Cause != nil && !strings.Contains(text, "\n"):
		return whole(e.Type+": "+text, e.Cause)
	}
	head := e.Type + ": "
	return head + text, len(head), &errcode.Cause{Code: e.Type}
}

// tail returns the end of a text, from a whole line on.
func tail(text string) string {
	if len(text) <= tailKept {
		return text
	}
	text = text[len(text)-tailKept:]
	if _, rest, ok := strings.Cut(text, "\n"); ok && rest != "" {
		return rest
	}
	for text != "" && !utf8.RuneStart(text[0]) {
		text = text[1:]
	}
	return text
}
