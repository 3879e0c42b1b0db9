package room_test

import (
	"strings"
	"sync"
	"testing"

	"agentflow/backend/talk/room"
)

// BenchmarkSend is a message from its sender to a reader, stored durably in between, with
// 64 on their way.
func BenchmarkSend(b *testing.B) {
	h, _ := open(b, nil)
	text := strings.Repeat("lorem ipsum ", 8)
	slots := make(chan struct{}, 64)
	var wg sync.WaitGroup
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		slots <- struct{}{}
		wg.Add(1)
		err := h.Send(b.Context(), room.Draft{Room: "r", Sender: "s", Text: text, Timestamp: "2026-11-21T09:00:00Z"}, func(_ room.Message, err error) {
			if err != nil {
				b.Error(err)
			}
			<-slots
			wg.Done()
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	wg.Wait()
}
