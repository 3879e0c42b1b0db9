package coordinator

import (
	"errors"
	"testing"
	"time"
)

// A remote agent that rejects a task is asked less and less often, with jitter: at most 8 times in 25 s.
func TestAG1_WhoRejectsATaskIsAskedLessOften(t *testing.T) {
	busy, seen := errors.New("busy"), map[time.Duration]bool{}
	for range 200 {
		r, asked, at := rejections{}, 1, time.Duration(0)
		first, told := r.note("t", "dev-1", busy)
		if told {
			t.Fatal("the first reason counts as repeated")
		}
		seen[first] = true
		for pause := first; at+pause < 25*time.Second; asked++ {
			at += pause
			if pause, told = r.note("t", "dev-1", busy); !told || pause > 2*lastRejected {
				t.Fatalf("then %s, repeated %v", pause, told)
			}
		}
		if asked > 8 || asked < 3 {
			t.Fatalf("asked %d times in 25 s", asked)
		}
		if _, told := r.note("t", "dev-1", errors.New("closed")); told {
			t.Fatal("another reason counts as repeated")
		}
	}
	if len(seen) < 100 {
		t.Errorf("%d different pauses of 200", len(seen))
	}
}
