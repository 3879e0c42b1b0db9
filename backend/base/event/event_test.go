package event

import (
	"errors"
	"slices"
	"sync"
	"testing"
)

// read takes what a reader was given, until it is cut or closed.
func read[T any](s *Subscription[T]) (got []T) {
	for fact := range s.C() {
		got = append(got, fact)
	}
	return got
}

func TestEveryReaderGetsTheFactsInOrder(t *testing.T) {
	var topic Topic[int]
	a, b := topic.Subscribe(10), topic.Subscribe(10)
	for i := range 5 {
		topic.Publish(i)
	}
	late := topic.Subscribe(10)
	topic.Publish(5)
	topic.Close()
	all := []int{0, 1, 2, 3, 4, 5}
	if got := read(a); !slices.Equal(got, all) {
		t.Errorf("a reader got %v", got)
	}
	if got := read(b); !slices.Equal(got, all) {
		t.Errorf("another reader got %v", got)
	}
	if got := read(late); !slices.Equal(got, []int{5}) {
		t.Errorf("a late reader got %v", got)
	}
	if err := a.Err(); err != nil {
		t.Errorf("a closed topic is no error: %v", err)
	}
}

// A reader that lags is cut. What it got before has no gap, and the others go on.
func TestAReaderThatLagsIsCut(t *testing.T) {
	var topic Topic[int]
	slow, fast := topic.Subscribe(2), topic.Subscribe(3)
	for i := range 3 {
		topic.Publish(i)
	}
	if got := read(slow); !slices.Equal(got, []int{0, 1}) || !errors.Is(slow.Err(), ErrLagged) {
		t.Errorf("the slow reader got %v, %v", got, slow.Err())
	}
	if n := topic.Readers(); n != 1 {
		t.Errorf("%d readers are left", n)
	}
	topic.Close()
	if got := read(fast); !slices.Equal(got, []int{0, 1, 2}) || fast.Err() != nil {
		t.Errorf("the fast reader got %v, %v", got, fast.Err())
	}
}

func TestAReaderWithoutABufferHasRoomForOne(t *testing.T) {
	var topic Topic[int]
	s := topic.Subscribe(0)
	topic.Publish(7)
	topic.Close()
	if got := read(s); !slices.Equal(got, []int{7}) {
		t.Errorf("got %v, %v", got, s.Err())
	}
}

// What is kept comes first to a late reader, beside its buffer.
func TestALateReaderGetsWhatIsKept(t *testing.T) {
	topic := Topic[string]{Recall: func(kept map[string]string, fact string) {
		if fact == "over" {
			clear(kept)
			return
		}
		kept[fact[:1]] = fact
	}}
	for _, fact := range []string{"a1", "b1", "a2"} {
		topic.Publish(fact)
	}
	late, early := topic.SubscribeLate(1), topic.Subscribe(1)
	topic.Publish("c1")
	topic.Publish("over")
	empty := topic.SubscribeLate(1)
	topic.Close()
	got := read(late)
	if len(got) > 2 {
		slices.Sort(got[:2]) // what is kept comes in any order
	}
	if !slices.Equal(got, []string{"a2", "b1", "c1"}) || !errors.Is(late.Err(), ErrLagged) {
		t.Errorf("the late reader got %q, %v", got, late.Err())
	}
	if got := read(early); !slices.Equal(got, []string{"c1"}) {
		t.Errorf("a reader that asks for nothing kept got %q", got)
	}
	if got := read(empty); len(got) != 0 {
		t.Errorf("what is over was kept: %q", got)
	}
}

func TestClosingIsDoneOnceAndForAll(t *testing.T) {
	topic := Topic[int]{Recall: func(kept map[string]int, fact int) { kept[""] = fact }}
	s := topic.Subscribe(1)
	s.Close()
	s.Close()
	topic.Publish(1)
	if got := read(s); len(got) != 0 || s.Err() != nil || topic.Readers() != 0 {
		t.Errorf("a closed subscription got %v, %v", got, s.Err())
	}
	topic.Close()
	topic.Close()
	topic.Publish(2)
	if got := read(topic.Subscribe(1)); len(got) != 0 {
		t.Errorf("a closed topic delivers %v", got)
	}
	if got := read(topic.SubscribeLate(1)); len(got) != 0 {
		t.Errorf("a closed topic delivers what it kept: %v", got)
	}
}

// Many who publish, subscribe and leave at once: every reader sees each publisher's facts in their order.
func TestManyAtOnce(t *testing.T) {
	var topic Topic[[2]int]
	var publishers, readers sync.WaitGroup
	for range 4 {
		s := topic.Subscribe(4000)
		readers.Go(func() {
			last := [4]int{-1, -1, -1, -1}
			for fact := range s.C() {
				if who, n := fact[0], fact[1]; n != last[who]+1 {
					t.Errorf("after %d of %d came %d", last[who], who, n)
				} else {
					last[who] = n
				}
			}
		})
	}
	for who := range 4 {
		publishers.Go(func() {
			for n := range 1000 {
				topic.Publish([2]int{who, n})
				if n%100 == 0 {
					topic.Subscribe(1).Close()
				}
			}
		})
	}
	publishers.Wait()
	topic.Close()
	readers.Wait()
}
