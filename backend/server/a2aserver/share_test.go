package a2aserver_test

import (
	"context"
	"iter"
	"strings"
	"testing"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"agentflow/backend/base/errcode"
	"agentflow/backend/work/coordinator"
)

// A client that follows a task by A2A counts among its readers. One too many is rejected, so no
// task is submitted that could not be followed.
func TestTR4_F18_WhoFollowsATaskByA2AHasAShare(t *testing.T) {
	d, tasks := openDoor(t)
	readers := 0
	d.Reader = func(context.Context) (func(), *errcode.Error) {
		if readers == 1 {
			return nil, errcode.New(errcode.RateLimited, "close some first")
		}
		readers++
		return func() { readers-- }, nil
	}
	send := func() *a2a.SendMessageRequest {
		return &a2a.SendMessageRequest{Message: a2a.NewMessage(a2a.MessageRoleUser, a2a.NewTextPart("hello"))}
	}
	next, stop := iter.Pull2(d.SendStreamingMessage(t.Context(), send()))
	defer stop()
	first, err, _ := next()
	if err != nil || readers != 1 {
		t.Fatalf("%v, %d readers", err, readers)
	}
	refused := func(by string, err error) {
		if err == nil || !strings.Contains(err.Error(), "close some first") {
			t.Errorf("%s: %v", by, err)
		}
	}
	for by, stream := range map[string]iter.Seq2[a2a.Event, error]{
		"a message":      d.SendStreamingMessage(t.Context(), send()),
		"a subscription": d.SubscribeToTask(t.Context(), &a2a.SubscribeToTaskRequest{ID: first.TaskInfo().TaskID}),
	} {
		for _, err := range stream {
			refused(by, err)
		}
	}
	_, err = d.SendMessage(t.Context(), send())
	refused("a message that is waited for", err)
	if all, err := tasks.Tasks(t.Context(), coordinator.Query{Limit: 10}); err != nil || len(all) != 1 {
		t.Errorf("%d tasks, %v", len(all), err)
	}
	if _, err := d.SendMessage(t.Context(), &a2a.SendMessageRequest{Message: send().Message, Config: &a2a.SendMessageConfig{ReturnImmediately: true}}); err != nil {
		t.Errorf("one that is not waited for: %v", err)
	}
	stop()
	if readers != 0 {
		t.Errorf("%d readers are left", readers)
	}
}
