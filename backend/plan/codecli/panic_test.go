//go:build linux

package codecli

import (
	"context"
	"strings"
	"testing"

	"agentflow/backend/base/safego"
)

// A panic in a goroutine that reads a worker's output or talks to it fails only that work. The goroutines belong to
// os/exec, the SDK and the conversation.
func TestTR5_APanicInAConversationEndsOneWork(t *testing.T) {
	for name, when := range map[string]string{"what it says comes in": "text I make it.", "its turn ends": "text Made it."} {
		_, err := speaker(
			"works",
		).Run(t.Context(), Place{Dir: t.TempDir(), Home: t.TempDir()}, Call{Kind: Gemini, Mode: ACP, Prompt: "work"}, func(e Event) {
			if e.Kind+" "+e.Text == when {
				panic("no")
			}
		})
		if !safego.Is(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTR5_APanicWhileLeaveIsAskedRefusesIt(t *testing.T) {
	w := speaker("works")
	w.Permit = func(context.Context, Permission) (bool, error) { panic("no") }
	v, err := w.Run(t.Context(), Place{Dir: t.TempDir(), Home: t.TempDir()},
		Call{Kind: Gemini, Mode: ACP, Prompt: "work"}, nil)
	if err != nil || v.Finished || !strings.Contains(v.Reason, "its turn failed") {
		t.Errorf("%+v, %v", v, err)
	}
}

func TestTR5_APanicWhileItIsCalledOffEndsTheWorker(t *testing.T) {
	ctx, stop := context.WithCancelCause(t.Context())
	(&talk{ctx: ctx}).contain(stop, func(context.CancelCauseFunc) { panic("no") })
	if !safego.Is(context.Cause(ctx)) {
		t.Errorf("%v", context.Cause(ctx))
	}
}
