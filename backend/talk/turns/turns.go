package turns

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"agentflow/backend/base/errcode"
	"agentflow/backend/talk/room"
)

// give gives turns, as many as the limits permit.
func (t *conversation) give(now time.Time) {
	minute := now.Add(-time.Minute)
	t.recent = slices.DeleteFunc(t.recent, func(at time.Time) bool { return !at.After(minute) })
	for !t.gone {
		a := t.next()
		if a == nil {
			return
		}
		p := t.policy()
		switch {
		case t.limited(a, p) && t.speaking(): // the notice comes after what is still said
			return
		case t.tokens() >= p.MaxTokens:
			t.stopAt(HaltTokens, p.MaxTokens,
				"The agents of this room used all %d tokens. Raise the limit to let them continue.")
			return
		case !t.lastWord(a) && t.agentTurns >= p.MaxAgentTurns:
			t.stopAt(HaltTurns, int64(p.MaxAgentTurns),
				"The agents took %d turns in a row. Send a message, or let them continue.")
			return
		case len(t.recent) >= p.TurnsPerMinute:
			t.later(t.recent[0].Sub(minute))
			return
		}
		t.grant(a, now)
	}
}

// limited reports whether a limit of the room keeps the agent from a turn.
func (t *conversation) limited(a *member, p Policy) bool {
	return t.tokens() >= p.MaxTokens || !t.lastWord(a) && t.agentTurns >= p.MaxAgentTurns
}

func (t *conversation) speaking() bool {
	return slices.ContainsFunc(t.order, func(a *member) bool { return a.turn != nil })
}

func (t *conversation) lastWord(a *member) bool { return t.wrapUp == a }

// next is who is to have a turn now; nil: nobody.
func (t *conversation) next() *member {
	if t.setup.Paused || t.halt != "" || t.wrapping {
		return nil
	}
	if t.wrapUp != nil {
		if t.wrapUp.chair != nil && t.wrapUp.turn == nil {
			return t.wrapUp
		}
		return nil
	}
	ready := func(a *member) bool { return a.queued > 0 && a.chair != nil && a.turn == nil }
	if t.policy().Order == Free {
		if i := slices.IndexFunc(t.order, ready); i >= 0 {
			return t.order[i]
		}
		return nil
	}
	if t.speaking() {
		return nil
	}
	from := slices.Index(t.order, t.speaker) + 1
	for i := range t.order {
		if a := t.order[(from+i)%len(t.order)]; ready(a) {
			return a
		}
	}
	return nil
}

// grant gives an agent its turn. The turn's id follows from the message that caused it, so
// that it is the same after a restart.
func (t *conversation) grant(a *member, now time.Time) {
	why, trigger := a.why, a.queued
	if t.lastWord(a) {
		why, trigger = ByWrapUp, t.last
		t.wrapUp, t.wrapping = nil, true
	} else {
		t.agentTurns++
	}
	if a.trigger != trigger {
		a.trigger, a.repeat = trigger, 0
	}
	a.repeat++
	a.turn = &turn{
		Turn: Turn{ID: turnID(trigger, a.repeat, why), UpTo: t.last, Why: why, WrapUp: why == ByWrapUp},
		news: now,
	}
	a.queued, a.err = 0, ""
	t.speaker = a
	t.recent = append(t.recent, now)
	t.be(a, room.Thinking)
	t.touch()
	t.inform(a)
}

// turnID names a turn by the message that caused it.
func turnID(trigger int64, repeat int, why Why) string {
	id := fmt.Sprintf("turn-%d", trigger)
	if repeat > 1 {
		id = fmt.Sprintf("turn-%d.%d", trigger, repeat)
	}
	if why == ByWrapUp {
		id += "-last"
	}
	return id
}

// triggerOf is the message that caused a turn; 0 if there is none.
func triggerOf(turn string) (id int64) {
	_, _ = fmt.Sscanf(turn, "turn-%d", &id) // 0 where it is no turn
	return id
}

// Trigger returns the newest message that the turn is for, or 0 if its ID names none. Messages between it and UpTo
// are the agent's own, or for others.
func (t Turn) Trigger() int64 { return triggerOf(t.ID) }

// inform tells an agent which turn it has.
func (t *conversation) inform(a *member) {
	if a.chair == nil {
		return
	}
	l := Live{Type: KindTurn, Room: t.name, Agent: a.name}
	if a.turn != nil {
		l.TurnID, l.Turn = a.turn.ID, new(a.turn.Turn)
	}
	a.chair.tell(l)
}

// stopAt halts the room at a limit; all that waits is dropped.
func (t *conversation) stopAt(why Halt, limit int64, notice string) {
	t.halt = why
	t.drop()
	n := strconv.FormatInt(limit, 10)
	t.say(room.HubName, strings.Replace(notice, "%d", n, 1),
		&errcode.Cause{Code: "limit_" + string(why), Params: map[string]string{KeyCount: n}})
	t.touch()
}

// drop forgets what the agents were still to answer.
func (t *conversation) drop() {
	t.wrapUp = nil
	for _, a := range t.order {
		if a.queued > 0 || a.heard < t.last && a.turn == nil {
			a.queued, a.heard = 0, t.last
			t.keep(a)
		}
	}
}

// cut ends an agent's turn without an answer. With a mark, what is written of the answer becomes a message.
func (t *conversation) cut(a *member, mark *errcode.Cause) {
	if a.turn == nil || a.turn.ending {
		return
	}
	a.taken = a.turn.ID
	written := strings.TrimSpace(fitting(string(a.turn.text)))
	end := t.over(a, Live{Outcome: Stopped})
	if mark != nil && written != "" {
		a.usage.Turns++
		t.halves = append(t.halves, half{end: end, draft: room.Draft{
			Room: t.name, Sender: a.name, Text: written, ClientID: a.taken, Cause: mark,
		}})
	} else {
		t.tell(end)
	}
	t.inform(a)
}

// over ends a turn; the caller tells the end.
func (t *conversation) over(a *member, l Live) Live {
	l.Type, l.Agent, l.TurnID = KindEnd, a.name, a.turn.ID
	if a.turn.WrapUp {
		t.wrapping = false
		if l.Outcome != Stopped {
			t.halt = HaltWrapped
			t.drop()
		}
	}
	if l.Outcome == Skipped && t.agentTurns > 0 {
		t.agentTurns--
	}
	a.turn = nil
	if a.state != room.Failed {
		t.be(a, room.Online)
	}
	t.touch()
	return l
}

// finish stores what a turn ended with, and then ends it.
func (m *Machine) finish(ctx context.Context, t *conversation, a *member, end End) error {
	ctx = context.WithoutCancel(ctx)
	t.mu.Lock()
	id, upTo := a.turn.ID, a.turn.UpTo
	t.mu.Unlock()
	posted, err := m.conclude(ctx, t.name, a.name, id, end)
	if err == nil && posted.ID > 0 {
		_ = m.o.Rooms.Settle(ctx) // so that the message is there before the turn is over; a hub that has ended tells nobody
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	l := Live{Outcome: end.Outcome, MessageID: posted.ID}
	if err != nil {
		l.Outcome = Failed
		end.Text = errcode.From(err).Message
	}
	if l.Outcome == Failed {
		a.err = end.Text
		t.be(a, room.Failed)
	} else if a.state == room.Failed {
		t.be(a, room.Online)
	}
	a.heard = max(a.heard, upTo)
	if l.Outcome != Stopped {
		a.usage.Turns++
	}
	a.spend(end)
	t.keep(a)
	t.tell(t.over(a, l))
	t.inform(a)
	return err
}

// conclude posts the answer, or that there is none.
func (m *Machine) conclude(ctx context.Context, roomName, agent, turn string, end End) (room.Message, error) {
	d := room.Draft{Room: roomName, Sender: agent, Text: end.Text, ClientID: turn}
	switch end.Outcome {
	case Answered:
	case Failed:
		d.Type, d.ClientID = room.System, turn+"-failed"
		d.Text = fitting(agent + " could not answer: " + end.Text)
		d.Cause = unanswered(agent, end.Cause)
	default:
		return room.Message{}, nil
	}
	return m.o.Rooms.Post(ctx, d)
}

// fitting shortens what is too long for a message.
func fitting(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "")
	if utf8.RuneCountInString(text) <= room.MaxText {
		return text
	}
	return string([]rune(text)[:room.MaxText-1]) + "…"
}
