package inbox_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/work/inbox"
)

// far is a gateway: it takes the first answer for each key, if nothing is wrong.
type far struct {
	mu    sync.Mutex
	got   map[string]inbox.Choice
	calls int
	fail  error               // instead of an answer
	hold  chan struct{}       // an answer waits for it
	begun chan struct{}       // an answer has begun
	then  func(e inbox.Entry) // after the answer was taken, before it is confirmed
}

func (f *far) AnswerAsked(_ context.Context, e inbox.Entry, key string, r inbox.Reply) error {
	f.mu.Lock()
	f.calls++
	fail, hold, begun, then := f.fail, f.hold, f.begun, f.then
	if fail == nil {
		f.got[key] = r.Choice
	}
	f.mu.Unlock()
	if begun != nil {
		begun <- struct{}{}
	}
	if hold != nil {
		<-hold
	}
	if then != nil {
		then(e)
	}
	return fail
}

func (f *far) Left() {}

func newFar() *far { return &far{got: map[string]inbox.Choice{}} }

var three = []inbox.Choice{inbox.Once, inbox.Always, inbox.Deny}

func approval(key string) inbox.Asked {
	return inbox.Asked{
		Key: key, At: inbox.AtGateway{Kind: inbox.Exec, Choices: three},
		Question: inbox.Question{Agent: "main", Tool: "exec", Arguments: json.RawMessage(`{"command":"ls"}`)},
	}
}

func heard(t *testing.T, m *inbox.Machine, to inbox.Answerer, a inbox.Asked) inbox.Entry {
	t.Helper()
	if err := m.Hear("studio", to, a); err != nil {
		t.Fatal(err)
	}
	return m.Waiting()[len(m.Waiting())-1]
}

func only(t *testing.T, m *inbox.Machine) inbox.Entry {
	t.Helper()
	list, err := m.Ended(t.Context(), inbox.Query{})
	if err != nil || len(list) != 1 || len(m.Waiting()) != 0 {
		t.Fatalf("%d waiting, ended %+v, %v", len(m.Waiting()), list, err)
	}
	return list[0]
}

// TestOC5_OneOfManyAnswersCounts: of twenty people who press at once, one answer is sent, and the others learn who it
// was.
func TestOC5_OneOfManyAnswersCounts(t *testing.T) {
	m, _ := open(t, t.TempDir(), 0)
	to := newFar()
	e := heard(t, m, to, approval("a"))
	var wg sync.WaitGroup
	var mu sync.Mutex
	won := ""
	var lost []error
	for i := range 20 {
		wg.Go(func() {
			who := fmt.Sprintf("person%d", i)
			_, err := m.Reply(t.Context(), e.ID, inbox.Reply{Choice: three[i%3], By: who})
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				won += who
				return
			}
			lost = append(lost, err)
		})
	}
	wg.Wait()
	if got := only(t, m); to.calls != 1 || got.By != won || got.State != inbox.Answered || got.Choice != to.got["a"] {
		t.Errorf("%d answers sent, %q won: %+v", to.calls, won, got)
	}
	for _, err := range lost {
		if !errcode.Is(err, errcode.Conflict) {
			t.Errorf("%v", err)
		}
	}
	_, err := m.Reply(t.Context(), e.ID, inbox.Reply{Choice: inbox.Once, By: "late"})
	if got := errcode.From(err).Details[inbox.KeyBy]; got != won {
		t.Errorf("who is late gets %v, not %q", err, won)
	}
}

// TestOC5_WhoAnswersAtTheGatewayWins: the answer of somebody there is the entry's end, also if it comes while one from
// here is sent.
func TestOC5_WhoAnswersAtTheGatewayWins(t *testing.T) {
	for name, c := range map[string]struct {
		choice inbox.Choice
		end    inbox.End
		fail   error
		ours   bool
	}{
		"another decision": {inbox.Once, inbox.End{Choice: inbox.Deny, By: "mia"},
			errcode.New(errcode.Conflict, "too late"), false},
		"the same decision":  {inbox.Once, inbox.End{Choice: inbox.Once, By: "mia"}, nil, false},
		"our own, confirmed": {inbox.Once, inbox.End{Choice: inbox.Once, By: "AgentFlow", Ours: true}, nil, true},
		"our own, not confirmed": {inbox.Once, inbox.End{Choice: inbox.Once, By: "AgentFlow", Ours: true}, unknown(),
			true},
		"expired meanwhile": {inbox.Once, inbox.End{Reason: inbox.ReasonTimedOut}, errcode.New(errcode.Conflict,
			"too late"), false},
	} {
		t.Run(name, func(t *testing.T) {
			m, _ := open(t, t.TempDir(), 0)
			to := newFar()
			to.fail = c.fail
			to.then = func(inbox.Entry) { m.Over(t.Context(), "studio", inbox.Exec, "a", c.end) }
			e := heard(t, m, to, approval("a"))
			_, err := m.Reply(t.Context(), e.ID, inbox.Reply{Choice: c.choice, By: "owner"})
			got := only(t, m)
			want := c.end.By
			if c.ours {
				want = "owner"
			}
			if (err == nil) != c.ours || got.By != want || got.Choice != c.end.Choice || got.Reason != c.end.Reason {
				t.Errorf("%v: %+v", err, got)
			}
		})
	}
}

func unknown() error {
	return errcode.New(errcode.Gateway, "no answer").With(errcode.KeyReason, errcode.ReasonUnknown)
}

// TestOC5_AnUnconfirmedAnswerIsNotRepeated: until the gateway has listed the entry again, nobody can answer it.
func TestOC5_AnUnconfirmedAnswerIsNotRepeated(t *testing.T) {
	for name, still := range map[string]bool{"it got it": false, "it did not": true} {
		t.Run(name, func(t *testing.T) {
			m, _ := open(t, t.TempDir(), 0)
			to := newFar()
			to.fail = unknown()
			e := heard(t, m, to, approval("a"))
			if _, err := m.Reply(t.Context(), e.ID, inbox.Reply{Choice: inbox.Once}); !errcode.HasReason(err,
				errcode.ReasonUnknown) {
				t.Fatal(err)
			}
			if w := m.Waiting(); len(w) != 1 || !w[0].Gateway.Stale {
				t.Fatalf("%+v", w)
			}
			if _, err := m.Reply(t.Context(), e.ID, inbox.Reply{Choice: inbox.Once}); !errcode.HasReason(err,
				errcode.ReasonLinkDown) || to.calls != 1 {
				t.Fatalf("%v, %d calls", err, to.calls)
			}
			var list []inbox.Asked
			if still {
				list = append(list, approval("a"))
			}
			if err := m.Listed(t.Context(), "studio", to, list, []inbox.Kind{inbox.Exec}); err != nil {
				t.Fatal(err)
			}
			if !still {
				if got := only(t, m); got.State != inbox.Expired || got.Reason != inbox.ReasonUnconfirmed {
					t.Errorf("%+v", got)
				}
				return
			}
			to.fail = nil
			if _, err := m.Reply(t.Context(), e.ID, inbox.Reply{Choice: inbox.Deny}); err != nil ||
				to.got["a"] != inbox.Deny {
				t.Errorf("%v, %v", err, to.got)
			}
		})
	}
}

// An event and a list can tell of a request that was answered since they were sent. It doesn't wait again.
func TestOC5_LateNewsOfAnAnsweredRequest(t *testing.T) {
	m, _ := open(t, t.TempDir(), 0)
	to := newFar()
	e := heard(t, m, to, approval("a"))
	if _, err := m.Reply(t.Context(), e.ID, inbox.Reply{Choice: inbox.Once}); err != nil {
		t.Fatal(err)
	}
	if err := m.Hear("studio", to, approval("a")); err != nil {
		t.Error(err)
	}
	list := []inbox.Asked{approval("a"), approval("b")}
	if err := m.Listed(t.Context(), "studio", to, list, []inbox.Kind{inbox.Exec}); err != nil {
		t.Error(err)
	}
	if w := m.Waiting(); len(w) != 1 || w[0].ID == e.ID || w[0].Gateway.Name != "studio" {
		t.Errorf("waiting %+v", w)
	}
}

// TestOC5_AListIsTheTruth: what the gateway lists waits, and what it lists no more has ended; kinds that it can't list
// stay.
func TestOC5_AListIsTheTruth(t *testing.T) {
	m, _ := open(t, t.TempDir(), 0)
	to, other := newFar(), newFar()
	gone, stays := heard(t, m, to, approval("gone")), heard(t, m, to, approval("stays"))
	plugin := approval("p")
	plugin.At.Kind = inbox.Plugin
	unlisted := heard(t, m, to, plugin)
	if err := m.Hear("elsewhere", other, approval("gone")); err != nil {
		t.Fatal(err)
	}
	m.Lost(to)
	for _, e := range m.Waiting() {
		if e.Gateway.Stale != (e.Gateway.Name == "studio") {
			t.Errorf("%s at %s: stale is %v", e.ID, e.Gateway.Name, e.Gateway.Stale)
		}
	}
	if err := m.Listed(t.Context(), "studio", to, []inbox.Asked{approval("stays"), approval("new")},
		[]inbox.Kind{inbox.Exec}); err != nil {
		t.Fatal(err)
	}
	waits := map[inbox.ID]bool{}
	for _, e := range m.Waiting() {
		waits[e.ID] = true
		if e.Gateway.Stale {
			t.Errorf("%+v is stale", e.Gateway)
		}
	}
	if waits[gone.ID] || !waits[stays.ID] || !waits[unlisted.ID] || len(waits) != 4 {
		t.Errorf("waiting %v", waits)
	}
	m.Removed(t.Context(), to)
	if w := m.Waiting(); len(w) != 1 || w[0].Gateway.Name != "elsewhere" {
		t.Errorf("after the removal %+v", w)
	}
	list, _ := m.Ended(t.Context(), inbox.Query{})
	reasons := map[string]int{}
	for _, e := range list {
		reasons[e.Reason]++
	}
	if reasons[inbox.ReasonElsewhere] != 1 || reasons[inbox.ReasonRemoved] != 3 {
		t.Errorf("reasons %v", reasons)
	}
}

// TestOC5_AGatewayKeepsItsEntries: they aren't saved while they wait, take no place of an agent's questions, follow no
// standing permission, and expire.
func TestOC5_AGatewayKeepsItsEntries(t *testing.T) {
	dir := t.TempDir()
	m, stop := open(t, dir, 0)
	to := newFar()
	for i := range inbox.MaxOfGateway {
		heard(t, m, to, approval(fmt.Sprint(i)))
	}
	if err := m.Hear("studio", to, approval("too much")); !errcode.Is(err, errcode.Unavailable) {
		t.Errorf("one too many: %v", err)
	}
	if _, err := m.Put(t.Context(), inbox.Question{Agent: "main", Tool: "exec"}, "own"); err != nil {
		t.Errorf("an agent of AgentFlow can't ask: %v", err)
	}
	w := m.Waiting()[0]
	if _, err := m.Wait(t.Context(), "main", w.ID); err == nil {
		t.Error("an agent of AgentFlow waits for the answer to a gateway's question")
	}
	stop()
	m, _ = open(t, dir, 0)
	if w := m.Waiting(); len(w) != 1 || w[0].Gateway != nil {
		t.Errorf("after a restart %d wait", len(w))
	}
	short := approval("short")
	short.At.ExpiresAt = time.Now().Add(50 * time.Millisecond)
	heard(t, m, to, short)
	sub := m.Subscribe(16)
	defer sub.Close()
	for len(m.Waiting()) > 1 {
		<-sub.C()
	}
	list, _ := m.Ended(t.Context(), inbox.Query{})
	if !slices.ContainsFunc(list, func(e inbox.Entry) bool { return e.Reason == inbox.ReasonTimedOut }) {
		t.Errorf("%+v", list)
	}
}

// TestOC5_AnswersFitTheQuestions: a gateway gets a choice that it takes, and one answer to each of its questions.
func TestOC5_AnswersFitTheQuestions(t *testing.T) {
	m, _ := open(t, t.TempDir(), 0)
	to := newFar()
	unclear := approval("unclear")
	unclear.At.Choices = []inbox.Choice{inbox.Deny}
	e := heard(t, m, to, unclear)
	for _, c := range []inbox.Choice{inbox.Once, inbox.Always} {
		if _, err := m.Reply(t.Context(), e.ID, inbox.Reply{Choice: c}); !errcode.Is(err, errcode.Validation) {
			t.Errorf("%s: %v", c, err)
		}
	}
	asks := inbox.Asked{Key: "q", At: inbox.AtGateway{Kind: inbox.Questions, Choices: []inbox.Choice{inbox.Once,
		inbox.Deny}, Fields: []inbox.Field{
		{ID: "color", Options: []inbox.Option{{Label: "Red"}, {Label: "Blue"}}},
		{ID: "sizes", Options: []inbox.Option{{Label: "S"}, {Label: "L"}}, Multi: true, Other: true},
	}}}
	q := heard(t, m, to, asks)
	for name, answers := range map[string]map[string][]string{
		"none":          nil,
		"one of two":    {"color": {"Red"}},
		"empty":         {"color": {"Red"}, "sizes": {" "}},
		"no option":     {"color": {"Green"}, "sizes": {"S"}},
		"two, not one":  {"color": {"Red", "Blue"}, "sizes": {"S"}},
		"one too many":  {"color": {"Red"}, "sizes": {"S"}, "else": {"x"}},
		"other ID only": {"paint": {"Red"}, "sizes": {"S"}},
	} {
		if _, err := m.Reply(t.Context(), q.ID, inbox.Reply{Choice: inbox.Once, Answers: answers}); !errcode.Is(err,
			errcode.Validation) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if to.calls != 0 {
		t.Errorf("%d answers were sent", to.calls)
	}
	good := map[string][]string{"color": {"Red"}, "sizes": {"S", "XL"}}
	if _, err := m.Reply(t.Context(), q.ID, inbox.Reply{Choice: inbox.Once, Answers: good}); err != nil ||
		to.calls != 1 {
		t.Errorf("%v, %d answers", err, to.calls)
	}
	list, err := m.Ended(t.Context(), inbox.Query{})
	if err != nil || len(list) != 1 || list[0].Word != "Red\nS\nXL" {
		t.Errorf("the history is %+v, %v", list, err)
	}
}

// TestOC5_TwoPressesAtOnce: while an answer is on its way, a second one isn't sent, and an end is not lost.
func TestOC5_TwoPressesAtOnce(t *testing.T) {
	m, _ := open(t, t.TempDir(), 0)
	to := newFar()
	to.hold, to.begun = make(chan struct{}), make(chan struct{}, 1)
	e := heard(t, m, to, approval("a"))
	done := make(chan error, 1)
	go func() {
		_, err := m.Reply(t.Context(), e.ID, inbox.Reply{Choice: inbox.Once, By: "first"})
		done <- err
	}()
	<-to.begun
	if _, err := m.Reply(t.Context(), e.ID, inbox.Reply{Choice: inbox.Deny,
		By: "second"}); errcode.From(err).Reason() != "answering" {
		t.Errorf("the second press: %v", err)
	}
	m.Lost(to)
	close(to.hold)
	if err := <-done; err != nil {
		t.Error(err)
	}
	if got := only(t, m); got.By != "first" || got.Gateway.Stale {
		t.Errorf("%+v", got)
	}
}
