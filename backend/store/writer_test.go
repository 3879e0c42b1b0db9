package store_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"sync"
	"time"

	"agentflow/backend/store"
	"agentflow/backend/talk/room"
	"agentflow/backend/work/coordinator"
	"agentflow/backend/work/task"
)

// The environment of a process that writes messages until it is stopped.
const (
	writeInto    = "AGENTFLOW_TEST_WRITE_INTO"
	withLevel    = "AGENTFLOW_TEST_SYNCHRONOUS"
	fullFaults   = "AGENTFLOW_FAULTS"           // set: the full number of rounds
	writeTasks   = "AGENTFLOW_TEST_WRITE_TASKS" // set: it adds tasks instead, several at once
	ackedAtLeast = 200
)

// writeForEver acknowledges each batch on standard output with the id of its last message.
func writeForEver(dir string) {
	store.SetDurability(os.Getenv(withLevel))
	s, err := store.Open(context.Background(), dir, slog.New(slog.DiscardHandler))
	if err != nil {
		panic(err)
	}
	go func() { _ = s.Run(context.Background()) }()
	if os.Getenv(writeTasks) != "" {
		addForEver(store.Tasks(s))
	}
	rooms := s.Rooms()
	for i := 0; ; i++ {
		batch := make([]room.Append, 1+i%7)
		for j := range batch {
			batch[j] = room.Append{
				Message: room.Message{
					Room:      "r",
					Sender:    "s",
					Text:      fmt.Sprint(i, " ", j),
					Timestamp: "2026-11-21T09:00:00Z",
					Type:      room.Chat,
				},
				At: time.Now(),
			}
		}
		if err := rooms.AppendMessages(context.Background(), batch); err != nil {
			panic(err)
		}
		_, _ = os.Stdout.WriteString(strconv.FormatInt(batch[len(batch)-1].ID, 10) + "\n")
	}
}

// addForEver adds tasks by the dozen and acknowledges each dozen with the number of all.
func addForEver(s coordinator.Store) {
	for n := 0; ; n += 12 {
		var wg sync.WaitGroup
		for i := range 12 {
			wg.Go(func() {
				one := task.Accepted(
					task.Task{ID: task.ID(strconv.Itoa(n + i)), SessionID: "s", Type: task.Chat, Prompt: "p"},
				)
				if _, _, err := s.AddTask(context.Background(), one, ""); err != nil {
					panic(err)
				}
			})
		}
		wg.Wait()
		_, _ = os.Stdout.WriteString(strconv.Itoa(n+12) + "\n")
	}
}
