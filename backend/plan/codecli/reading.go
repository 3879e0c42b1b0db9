package codecli

import (
	"encoding/json"
	"fmt"
	"strings"

	"agentflow/backend/base/proc"
)

// reading collects a CLI's reports.
type reading struct {
	tell   func(Event)
	out    proc.HeadTailBuffer
	read   func(*reading, map[string]any)
	v      Verdict
	closed bool   // it reported the end of its work
	fault  string // the reported failure of the whole work
	said   string // the last reported error, which may have been retried

	used map[string][2]int // tokens in and out so far, by message
}

// line handles one line of output. It ignores other output: programs print greetings and warnings.
func (r *reading) line(line []byte, cut bool) error {
	if cut {
		r.say(Event{Kind: EventLog, Text: fmt.Sprintf("an event longer than %d bytes was not read", maxLine)})
		return nil
	}
	var e map[string]any
	if json.Unmarshal(shorten(line), &e) == nil && e != nil {
		r.read(r, e)
	}
	return nil
}

const maxShown = 2000 // characters of an event's text

func (r *reading) say(e Event) {
	if runes := []rune(e.Text); len(runes) > maxShown {
		e.Text = string(runes[:maxShown]) + "…"
	}
	if r.tell != nil && strings.TrimSpace(e.Text) != "" {
		r.tell(e)
	}
}

func (r *reading) command(text string, failed bool) {
	r.v.Commands++
	if failed {
		r.v.Failed++
	}
	r.say(Event{Kind: EventCommand, Text: text, Failed: failed})
}

func (r *reading) message(text string) {
	r.v.Message = text
	r.say(Event{Kind: EventText, Text: text})
}

// verdict judges the reports and the end of the process.
func (r *reading) verdict(res proc.Result) Verdict {
	v := r.v
	v.ExitCode, v.Signal, v.Output = res.Code, res.Signal, r.out.Text()
	switch {
	case r.fault != "":
		v.Reason = r.fault
	case v.Signal != "":
		v.Reason = "it was ended by a signal (" + v.Signal + ")"
	case !r.closed && r.said != "":
		v.Reason = r.said
	case !r.closed:
		v.Reason = fmt.Sprintf("it ended with exit code %d without reporting the end of its work", v.ExitCode)
		if said := strings.TrimSpace(res.Said); said != "" {
			v.Reason += ": " + said[strings.LastIndexByte(said, '\n')+1:]
		}
	case v.ExitCode != 0:
		v.Reason = fmt.Sprintf("it ended with exit code %d", v.ExitCode)
	default:
		v.Finished = true
	}
	return v
}

// at follows keys into nested objects; nil if one is missing.
func at(e map[string]any, way ...string) any {
	var v any = e
	for _, key := range way {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[key]
	}
	return v
}

func text(e map[string]any, way ...string) string { s, _ := at(e, way...).(string); return s }

func number(e map[string]any, way ...string) int { n, _ := at(e, way...).(float64); return int(n) }

func objects(v any) (all []map[string]any) {
	list, _ := v.([]any)
	for _, x := range list {
		if m, ok := x.(map[string]any); ok {
			all = append(all, m)
		}
	}
	return all
}

func readCodex(r *reading, e map[string]any) {
	switch text(e, "type") {
	case "thread.started":
		r.v.Session = text(e, "thread_id")
	case "turn.completed":
		r.closed = true
		r.v.TokensIn += number(e, "usage", "input_tokens")
		r.v.TokensOut += number(e, "usage", "output_tokens")
	case "turn.failed":
		r.fault = or(text(e, "error", "message"), "its turn failed")
	case "error":
		r.said = text(e, "message")
		r.say(Event{Kind: EventLog, Text: r.said})
	case "item.completed":
		readCodexItem(r, e)
	}
}

func readCodexItem(r *reading, e map[string]any) {
	switch text(e, "item", "type") {
	case "agent_message":
		r.message(text(e, "item", "text"))
	case "command_execution":
		code, has := at(e, "item", "exit_code").(float64)
		r.command(text(e, "item", "command"), text(e, "item", "status") == "failed" || has && code != 0)
	case "file_change":
		for _, c := range objects(at(e, "item", "changes")) {
			r.say(Event{
				Kind:   EventFile,
				Text:   text(c, "kind") + " " + text(c, "path"),
				Failed: text(e, "item", "status") == "failed",
			})
		}
	case "error":
		r.say(Event{Kind: EventLog, Text: text(e, "item", "message")})
	}
}

// uses updates a message's use so far, which its pieces repeat. The report at the end of the work takes precedence.
func (r *reading) uses(message string, in, out int) {
	if r.used == nil {
		r.used = map[string][2]int{}
	}
	before := r.used[message]
	now := [2]int{max(before[0], in), max(before[1], out)}
	r.used[message] = now
	r.v.TokensIn += now[0] - before[0]
	r.v.TokensOut += now[1] - before[1]
}

func readClaude(r *reading, e map[string]any) {
	switch text(e, "type") {
	case "system":
		r.v.Session = or(text(e, "session_id"), r.v.Session)
	case "assistant":
		r.uses(text(e, "message", "id"), number(e, "message", "usage", "input_tokens"),
			number(e, "message", "usage", "output_tokens"))
		for _, block := range objects(at(e, "message", "content")) {
			switch text(block, "type") {
			case "text":
				r.message(text(block, "text"))
			case "tool_use":
				input, _ := json.Marshal(block["input"])
				r.say(Event{Kind: EventCommand, Text: text(block, "name") + " " + string(input)})
			}
		}
	case "user":
		for _, block := range objects(at(e, "message", "content")) {
			if failed, _ := block["is_error"].(bool); text(block, "type") == "tool_result" {
				if r.v.Commands++; failed {
					r.v.Failed++
				}
			}
		}
	case "result":
		r.closed = true
		r.v.Message = or(text(e, "result"), r.v.Message)
		r.v.TokensIn, r.v.TokensOut = number(e, "usage", "input_tokens"), number(e, "usage", "output_tokens")
		r.v.Cost, _ = e["total_cost_usd"].(float64)
		if failed, _ := e["is_error"].(bool); failed { // its subtype may still be success
			r.fault = or(text(e, "result"), text(e, "terminal_reason"), "it reported an error")
		} else if sub := text(e, "subtype"); sub != "success" {
			r.fault = "it ended with " + sub
		}
		for _, d := range objects(e["permission_denials"]) {
			r.v.Failed++
			r.say(Event{Kind: EventLog, Text: "was not allowed to use " + text(d, "tool_name"), Failed: true})
		}
	}
}

func readGemini(r *reading, e map[string]any) {
	switch text(e, "type") {
	case "init":
		r.v.Session = text(e, "session_id")
	case "message":
		if text(e, "role") == "user" {
			return
		}
		if delta, _ := e["delta"].(bool); delta {
			r.v.Message += text(e, "content")
			r.say(Event{Kind: EventText, Text: text(e, "content")})
			return
		}
		r.message(text(e, "content"))
	case "tool_use":
		input, _ := json.Marshal(e["parameters"])
		r.say(Event{Kind: EventCommand, Text: text(e, "tool_name") + " " + string(input)})
	case "tool_result":
		if r.v.Commands++; text(e, "status") != "success" {
			r.v.Failed++
		}
	case "error":
		r.said = text(e, "message")
		r.say(Event{Kind: EventLog, Text: r.said, Failed: true})
	case "result":
		r.closed = true
		r.v.TokensIn, r.v.TokensOut = number(e, "stats", "input_tokens"), number(e, "stats", "output_tokens")
		if status := text(e, "status"); status != "success" {
			r.fault = or(text(e, "error", "message"), "it ended with "+status)
		}
	}
}

func readOpenCode(r *reading, e map[string]any) {
	switch text(e, "type") {
	case "text":
		r.message(text(e, "part", "text"))
	case "tool_use":
		input, _ := json.Marshal(at(e, "part", "state", "input"))
		code, has := at(e, "part", "state", "metadata", "exit").(float64)
		r.command(text(e, "part", "tool")+" "+string(input),
			text(e, "part", "state", "status") == "error" || has && code != 0)
	case "step_finish":
		reason := text(e, "part", "reason")
		r.closed = reason == "stop" || reason == "end_turn"
		r.v.TokensIn += number(e, "part", "tokens", "input")
		r.v.TokensOut += number(e, "part", "tokens", "output")
		cost, _ := at(e, "part", "cost").(float64)
		r.v.Cost += cost
		r.v.Session = or(text(e, "sessionID"), r.v.Session)
	case "error":
		r.fault = or(text(e, "error", "data", "message"), text(e, "error", "name"), "it reported an error")
	}
}

func or(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}
