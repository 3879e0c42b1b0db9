package usage_test

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/model/usage"
)

// wire brings reports to a ledger, as JSON; while it is cut they wait, as for a hub that is away.
type wire struct {
	l     *usage.Ledger
	known func(agent, purpose string) bool

	mu    sync.Mutex
	cut   chan struct{} // closed when the hub is there again; nil: it is there
	lose  int           // answers that get lost, so that the report comes again
	told  chan usage.CallReceipt
	calls int
}

func newWire(l *usage.Ledger) *wire {
	return &wire{l: l, told: make(chan usage.CallReceipt, 1000), known: func(string, string) bool { return true }}
}

func (w *wire) call(ctx context.Context, _, _ string, body, into any) error {
	w.mu.Lock()
	cut := w.cut
	w.mu.Unlock()
	if cut != nil {
		select {
		case <-cut:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	text, err := json.Marshal(body)
	var r usage.CallReport
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	got := w.l.Take(r, w.known)
	for ; w.lose > 0; w.lose-- {
		got = w.l.Take(r, w.known)
	}
	w.calls += len(r.Calls)
	*into.(*usage.CallReceipt) = got
	w.told <- got
	return nil
}

func report(t *testing.T, r *usage.Reporter) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		r.Run(ctx)
	}()
	stop = sync.OnceFunc(func() { cancel(); <-ended })
	t.Cleanup(stop)
	return stop
}

// CH-11: what an agent elsewhere asked is in the hub's ledger as what is asked here, each once,
// with the hub's own time.
func TestCH11_CallsElsewhereAreReportedOnce(t *testing.T) {
	var l usage.Ledger
	w := newWire(&l)
	w.lose = 1
	w.known = func(agent, purpose string) bool { return agent != "stranger" && purpose == "room:dev" }
	r := &usage.Reporter{Call: w.call}
	stop := report(t, r)
	x := exchange("Ann", "secret question")
	x.At = time.Now().Add(-time.Hour)
	r.Add(x)
	if got := <-w.told; got.Refused != 0 || got.KeepsTexts {
		t.Errorf("receipt %+v", got)
	}
	r.Add(exchange("stranger", "hello"))
	if got := <-w.told; got.Refused != 1 {
		t.Errorf("receipt %+v", got)
	}
	bad := exchange("Ann", "again")
	bad.Failure = errcode.New(errcode.Unavailable, "no model")
	r.Add(bad)
	stop() // the rest is reported
	calls := l.Calls("", 0, 100)
	if len(calls) != 2 || calls[0].Error == nil || calls[1].TokensIn != 7 || calls[1].CostUSD != 0.5 || !calls[1].Priced || !calls[1].Elsewhere || calls[1].TookMs != 20 || calls[1].Kept {
		t.Fatalf("%+v", calls)
	}
	if ago := time.Since(calls[1].At); ago < 59*time.Minute || ago > 70*time.Minute {
		t.Errorf("it was asked %s ago", ago)
	}
	if sums := l.Sums(); len(sums) != 1 || sums[0].Calls != 2 || sums[0].Failed != 1 || sums[0].Missed != 0 {
		t.Errorf("%+v", sums)
	}
}

// CH-11: while the hub is away, a bounded number of calls waits; of the others it gets the count.
func TestCH11_WhileTheHubIsAwayTheLatestCallsWait(t *testing.T) {
	var l usage.Ledger
	w := newWire(&l)
	w.cut = make(chan struct{})
	r := &usage.Reporter{Call: w.call}
	for i := range 1000 {
		r.Add(exchange("Ann", fmt.Sprint(i)))
	}
	stop := report(t, r)
	close(w.cut)
	stop()
	s := l.Sums()
	if len(s) != 1 || s[0].Calls == 0 || s[0].Calls > 300 || s[0].Calls+s[0].Missed != 1000 {
		t.Errorf("%+v", s)
	}
}

// CH-11: texts are reported only if both the person there and the one at the hub allow it.
func TestCH11_PromptsElsewhereAreToldOnDemandOnly(t *testing.T) {
	for _, c := range []struct{ there, here, want bool }{{true, true, true}, {true, false, false}, {false, true, false}} {
		var l usage.Ledger
		l.KeepTexts(c.here)
		w := newWire(&l)
		var sent strings.Builder
		r := &usage.Reporter{
			Texts: c.there,
			Call: func(ctx context.Context, method, path string, body, into any) error {
				text, _ := json.Marshal(body)
				sent.Write(text)
				return w.call(ctx, method, path, body, into)
			},
		}
		stop := report(t, r)
		if c.there {
			<-w.told // the hub has answered whether it records texts
		}
		for try := 0; ; try++ { // the receipt is noted a moment after it was given
			r.Add(exchange("Ann", "what only we know"))
			<-w.told
			if l.Calls("", 0, 1)[0].Kept == c.want || try == 20 {
				break
			}
		}
		stop()
		calls := l.Calls("", 0, 1)
		text, err := l.Text(calls[0].ID)
		if calls[0].Kept != c.want || (err == nil) != c.want || strings.Contains(sent.String(), "only we know") != c.want {
			t.Errorf("%+v: kept %v, %v, sent %s", c, calls[0].Kept, err, sent.String())
		}
		if c.want && text.Messages[0].Text != "what only we know" {
			t.Errorf("%+v", text)
		}
	}
}

// A hub that takes no reports is not asked again; an ending program does not wait for one that is away.
func TestCH11_AReporterEnds(t *testing.T) {
	old := &usage.Reporter{Call: func(context.Context, string, string, any, any) error {
		return errcode.New(errcode.NotFound, "there is no such route")
	}}
	old.Add(exchange("Ann", "x"))
	old.Run(t.Context())

	// A hub that refuses a report, since it doesn't know the agent yet, gets the count later.
	var l usage.Ledger
	w, refused := newWire(&l), make(chan bool, 1)
	early := &usage.Reporter{Call: func(ctx context.Context, method, path string, body, into any) error {
		select {
		case refused <- true:
			return errcode.New(errcode.Unauthorized, "who is that?")
		default:
			return w.call(ctx, method, path, body, into)
		}
	}}
	stop := report(t, early)
	early.Add(exchange("Ann", "x"))
	for len(refused) == 0 {
		runtime.Gosched()
	}
	early.Add(exchange("Ann", "y"))
	stop()
	if s := l.Sums(); len(s) != 1 || s[0].Calls+s[0].Missed != 2 || s[0].Missed == 0 {
		t.Errorf("%+v", s)
	}

	away := newWire(new(usage.Ledger))
	away.cut = make(chan struct{})
	r := &usage.Reporter{Call: away.call}
	r.Add(exchange("Ann", "x"))
	report(t, r)()
	if away.calls != 0 {
		t.Error("it was told to a hub that is away")
	}
}
