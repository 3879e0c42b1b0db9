package engine

import (
	"context"

	"agentflow/backend/model/llm"
	"agentflow/backend/model/tool"
	"agentflow/backend/talk/chatagent"
	"agentflow/backend/talk/room"
	"agentflow/backend/talk/turns"
	"agentflow/backend/work/inbox"
)

// talk builds the machines of the rooms: messages, turns, and the agents that the
// hub runs there.
func (e *Engine) talk(ctx context.Context, models *llm.Registry) (err error) {
	kept := e.store.Rooms()
	if e.rooms, err = room.New(ctx, room.Options{Store: kept, Logger: e.opts.Logger}); err != nil {
		return err
	}
	if e.turns, err = turns.New(ctx, turns.Options{Rooms: e.rooms, Store: kept.Turns(), Logger: e.opts.Logger}); err != nil {
		return err
	}
	shop := chatagent.Toolbox{
		Models:  models,
		Sandbox: e.settings.Sandbox(),
		Asker: func(c chatagent.Config, room string) tool.Asker {
			on := &inbox.Ground{Team: "room:" + room, Workspace: c.Workspace, Fingerprint: inbox.FingerprintOf(c)}
			return inbox.Asker{Inbox: e.inbox, Agent: c.Name, Room: room, On: on}
		},
	}
	e.stage = chatagent.NewRoomAgents(chatagent.RoomAgentsOptions{
		Local: chatagent.Local{Rooms: e.rooms, Turns: e.turns}, Library: e.library, Responder: shop.Responder, Fixed: e.opts.Agents, Logger: e.opts.Logger,
		Trusts: e.trust.Check,
	})
	return nil
}
