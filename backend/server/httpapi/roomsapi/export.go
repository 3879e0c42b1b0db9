package roomsapi

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/server/httperr"
	"agentflow/backend/talk/room"
	"agentflow/backend/talk/systemmsg"
)

func typeOf[T any]() reflect.Type { return reflect.TypeFor[T]() }

type exportRoom struct {
	Name   string `path:"name" doc:"Name of the room."`
	Format string `query:"format" enum:"markdown,json" default:"markdown" doc:"File format. Use json in programs: it's the same in every language. Default: markdown."`
	// Language is the reader's.
	Language string `query:"language" enum:"en,ja" doc:"Language of system messages. Default: as they are stored."`
}

func (d *Handler) registerExport(api huma.API, log *slog.Logger) {
	o := httperr.Route(http.MethodGet, "/api/rooms/{name}/export", "exportRoom", "Export a room\n"+
		"Returns all messages as one Markdown or JSON file.", "rooms")
	o.Responses["200"] = &huma.Response{Description: "The file", Content: map[string]*huma.MediaType{
		"text/markdown": {Example: "# dark-mode\n\n## Mia — 2026-03-02T09:30:00Z\n\nAdd dark mode to the shop.\n"},
		"application/json": {
			Example: map[string]any{"room": "dark-mode", "exportedAt": "2026-03-02T10:00:00Z", "messages": []any{}},
		},
	}}
	huma.Register(api, o, httperr.Handler(log, func(ctx context.Context, in *exportRoom) (*huma.StreamResponse, error) {
		name, err := room.Name("name", in.Name)
		if err != nil {
			return nil, err
		}
		if _, err := d.hub.Room(name); err != nil {
			return nil, err
		}
		return &huma.StreamResponse{Body: func(c huma.Context) {
			kind, suffix, write := "text/markdown; charset=utf-8", ".md", markdown(name, in.Language)
			if in.Format == "json" {
				kind, suffix, write = "application/json", ".json", asJSON(name)
			}
			c.SetHeader("Content-Type", kind)
			c.SetHeader("Content-Disposition", "attachment; filename*=UTF-8''"+url.PathEscape(fileName(name)+suffix))
			if err := d.export(c.Context(), name, c.BodyWriter(), write); err != nil {
				log.WarnContext(ctx, "an export ended early", slog.Any("error", err))
				panic(http.ErrAbortHandler) // half a file must not look like a whole one
			}
		}}, nil
	}))
}

// writer writes a part of the file: its head (page nil), messages, its end (page empty).
type writer func(w io.Writer, page []room.Message) error

func (d *Handler) export(ctx context.Context, name string, w io.Writer, write writer) error {
	if err := write(w, nil); err != nil {
		return err
	}
	if err := d.hub.Each(ctx, name, func(page []room.Message) error { return write(w, page) }); err != nil {
		return err
	}
	return write(w, []room.Message{})
}

func asJSON(name string) writer {
	some := false
	return func(w io.Writer, page []room.Message) error {
		if page == nil {
			head, err := json.Marshal(
				map[string]string{"room": name, "exportedAt": time.Now().UTC().Format(time.RFC3339)},
			)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(w, "%s,\"messages\":[", strings.TrimSuffix(string(head), "}"))
			return err
		}
		for _, m := range page {
			line, err := m.MarshalLine()
			if err != nil {
				return err
			}
			separator := "\n"
			if some {
				separator = ",\n"
			}
			some = true
			if _, err := fmt.Fprintf(w, "%s%s", separator, line); err != nil {
				return err
			}
		}
		if len(page) == 0 {
			_, err := io.WriteString(w, "]}\n")
			return err
		}
		return nil
	}
}

// stoppedAnswer stands in notes for an answer that was stopped, beside the types.
const stoppedAnswer room.Type = "stopped"

// notes tell what a message is that nobody has said, or not to its end, beside English.
var notes = map[string]map[room.Type]string{
	"ja": {room.System: "（システム）", room.Command: "（指示）", stoppedAnswer: "（停止）"},
}

// markdown writes one heading per message, for readers of the language. The text of a
// message stays as it is: it is Markdown already; only a line that looks like one of our
// headings is escaped.
func markdown(name, language string) writer {
	return func(w io.Writer, page []room.Message) error {
		if page == nil {
			_, err := fmt.Fprintf(w, "# %s\n", inline(name))
			return err
		}
		for _, m := range page {
			note, text := "", whole(systemmsg.ForReader(language).Translate(m))
			kind := m.Type
			if m.Stopped() {
				kind = stoppedAnswer
			}
			if kind != room.Chat {
				note = cmp.Or(notes[language][kind], " ("+string(kind)+")")
			}
			text = strings.ReplaceAll("\n"+text, "\n## ", "\n\\## ")[1:]
			if _, err := fmt.Fprintf(w, "\n## %s%s — %s\n\n%s\n", inline(m.Sender), note, local(m.Timestamp), strings.TrimRight(text, "\n")); err != nil {
				return err
			}
		}
		return nil
	}
}

// local is a message's time where the hub is, with the zone.
func local(timestamp string) string {
	at, err := time.Parse(time.RFC3339Nano, timestamp)
	if err != nil {
		return timestamp
	}
	return at.Local().Format("2006-01-02 15:04:05 -07:00")
}

// whole is what a message says, with the hub's own words behind it where they say more.
func whole(t systemmsg.Translation) string {
	if t.Own == "" {
		return t.Text
	}
	return t.Text + "\n\n> " + strings.ReplaceAll(t.Own, "\n", "\n> ")
}

// inline keeps a name from being Markdown.
func inline(name string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "<", `\<`, "#", `\#`).
		Replace(name)
}

// fileName is a name that every system takes.
func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, r) {
			return '-'
		}
		return r
	}, name)
}
