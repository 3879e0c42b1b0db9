package codecli

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"agentflow/backend/base/proc"
)

// ME-11: whatever a CLI prints, long texts of an event lose only their middle, and the event is read as if it had
// been written that way.
func TestME11_LongTextsLoseTheirMiddle(t *testing.T) {
	pieces := []string{"a", "plain words ", "\n", `"`, `\`, `\\\`, "\u0001", "日本語", "😀", "é", "\u2028", "{", `":`}
	random := rand.New(rand.NewPCG(1, 2))
	text := func(size int) string {
		var b strings.Builder
		only := pieces[random.IntN(len(pieces))] // or only one kind
		for mixed := random.IntN(3) > 0; b.Len() < size; {
			if b.WriteString(only); mixed {
				only = pieces[random.IntN(len(pieces))]
			}
		}
		return b.String()
	}
	for range 400 {
		sizes := []int{0, 10, maxText - 1, maxText, maxText + 1, maxText + 40, 3 * maxText}
		before := map[string]string{}
		for _, key := range []string{"a", "long", `k"e\y`} {
			before[key] = text(sizes[random.IntN(len(sizes))])
		}
		line, err := json.Marshal(before)
		if err != nil {
			t.Fatal(err)
		}
		if random.IntN(2) == 0 { // with non-ASCII characters escaped
			line = []byte(escaped(string(line)))
		}
		written := string(line)
		after := map[string]string{}
		if err := json.Unmarshal(shorten(line), &after); err != nil || len(after) != len(before) {
			t.Fatalf("%v\n%.200s", err, written)
		}
		for key, was := range before {
			is := after[key]
			if is == was {
				continue
			}
			head, tail, cut := strings.Cut(is, omission)
			if !cut || len(is) >= len(was) || !utf8.ValidString(is) {
				t.Fatalf("%q of %d bytes became %d", key, len(was), len(is))
			}
			head, tail = strings.TrimSuffix(head, "\uFFFD"), strings.TrimPrefix(tail, "\uFFFD") // half of a surrogate pair
			if !strings.HasPrefix(was, head) || !strings.HasSuffix(was, tail) || len(head) < 100 || len(tail) < 100 {
				t.Fatalf("%q: %d bytes of the head, %d of the tail", key, len(head), len(tail))
			}
		}
	}
	for _, line := range []string{strings.Repeat(`"`, maxText+1), strings.Repeat("x", 2*maxText), `{"a":"` + strings.Repeat(`\`, 3*maxText), `{"a":"` + strings.Repeat(`\\`, 2*maxText) + `","b":1}`} {
		if got := shorten([]byte(line)); len(got) > len(line) {
			t.Errorf("%.20q grew from %d to %d bytes", line, len(line), len(got))
		}
	}
}

func escaped(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r < 0x80 {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

// ME-11: after a flood of long events, the end of the work is still read.
func TestME11_FaultAFloodOfLongEvents(t *testing.T) {
	long, _ := json.Marshal(strings.Repeat("a line of a build that says a lot\n", 20_000))
	event := `{"type":"item.completed","item":{"type":"command_execution","command":"make","aggregated_output":` + string(long) + `,"exit_code":1,"status":"completed"}}` + "\n"
	r := reading{out: proc.HeadTailBuffer{Most: maxKept}, read: readCodex}
	lines := proc.LineSplitter{Most: maxLine, Line: r.line}
	for range 20 {
		_ = lines.Take([]byte(event))
	}
	_ = lines.Take([]byte(`{"type":"turn.completed","usage":{"input_tokens":7}}` + "\n"))
	if v := r.verdict(proc.Result{}); !v.Finished || v.Commands != 20 || v.Failed != 20 || v.TokensIn != 7 {
		t.Errorf("%+v", v)
	}
}
