package room_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"go.uber.org/goleak"

	"agentflow/backend/base/errcode"
	"agentflow/backend/store"
	"agentflow/backend/talk/room"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// open returns a running hub over a real database, and what stops it.
func open(t testing.TB, now func() time.Time) (*room.Hub, func()) {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	s, err := store.Open(t.Context(), t.TempDir(), log)
	if err != nil {
		t.Fatal(err)
	}
	h, err := room.New(t.Context(), room.Options{Store: s.Rooms(), Logger: log, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	stopHub, stopStore := running(t, h.Run), running(t, s.Run)
	t.Cleanup(func() {
		stopHub()
		stopStore()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return h, stopHub
}

func running(t testing.TB, run func(context.Context) error) func() {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- run(ctx) }()
	return sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// collector is a Reader that keeps what it gets.
type collector struct {
	mu    sync.Mutex
	got   []room.Message
	limit int // cut after as many; 0: never
	ended bool
	more  chan struct{}
}

func newCollector() *collector { return &collector{more: make(chan struct{}, 1)} }

func (c *collector) Deliver(b *room.Batch) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.got = append(c.got, b.Messages...)
	select {
	case c.more <- struct{}{}:
	default:
	}
	return c.limit == 0 || len(c.got) < c.limit
}

func (c *collector) End() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
}

// ids waits for n messages and returns what there is.
func (c *collector) ids(t *testing.T, n int) []int64 {
	t.Helper()
	limit := time.After(time.Minute)
	for {
		c.mu.Lock()
		ids := make([]int64, 0, len(c.got))
		for _, m := range c.got {
			ids = append(ids, m.ID)
		}
		c.mu.Unlock()
		if len(ids) >= n {
			return ids
		}
		select {
		case <-c.more:
		case <-limit:
			t.Fatalf("%d of %d messages came", len(ids), n)
		}
	}
}

func inOrder(t *testing.T, ids []int64, first, n int64) {
	t.Helper()
	if int64(len(ids)) != n {
		t.Errorf("%d messages, want %d", len(ids), n)
	}
	for i, id := range ids {
		if id != first+int64(i) {
			t.Fatalf("message %d has the id %d, want %d", i, id, first+int64(i))
		}
	}
}

func draft(text string) room.Draft { return room.Draft{Room: "r", Sender: "s", Text: text} }

// Many post at once while readers come and go: one order for all, that of the ids.
func TestCH2_OneOrderForAll(t *testing.T) {
	h, _ := open(t, nil)
	const posters, each = 8, 200
	early := newCollector()
	sub, err := h.Subscribe("r", early)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Unsubscribe(sub)
	var wg sync.WaitGroup
	for p := range posters {
		wg.Go(func() {
			last := int64(0)
			for i := range each {
				m, err := h.Post(t.Context(), draft(fmt.Sprint(p, i)))
				if err != nil {
					t.Error(err)
					return
				}
				if m.ID <= last {
					t.Errorf("after %d came %d", last, m.ID)
				}
				last = m.ID
			}
		})
	}
	for range 6 {
		wg.Go(func() {
			late, replayed := newCollector(), []room.Message(nil)
			sub, err := h.SubscribeAfter(t.Context(), "r", 0, func(page []room.Message) error {
				replayed = append(replayed, page...)
				return nil
			}, late)
			if err != nil {
				t.Error(err)
				return
			}
			defer h.Unsubscribe(sub)
			ids := late.ids(t, posters*each-len(replayed))
			for i, m := range replayed {
				if m.ID != int64(i+1) {
					t.Errorf("replayed %d as %d", m.ID, i)
				}
			}
			inOrder(t, ids, int64(len(replayed))+1, posters*each-int64(len(replayed)))
		})
	}
	wg.Wait()
	inOrder(t, early.ids(t, posters*each), 1, posters*each)
}

func TestCH2_AReaderThatIsCutGoesOnWhereItWas(t *testing.T) {
	h, _ := open(t, nil)
	cut := newCollector()
	cut.limit = 3
	sub, err := h.Subscribe("r", cut)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 10 {
		if _, err := h.Post(t.Context(), draft(fmt.Sprint(i))); err != nil {
			t.Fatal(err)
		}
	}
	h.Unsubscribe(sub)
	ids := cut.ids(t, 3)
	inOrder(t, ids, 1, 3)
	again, replayed := newCollector(), 0
	sub, err = h.SubscribeAfter(t.Context(), "r", 3,
		func(page []room.Message) error { replayed += len(page); return nil }, again)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Unsubscribe(sub)
	if got := replayed + len(again.ids(t, 0)); got != 7 {
		t.Errorf("%d came after the cut, want 7", got)
	}
	if _, err := h.SubscribeAfter(t.Context(), "r", 99, nil, newCollector()); !errcode.HasReason(err, "unknown_position") {
		t.Errorf("a position of another database gave %v", err)
	}
}

// What was accepted before the end is stored; what comes after is refused.
func TestFault3_WhatWasAcceptedIsStoredBeforeTheEnd(t *testing.T) {
	h, stop := open(t, nil)
	outcomes := make(chan error, 500)
	for i := range cap(outcomes) {
		if err := h.Send(t.Context(), draft(fmt.Sprint(i)), func(_ room.Message, err error) { outcomes <- err }); err != nil {
			t.Fatal(err)
		}
	}
	stop()
	for range cap(outcomes) {
		if err := <-outcomes; err != nil {
			t.Fatal(err)
		}
	}
	if _, err := h.Post(t.Context(), draft("late")); !errcode.Is(err, errcode.Unavailable) {
		t.Errorf("after the end: %v", err)
	}
	if err := h.Delete(t.Context(), "r"); !errcode.Is(err, errcode.Unavailable) {
		t.Errorf("after the end: %v", err)
	}
}

// The clock jumps: the order stays that of the ids, and a time is still a time (fault 13).
func TestFault13_AClockThatJumps(t *testing.T) {
	day := 24 * time.Hour
	var mu sync.Mutex
	at := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	h, _ := open(t, func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		return at
	})
	leave, err := h.Enter(t.Context(), "r", "s")
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	for i, jump := range []time.Duration{0, day, -2 * day, time.Hour, -time.Hour} {
		mu.Lock()
		at = at.Add(jump)
		mu.Unlock()
		m, err := h.Post(t.Context(), draft(fmt.Sprint(i)))
		if err != nil || m.ID != int64(i+1) {
			t.Errorf("message %d: %+v, %v", i, m, err)
		}
	}
	list, err := h.List(t.Context(), room.Range{Room: "r"})
	if err != nil || len(list) != 5 {
		t.Fatalf("%v, %v", list, err)
	}
	for i, m := range list {
		if m.Text != fmt.Sprint(i) {
			t.Errorf("message %d is %q", i, m.Text)
		}
	}
	if agents := h.Agents("r"); len(agents) != 1 || agents[0].Status != room.Online {
		t.Errorf("agents %+v", agents)
	}
}

func TestCH8_NamesThatLookAlikeAreOne(t *testing.T) {
	h, _ := open(t, nil)
	for _, name := range []string{"が行", "か\u3099行"} {
		if _, err := h.Post(t.Context(), room.Draft{Room: name, Sender: name, Text: "x"}); err != nil {
			t.Fatal(err)
		}
	}
	if rooms := h.Rooms(); len(rooms) != 1 || rooms[0].Name != "が行" {
		t.Errorf("rooms %+v", rooms)
	}
	for _, good := range []string{"プログラマーAgent", "👩‍👩‍👧", "a b", "../etc", "<b>", "R&D", "نام\u200cها"} {
		if got, err := room.Name("sender", good); err != nil || got != good {
			t.Errorf("%q gave %q, %v", good, got, err)
		}
	}
	for _, bad := range []string{"", " a", "a ", "a\u200bb", "a\ufeff", "\u202ea", "a\u2028b", "\x00", "a\tb", "\xff", "\ufffe", "a\u00adb", "a\U000e0041", strings.Repeat("長", 101)} {
		if got, err := room.Name("sender", bad); !errcode.Is(err, errcode.Validation) {
			t.Errorf("%q gave %q, %v", bad, got, err)
		}
	}
}

// FuzzFault12Decode: whatever comes, it is refused with a reason or read as every JSON
// reader reads it (fault 12).
func FuzzFault12Decode(f *testing.F) {
	for _, seed := range []string{
		`{"room":"r","sender":"s","message":"m","type":"chat"}`, `{"room":"r","sender":"s","message":"\ud83d\ude00\\\"","id":5}`, `{"message":"\ud800"}`,
		`{"message":"a","message":"b"}`, `{"room":{"room":"x"}}`, `null`, `[]`, ``, `{"a":1e999}`, "{\"message\":\"\xff\"}", `{"message":"\u0000"}`, ` {"room" : "r" , "id":[{"id":"\""}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		d, err := room.Decode(raw, "r")
		if err != nil {
			if !errcode.Is(err, errcode.Validation) {
				t.Fatalf("%q gave %v", raw, err)
			}
			return
		}
		var want map[string]any
		if err := json.Unmarshal(raw, &want); err != nil || !utf8.Valid(raw) {
			t.Fatalf("%q was read as %+v, but %v", raw, d, err)
		}
		for key, got := range map[string]string{"message": d.Text, "sender": d.Sender, "timestamp": d.Timestamp, "type": string(d.Type), "clientMessageId": d.ClientID} {
			if text, _ := want[key].(string); text != got {
				t.Fatalf("%q: %s is %q, want %q", raw, key, got, text)
			}
		}
	})
}

func TestCH8_ASenderIsToldOfWhatCannotBe(t *testing.T) {
	h, _ := open(t, nil)
	for _, bad := range []room.Draft{{}, {Room: "r"}, {Room: "r", Sender: "s"}, {Room: "r", Sender: "s", Text: "x", Type: "shout"}, {Room: "r", Sender: "s", Text: "x", ClientID: strings.Repeat("k", 201)}} {
		_, err := h.Post(t.Context(), bad)
		failed, ok := errors.AsType[*errcode.Error](err)
		if !ok || failed.Code != errcode.Validation || failed.Details[errcode.KeyField] == nil {
			t.Errorf("%+v gave %v", bad, err)
		}
	}
}

// Once a message is reported as stored, its room can be found at once.
func TestCH2_ARoomIsThereOnceItsFirstMessageIsStored(t *testing.T) {
	h, _ := open(t, nil)
	missing := make(chan error, 1)
	for i := range 400 {
		name := fmt.Sprintf("room %d", i)
		err := h.Send(t.Context(), room.Draft{Room: name, Sender: "Ann", Text: "first"}, func(_ room.Message, err error) {
			if err == nil {
				_, err = h.Room(name)
			}
			missing <- err
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := <-missing; err != nil {
			t.Fatal(err)
		}
	}
}
