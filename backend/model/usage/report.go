package usage

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/model/llm"
)

// Path is where a hub takes reports.
const Path = "/api/llm-calls"

// Bounds of a report, and of what waits for a hub that is away.
const (
	MaxReported = 50
	maxWaiting  = 200
	reportBytes = 512 << 10
	lastReport  = 3 * time.Second // for the reports that are left when the program ends
)

// ReportedCall is a question that an agent in another program asked.
type ReportedCall struct {
	ModelCall
	AgoMs int64     `json:"agoMs" minimum:"0" doc:"How long ago the call was made, in milliseconds. The hub uses this instead of at."`
	Text  *CallText `json:"text,omitempty" doc:"Texts of the call, if the agent's owner allows it. Default: none."`
}

// MissedCalls are questions of which only the number is known: too many waited for the hub.
type MissedCalls struct {
	Agent string `json:"agent" maxLength:"300" doc:"ID of the agent, at most 300 characters."`
	For   string `json:"for" maxLength:"1200" doc:"Purpose of the calls: room:NAME, task:ID or session:KEY. Default: none."`
	Calls int64  `json:"calls" minimum:"1" doc:"Number of calls, at least 1."`
}

// CallReport is what a program with agents tells the hub.
type CallReport struct {
	Reporter string         `json:"reporter" minLength:"1" maxLength:"100" doc:"ID of the reporting process, at most 100 characters. It stays the same while the process runs."`
	Number   int64          `json:"number" minimum:"0" doc:"Number of the report. A repeated number counts once. 0 only asks whether texts are recorded."`
	Calls    []ReportedCall `json:"calls" maxItems:"50" doc:"Model calls, at most 50 per report. Default: none."`
	Missed   []MissedCalls  `json:"missed,omitempty" maxItems:"1000" doc:"Calls of which only the number is known. Default: none."`
}

// CallReceipt is what the hub says to a report.
type CallReceipt struct {
	KeepsTexts bool `json:"keepsTexts" doc:"The hub records texts, so reports can contain them."`
	Refused    int  `json:"refused" doc:"Number of rejected calls, of agents that the hub doesn't know."`
}

// Reporter reports the model calls of this program's agents to a hub. Add never waits; Run
// reports. While the hub is away the latest calls wait, a bounded number; of older ones it
// only gets the count.
type Reporter struct {
	// Call asks the hub until it has answered, over its restarts and lost connections. Its error
	// is the hub's refusal, or ctx's cause.
	Call func(ctx context.Context, method, path string, body, into any) error
	// Texts says that the person allows texts to be reported, if the hub records them.
	Texts bool

	once    sync.Once
	wake    chan struct{}
	mu      sync.Mutex
	keeps   bool // the hub records texts
	waiting []ReportedCall
	missed  map[MissedCalls]int64 // by agent and what for
}

func (r *Reporter) init() {
	r.once.Do(func() { r.wake, r.missed = make(chan struct{}, 1), map[MissedCalls]int64{} })
}

// Add takes an exchange in.
func (r *Reporter) Add(x llm.CallRecord) {
	r.init()
	r.mu.Lock()
	defer r.mu.Unlock()
	c := ReportedCall{ModelCall: callOf(x)}
	if r.Texts && r.keeps {
		c.Text = textOf(x)
	}
	if len(r.waiting) >= maxWaiting {
		r.miss(r.waiting[0])
		r.waiting = r.waiting[1:]
	}
	r.waiting = append(r.waiting, c)
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// miss keeps of calls only how many they were; r is held.
func (r *Reporter) miss(calls ...ReportedCall) {
	for _, c := range calls {
		if m := (MissedCalls{Agent: c.Agent, For: c.For}); r.missed[m] > 0 || len(r.missed) < maxSums {
			r.missed[m]++
		}
	}
}

// Run reports until ctx ends, and then for a moment more what is left. If the hub refuses a
// report, the next one has the count of its calls; a hub without reports gets nothing.
func (r *Reporter) Run(ctx context.Context) {
	r.init()
	late, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(lastReport, cancel) })()
	report := CallReport{Reporter: rand.Text(), Calls: []ReportedCall{}}
	if r.Texts {
		_ = r.tell(late, &report) // an empty report asks whether the hub records texts
	}
	for ended := false; ; {
		var err error
		for err == nil && r.next(&report) {
			err = r.tell(late, &report)
		}
		if ended || errcode.Is(err, errcode.NotFound) {
			return
		}
		select {
		case <-r.wake:
		case <-ctx.Done():
			ended = true
		}
	}
}

// next fills a report with what waits; false: nothing does.
func (r *Reporter) next(report *CallReport) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.waiting)+len(r.missed) == 0 {
		return false
	}
	report.Number, report.Calls, report.Missed = report.Number+1, []ReportedCall{}, nil
	size := 0
	for len(r.waiting) > 0 && len(report.Calls) < MaxReported {
		c := r.waiting[0]
		text, _ := json.Marshal(c) // it has nothing that is no JSON
		if len(text) > reportBytes {
			c.Text = nil
		}
		if size += len(text); size > reportBytes && len(report.Calls) > 0 {
			break
		}
		report.Calls, r.waiting = append(report.Calls, c), r.waiting[1:]
	}
	for m, n := range r.missed {
		m.Calls = n
		report.Missed = append(report.Missed, m)
	}
	clear(r.missed)
	return true
}

// tell brings a report to the hub. Of one that is refused only the numbers are kept.
func (r *Reporter) tell(ctx context.Context, report *CallReport) error {
	for i := range report.Calls {
		report.Calls[i].AgoMs = max(0, time.Since(report.Calls[i].At).Milliseconds())
	}
	var got CallReceipt
	err := r.Call(ctx, http.MethodPost, Path, report, &got)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		r.keeps = got.KeepsTexts
		return nil
	}
	r.miss(report.Calls...)
	for _, m := range report.Missed {
		r.missed[MissedCalls{Agent: m.Agent, For: m.For}] += m.Calls
	}
	return err
}

// Take takes a report in. known says whether a call's agent and purpose are those of one that
// may report.
func (l *Ledger) Take(r CallReport, known func(agent, purpose string) bool) CallReceipt {
	l.mu.Lock()
	defer l.mu.Unlock()
	got := CallReceipt{KeepsTexts: l.texts}
	if r.Number <= l.reported[r.Reporter] {
		return got
	}
	if l.reported == nil || len(l.reported) >= maxSums { // a report that comes twice then counts twice
		l.reported = map[string]int64{}
	}
	l.reported[r.Reporter] = r.Number
	for _, c := range r.Calls {
		if !known(c.Agent, c.For) {
			got.Refused++
			continue
		}
		c.At, c.Elsewhere = time.Now().Add(-time.Duration(c.AgoMs)*time.Millisecond), true
		l.add(c.ModelCall, c.Text)
	}
	for _, m := range r.Missed {
		if s := l.sumOf(m.Agent); s != nil && known(m.Agent, m.For) {
			s.Missed += m.Calls
		}
	}
	return got
}
