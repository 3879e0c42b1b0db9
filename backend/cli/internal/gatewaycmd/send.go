package gatewaycmd

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/event"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/cli/internal/term"
	"agentflow/backend/gateway/client"
)

const (
	askEvery  = time.Second // how often a gateway without events is asked for its history
	askedBack = 100         // messages of the history
	maxNames  = 20          // agents that an error lists
)

// sent is what gateway send says with --json.
type sent struct {
	SessionKey string `json:"sessionKey"`
	client.ChatSent
	Reply *string `json:"reply,omitempty"` // with --wait
}

func (p program) sendCommand(f *gatewayFlags) *cobra.Command {
	var wait bool
	var key string
	timeout := 120 * time.Second
	cmd := &cobra.Command{
		Use:     "send SESSION_KEY TEXT|-",
		Short:   "Send a message to a session",
		Args:    shell.Args(cobra.ExactArgs(2)),
		Example: "  agentflow gateway send agent:main:main \"Hello\" --wait\n  agentflow gateway send agent:main:main - --wait < question.txt",
		RunE: p.Run(func(cmd *cobra.Command, given []string) error {
			text := given[1]
			if text == shell.Stdin {
				data, err := p.ReadBytes(shell.Stdin)
				if err != nil {
					return err
				}
				text = string(data)
			}
			if strings.TrimSpace(text) == "" {
				return errcode.New(errcode.Validation, "the message is empty").With(errcode.KeyField, "text")
			}
			return p.connect(cmd.Context(), f, func(ctx context.Context, c connection) error {
				if err := c.checkAgent(ctx, given[0]); err != nil {
					return err
				}
				m := client.ChatMessage{SessionKey: given[0], Message: text, IdempotencyKey: key}
				if !wait {
					return p.send(ctx, c, m)
				}
				ctx, cancel := context.WithTimeoutCause(ctx, timeout, errNoReply(m.SessionKey, timeout))
				defer cancel()
				return p.sendAndWait(ctx, c, m)
			})
		}),
	}
	cmd.Flags().BoolVar(&wait, "wait", false, "wait for the reply and print it")
	cmd.Flags().DurationVar(&timeout, "timeout", timeout, "max time to wait for the reply")
	cmd.Flags().StringVar(&key, "idempotency-key", "", "a repeated message with the same key isn't sent again")
	return cmd
}

// checkAgent rejects the session of an agent that the gateway doesn't have: some gateways accept such a message, and
// nobody ever answers it. Where the config doesn't tell, the gateway decides.
func (c connection) checkAgent(ctx context.Context, session string) error {
	agent, names := strings.CutPrefix(session, "agent:")
	if !names {
		return nil
	}
	agents := c.agents(ctx)
	if len(agents) == 0 {
		return nil
	}
	var known []string
	for _, id := range agents { // an id can contain colons, and gateways ignore its case
		if own := id + ":"; len(agent) >= len(own) && strings.EqualFold(agent[:len(own)], own) {
			return nil
		}
		known = append(known, term.OneLine(id, 100))
	}
	if len(known) > maxNames {
		known = append(known[:maxNames], "…")
	}
	agent, _, _ = strings.Cut(agent, ":")
	return errcode.New(errcode.NotFound,
		"%s has no agent %s. Its agents are: %s", c.url, term.OneLine(agent, 100), strings.Join(known, ", ")).
		With(errcode.KeyField, "sessionKey")
}

// agents returns the IDs of the gateway's agents, or nil if its config can't be read, for example because the token
// doesn't permit it.
func (c connection) agents(ctx context.Context) (ids []string) {
	snap, err := c.Read(ctx)
	if err != nil {
		return nil
	}
	reading, err := snap.Reading()
	if err != nil {
		return nil
	}
	for _, a := range reading.Topology.Agents {
		ids = append(ids, string(a.ID))
	}
	return ids
}

func (p program) send(ctx context.Context, c connection, m client.ChatMessage) error {
	receipt, err := c.Client().ChatSend(ctx, m)
	if err != nil {
		return err
	}
	p.Screen.Print("sent %s\n", receipt.MessageID)
	return p.Screen.Object(sent{SessionKey: m.SessionKey, ChatSent: receipt})
}

func (p program) sendAndWait(ctx context.Context, c connection, m client.ChatMessage) error {
	link := c.Client()
	events := link.Events(watchBuffer)
	defer events.Close()
	var before []client.Message
	if link.Status().Dialect != client.DialectFramed { // only the framed protocol is sure to have events
		var err error
		if before, err = link.ChatHistory(ctx, m.SessionKey, askedBack); err != nil && !errcode.Is(err, errcode.NotFound) {
			return err
		}
	}
	receipt, err := link.ChatSend(ctx, m)
	if err != nil {
		return err
	}
	w := waiter{client: link, session: m.SessionKey, run: receipt.RunID, before: before, say: p.Screen.Progress}
	if w.run == "" {
		w.run = receipt.MessageID
	}
	reply, err := w.wait(ctx, events)
	if ctx.Err() != nil && errcode.HasReason(context.Cause(ctx), term.ReasonNoReply) {
		err = context.Cause(ctx)
	}
	if err != nil {
		return err
	}
	p.Screen.Print("%s\n", term.Clean(reply))
	return p.Screen.Object(sent{m.SessionKey, receipt, &reply})
}

// waiter waits for the reply to one message.
type waiter struct {
	client  *client.Client
	session string
	run     string
	before  []client.Message // the history before the message was sent
	text    string           // so far, by events
	last    string           // so far, by the history
	say     func(string, ...any)
}

// wait takes the reply from the events, and from the history where there are none.
func (w *waiter) wait(ctx context.Context, events *event.Subscription[client.Event]) (string, error) {
	ask := time.NewTicker(askEvery)
	defer ask.Stop()
	for {
		select {
		case <-ctx.Done():
			return "", context.Cause(ctx)
		case e, open := <-events.C():
			if !open || e.Resync {
				return "", errcode.New(errcode.Gateway,
					"lost the connection while the reply was arriving. See gateway history.").
					With(errcode.KeyReason, errcode.ReasonLinkDown)
			}
			if done, err := w.take(e); done || err != nil {
				return w.text, err
			}
		case <-ask.C:
			if w.text != "" || w.client.Status().Dialect != client.DialectJSONRPC {
				continue // it comes by events
			}
			if done, err := w.ask(ctx); done || err != nil {
				return w.last, err
			}
		}
	}
}

// take is one event; done says that the run has ended.
func (w *waiter) take(e client.Event) (done bool, err error) {
	chat, ok := client.ParseChatEvent(e)
	if !ok || chat.RunID != w.run {
		return false, nil
	}
	if chat.Text != "" {
		w.text = chat.Text
	}
	switch {
	case chat.State == "error":
		return true, errcode.New(errcode.Gateway, "the agent failed: %s", term.OneLine(chat.Error, 500)).
			With(errcode.KeyReason, errcode.ReasonRejected)
	case chat.State == "aborted":
		return true, errcode.New(errcode.Gateway, "the run was stopped on the gateway").
			With(errcode.KeyReason, errcode.ReasonRejected)
	}
	return chat.Done(), nil
}

// ask reads the history; done says that the reply is there and has stopped growing.
func (w *waiter) ask(ctx context.Context) (done bool, err error) {
	now, err := w.client.ChatHistory(ctx, w.session, askedBack)
	if err != nil {
		if errcode.Is(err, errcode.NotFound) {
			return false, nil
		}
		return false, err
	}
	reply := replyIn(newMessages(w.before, now))
	done = reply != "" && reply == w.last
	w.last = reply
	w.say("waiting for the reply …")
	return done, nil
}

// newMessages are those of now that come after before; both show a window of one history.
func newMessages(before, now []client.Message) []client.Message {
	for skip := range len(before) + 1 {
		if rest := before[skip:]; len(rest) <= len(now) && slices.EqualFunc(rest, now[:len(rest)], sameMessage) {
			return now[len(rest):]
		}
	}
	return now
}

func sameMessage(a, b client.Message) bool {
	return a.Role == b.Role && a.Timestamp.Equal(b.Timestamp) && a.Text() == b.Text()
}

// replyIn is what the agent said after the last message of the person.
func replyIn(messages []client.Message) string {
	var parts []string
	for _, m := range messages {
		switch m.Role {
		case "user":
			parts = nil
		case "assistant":
			if text := m.Text(); text != "" {
				parts = append(parts, text)
			}
		}
	}
	return strings.Join(parts, "\n")
}
