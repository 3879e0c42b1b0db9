package engine_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/talk/room"
)

// TestCH1_AReaderFindsAndExportsWhatTheScreenSays: in their language, what is stored in English.
func TestCH1_AReaderFindsAndExportsWhatTheScreenSays(t *testing.T) {
	t.Parallel()
	h := startHub(t, t.TempDir())
	tell := func(room1, text, code string, params map[string]string) {
		h.must(
			"POST",
			"/api/message",
			room.Draft{
				Room:      room1,
				Sender:    "Ann",
				Text:      text,
				Type:      room.System,
				Timestamp: "2026-11-21T09:00:00Z",
				Cause:     &errcode.Cause{Code: code, Params: params},
			},
			nil,
		)
	}
	tell("b", "b: 1200 turns", "limit_turns", map[string]string{"n": "1200"})
	tell("a", "a: Ann used shell", "tool_used", map[string]string{"agent": "Ann", "tool": "shell", "arguments": "{}"})
	for i := range 600 { // more than are looked at in one go
		tell("a", fmt.Sprintf("a: noise %d", i), "turn_silent", map[string]string{"agent": "Ann"})
	}
	tell("a", "Ann could not answer: EOF. This had come of its answer:\n\n半分", "unanswered",
		map[string]string{"agent": "Ann", "why": "no_answer", "own": "2"})
	tell("a", "a: 5 turns", "limit_turns", map[string]string{"n": "5"})
	h.post(room.Draft{Room: "a", Sender: "human", Text: "発言が回続いた？"})
	for query, want := range map[string]string{
		"発言が":            "発言が回続いた？|a: 5 turns|b: 1200 turns",
		"回続いた":           "発言が回続いた？|a: 5 turns|b: 1200 turns",
		"1,200回続いた":      "b: 1200 turns",
		"Annがツールを使いました：": "a: Ann used shell",
		"ツール SHELL":      "a: Ann used shell", // one word as translated, one as stored
		"5 停止しました":       "a: 5 turns",        // and the other way round
		"でした。モデルの 半分":    "Ann could not answer: EOF. This had come of its answer:\n\n半分",
		"続いた どこにもない":     "",
	} {
		if got := h.search("language=ja&q=" + url.QueryEscape(query)); got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	if got := h.search("language=ja&room=b&q=" + url.QueryEscape("発言が")); got != "b: 1200 turns" {
		t.Errorf("in one room: %q", got)
	}
	if got := h.search("language=ja&limit=2&q=" + url.QueryEscape("発言が")); got != "発言が回続いた？|a: 5 turns" {
		t.Errorf("the newest two: %q", got)
	}
	if got := h.search("language=ja&limit=2&before=3&q=" + url.QueryEscape("発言が")); got != "b: 1200 turns" {
		t.Errorf("before: %q", got)
	}
	if got := h.search("language=en&q=" + url.QueryEscape("send a message 1,200")); got != "b: 1200 turns" {
		t.Errorf("in English: %q", got)
	}
	if got := h.search("q=" + url.QueryEscape("発言が")); got != "発言が回続いた？" {
		t.Errorf("without a language: %q", got)
	}
	if status, e := h.call("GET", "/api/messages/search?q=a&language=fr", nil, nil); status != 400 || e.Code != errcode.Validation {
		t.Errorf("a language without words: %d %+v", status, e)
	}
	text := h.get("/api/rooms/a/export?language=ja")
	for _, want := range []string{
		"\n## Ann（システム） — " + nineHere + "\n\nAnnがツールを使いました：`shell {}`\n",
		"Annは回答できませんでした。モデルのプロバイダーから、完全な回答が返りませんでした。\n\n途中までの回答：\n\n半分\n\n> Ann could not answer: EOF.\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the file lacks %q:\n%s", want, text[max(0, len(text)-800):])
		}
	}
	if text := h.get("/api/rooms/a/export?language=en"); !strings.Contains(text, "\n## Ann (system) — "+nineHere+"\n\na: Ann used shell\n") {
		t.Error("in English it is not as it is stored")
	}
	if ja, en := h.get("/api/rooms/b/export?format=json&language=ja"), h.get("/api/rooms/b/export?format=json"); cutClock(ja) != cutClock(en) || !strings.Contains(ja, `"code":"limit_turns"`) {
		t.Errorf("JSON is for programs, the same for all:\n%s\n%s", ja, en)
	}
}

func cutClock(file string) string {
	_, rest, _ := strings.Cut(file, `,"messages"`)
	return rest
}

// nineHere is 9 o'clock in UTC as an export tells it: where the hub is, with the zone.
var nineHere = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC).Local().Format("2006-01-02 15:04:05 -07:00")
