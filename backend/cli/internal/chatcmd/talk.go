package chatcmd

import (
	"cmp"
	"context"
	"crypto/rand"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"agentflow/backend/base/errcode"
	"agentflow/backend/cli/internal/hubflags"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/cli/internal/term"
	"agentflow/backend/talk/room"
	"agentflow/backend/talk/roomclient"
	"agentflow/backend/talk/systemmsg"
)

func (p program) sendCommand(f *hubflags.Flags) *cobra.Command {
	var d room.Draft
	kind := string(room.Chat)
	cmd := &cobra.Command{
		Use:     "send --room ROOM TEXT|-",
		Short:   "Post a message to a room",
		Args:    shell.Args(cobra.ExactArgs(1)),
		Long:    "Post a message to a room. The room is created if it doesn't exist. If the hub's answer is\nlost, the command asks again. The message is stored only once.",
		Example: "  agentflow chat send --room dev \"Hello\"\n  git log -1 | agentflow chat send --room dev --sender ci -",
		RunE: p.Run(func(cmd *cobra.Command, given []string) error {
			if err := needRoom(cmd, d.Room); err != nil {
				return err
			}
			d.Text, d.Type = given[0], room.Type(kind)
			if d.Text == shell.Stdin {
				data, err := p.ReadBytes(shell.Stdin)
				if err != nil {
					return err
				}
				d.Text = string(data)
			}
			if d.ClientID == "" {
				d.ClientID = "cli-" + rand.Text()
			}
			return p.with(cmd.Context(), f, func(ctx context.Context, rooms *roomclient.Rooms) error {
				isNew := false
				if list, err := rooms.Rooms(ctx); err == nil { // who can't be told the rooms can still send
					isNew = !slices.ContainsFunc(list, func(s room.Summary) bool { return s.Name == d.Room })
				}
				m, err := rooms.Post(ctx, d)
				if as := nameOf(err); as != "" && !cmd.Flags().Changed("sender") {
					d.Sender = as
					m, err = rooms.Post(ctx, d)
				}
				if err != nil {
					return err
				}
				if isNew {
					p.Screen.Note("created the new room %s", term.OneLine(d.Room, room.MaxName))
				}
				p.Screen.Print("sent %d\n", m.ID)
				return p.Screen.Object(m)
			})
		}),
	}
	roomFlag(cmd, &d.Room, "room name")
	cmd.Flags().StringVar(&d.Sender, "sender", person(), "name of the sender")
	cmd.Flags().StringVar(&kind, "type", kind, "message type: chat, command or system")
	cmd.Flags().StringVar(&d.ClientID, "client-message-id", "", "ID of the message; a repeated ID from the same sender isn't stored again")
	return cmd
}

// nameOf returns the name under which a rooms token talks, from the hub's refusal of another name. For other errors it
// is "".
func nameOf(err error) string {
	if err == nil {
		return ""
	}
	as, _ := errcode.From(err).Details["as"].(string)
	return as
}

// person is the sender's name if none is given.
func person() string {
	for _, name := range []string{"USER", "USERNAME", "LOGNAME"} {
		if v := os.Getenv(name); v != "" {
			return v
		}
	}
	return room.PersonName
}

func (p program) tailCommand(f *hubflags.Flags) *cobra.Command {
	var name string
	last, once, after := 10, false, int64(-1)
	cmd := &cobra.Command{
		Use:     "tail --room ROOM",
		Short:   "Follow the messages in a room",
		Args:    shell.Args(cobra.NoArgs),
		Long:    "Print the last messages of a room, then new ones as they arrive, until interrupted. With\n--json, there is one message per line. If the connection drops, it is restored without\nmissed or duplicate messages.",
		Example: "  agentflow chat tail --room dev\n  agentflow chat tail --room dev --after 120 --once --json",
		RunE: p.Run(func(cmd *cobra.Command, _ []string) error {
			if err := needRoom(cmd, name); err != nil {
				return err
			}
			if last < 0 || last > room.MaxLimit {
				return shell.Usage(cmd, "--last must be a number from 0 to %d", room.MaxLimit)
			}
			return p.with(cmd.Context(), f, func(ctx context.Context, rooms *roomclient.Rooms) error {
				return p.tail(ctx, rooms, name, after, last, once)
			})
		}),
	}
	roomFlag(cmd, &name, "room name")
	cmd.Flags().IntVarP(&last, "last", "n", last, "number of earlier messages to show first")
	cmd.Flags().Int64Var(&after, "after", after, "start with all messages after this ID")
	cmd.Flags().BoolVar(&once, "once", false, "exit after the earlier messages")
	return cmd
}

func (p program) tail(
	ctx context.Context,
	rooms *roomclient.Rooms,
	name string,
	after int64,
	last int,
	once bool,
) error {
	if after < 0 {
		var err error
		if after, err = p.history(ctx, rooms, name, last, once); err != nil || once {
			return err
		}
	}
	for once {
		list, err := rooms.List(ctx, room.Range{Room: name, After: max(after, 0), Oldest: true, Limit: room.MaxLimit})
		if err != nil || len(list) == 0 {
			return cmp.Or(err, there(ctx, rooms, name))
		}
		for _, m := range list {
			if err := p.message(m); err != nil {
				return err
			}
			after = m.ID
		}
	}
	return rooms.Follow(ctx, roomclient.Following{Room: name, After: after}, p.message)
}

// there says that there is no such room: one that can only be waited for appears with its first message.
func there(ctx context.Context, rooms *roomclient.Rooms, name string) error {
	all, err := rooms.Rooms(ctx)
	if err != nil || slices.ContainsFunc(all, func(r room.Summary) bool { return r.Name == name }) {
		return err
	}
	return errcode.New(errcode.NotFound, "there is no room %s", name)
}

// history prints the last messages and returns the id of the newest.
func (p program) history(
	ctx context.Context, rooms *roomclient.Rooms, name string, last int, once bool,
) (int64, error) {
	list, err := rooms.List(ctx, room.Range{Room: name, Limit: max(last, 1)})
	if err == nil && len(list) == 0 && once {
		err = there(ctx, rooms, name)
	}
	if err != nil || len(list) == 0 {
		return 0, err
	}
	newest := list[len(list)-1].ID
	if last == 0 {
		list = nil
	}
	for _, m := range list {
		if err := p.message(m); err != nil {
			return 0, err
		}
	}
	return newest, nil
}

func (p program) message(m room.Message) error {
	if p.Screen.JSON {
		line, err := m.MarshalLine()
		if err != nil {
			return err
		}
		p.Screen.Raw(append(line, '\n'))
		return p.Screen.Failed()
	}
	at := m.Timestamp
	if t, err := time.Parse(time.RFC3339, at); err == nil {
		at = t.Local().Format(time.TimeOnly)
	}
	p.Screen.Print("%s %s: %s\n", at, p.Screen.Paint(term.Bold, term.OneLine(m.Sender, room.MaxName)),
		term.Clean(p.said(m)))
	return p.Screen.Failed()
}

// said is what a message says, in the person's language.
func (p program) said(m room.Message) string {
	return systemmsg.ForReader(string(p.Screen.Language)).Text(m)
}
