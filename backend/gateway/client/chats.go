package client

import (
	"context"
	"errors"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/event"
)

// ChatResync is the state of a ChatEvent that tells that others were missed: what is
// known of the sessions must be read again.
const ChatResync = "resync"

// States of a ChatEvent of a reply that is on its way; all others end it.
const (
	ChatDelta  = "delta"
	ChatStatus = "status"
)

// chatBuffer is how far a reader of chat events may lag.
const chatBuffer = 512

// ChatReader delivers a gateway's chat events in order. Close it.
type ChatReader interface {
	// Next waits for the next event; after an error there are no more.
	Next(ctx context.Context) (ChatEvent, error)
	Close()
}

// Chats starts reading the gateway's chat events. Of replies that are on their way, what has
// come so far is the first.
func (c *Client) Chats() ChatReader {
	return ReadChats(func() *event.Subscription[Event] { return c.eventTopic.SubscribeLate(chatBuffer) },
		func(e Event) Event { return e })
}

// maxGrowing bounds the replies on their way that are kept for those who come late.
const maxGrowing = 64

// Growing keeps of each reply that is on its way the latest event, which holds all of it so
// far; after events were missed nothing is known.
func Growing(kept map[string]Event, e Event) {
	if e.Resync {
		clear(kept)
		return
	}
	chat, is := ParseChatEvent(e)
	if !is {
		return
	}
	run := chat.SessionKey + "\x00" + chat.RunID
	switch _, known := kept[run]; {
	case chat.State == ChatDelta && (known || len(kept) < maxGrowing):
		kept[run] = e
	case chat.State != ChatDelta && chat.State != ChatStatus:
		delete(kept, run)
	}
}

// ReadChats reads chat events from a subscription to facts of any type; one that was cut
// is followed by the next, with a ChatResync between.
func ReadChats[T any](subscribe func() *event.Subscription[T], as func(T) Event) ChatReader {
	return &chats[T]{subscribe: subscribe, as: as, sub: subscribe()}
}

type chats[T any] struct {
	subscribe func() *event.Subscription[T]
	as        func(T) Event
	sub       *event.Subscription[T]
}

func (r *chats[T]) Next(ctx context.Context) (ChatEvent, error) {
	for {
		select {
		case <-ctx.Done():
			return ChatEvent{}, context.Cause(ctx)
		case fact, ok := <-r.sub.C():
			if !ok {
				if !errors.Is(r.sub.Err(), event.ErrLagged) {
					return ChatEvent{}, errcode.New(errcode.Unavailable, "the gateway is no longer followed")
				}
				r.sub = r.subscribe()
				return ChatEvent{State: ChatResync}, nil
			}
			e := r.as(fact)
			if e.Resync {
				return ChatEvent{State: ChatResync}, nil
			}
			if chat, is := ParseChatEvent(e); is {
				return chat, nil
			}
		}
	}
}

func (r *chats[T]) Close() { r.sub.Close() }
