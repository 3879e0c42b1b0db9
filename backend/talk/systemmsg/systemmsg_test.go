package systemmsg_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/talk/room"
	"agentflow/backend/talk/systemmsg"
)

var update = flag.Bool("update", false, "take the words from the page")

type telling struct{ Text, Own string }

// TestCH6_SystemMessagesAreToldAsThePageTellsThem: features/rooms/told.test.ts reads the same file.
func TestCH6_SystemMessagesAreToldAsThePageTellsThem(t *testing.T) {
	file, err := os.ReadFile(filepath.Join("testdata", "tellings.json"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Message room.Message
		En, Ja  telling
	}
	if err := json.Unmarshal(file, &cases); err != nil || len(cases) == 0 {
		t.Fatal(err)
	}
	for _, c := range cases {
		for language, want := range map[string]telling{"en": c.En, "ja": c.Ja} {
			if got := systemmsg.For(language).Translate(c.Message); got != systemmsg.Translation(want) {
				t.Errorf("%s: %q\n got %+v\nwant %+v", language, c.Message.Text, got, want)
			}
		}
	}
}

// TestTheWordsAreThoseOfThePage: so nobody reads one thing on the screen and another in a file.
func TestTheWordsAreThoseOfThePage(t *testing.T) {
	page := map[string]any{}
	for _, language := range []string{"en", "ja"} {
		var rooms struct{ Told map[string]string }
		why := map[string]string{}
		for name, into := range map[string]any{"rooms.json": &rooms, "cause.json": &why} {
			text, err := os.ReadFile(filepath.Join("..", "..", "..", "frontend", "src", "i18n", language, name))
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(text, into); err != nil {
				t.Fatal(err)
			}
		}
		page[language] = map[string]any{"told": rooms.Told, "why": why}
	}
	var want bytes.Buffer
	enc := json.NewEncoder(&want)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(page); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("words.json", want.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile("words.json"); err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("words.json is not what the page says: go test ./backend/talk/systemmsg -run Words -update (%v)", err)
	}
}

func TestAWordThatOnlyTheReaderSeesNamesItsCauses(t *testing.T) {
	ja, en := systemmsg.For("ja"), systemmsg.For("en")
	for word, want := range map[string][]string{
		"回続いた":       {"limit_turns"},
		"1,200回続いた":  {"limit_turns"}, // a number, and what follows it
		"Annがツールを使い": {"tool_used"},
		"でした。モデル":    {"unanswered"},                   // where two phrases meet
		"途中までの回答":    {"answer_cut_off", "unanswered"}, // an agent may be called 途中まで
		"ツール":        {"tool_failed", "tool_used", "unanswered"},
		"deploy":     nil,
		"デプロイ":       nil,
		"😀":          nil,
		"MAX_TOKENS": {"answer_cut_off"},
	} {
		if got := ja.Causes(word); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
	if got := en.Causes("deploy"); len(got) > 0 {
		t.Errorf("deploy: %q", got)
	}
	if got := en.Causes("Tokens"); !slices.Equal(got, []string{"answer_cut_off", "limit_tokens", "unanswered"}) {
		t.Errorf("Tokens: %q", got)
	}
}

// For every part of a translated message, its cause is among the candidates: else the
// search would miss it.
func TestEveryPartOfWhatIsToldIsACandidate(t *testing.T) {
	m := room.Message{
		Type:   room.System,
		Sender: "開発 太郎",
		Text:   "x",
		Cause: &errcode.Cause{
			Params: map[string]string{
				"agent":     "開発 太郎",
				"by":        "開発 太郎",
				"n":         "12345",
				"why":       "answer_too_long",
				"tool":      "shell",
				"arguments": "{}",
			},
		},
	}
	ja := systemmsg.For("ja")
	for _, code := range []string{"stopped", "unanswered", "turn_silent", "limit_turns", "limit_tokens", "answer_cut_off", "tool_used", "tool_failed"} {
		m.Cause.Code = code
		for _, run := range bytes.Fields([]byte(ja.Text(m))) {
			text := []rune(string(run))
			for from := range text {
				for to := from + 1; to <= len(text); to++ {
					word := string(text[from:to])
					stored := "開発 太郎 12345 `shell {}`"
					if !bytes.Contains([]byte(stored), []byte(word)) && !slices.Contains(ja.Causes(word), code) {
						t.Errorf("%s: %q is no candidate", code, word)
					}
				}
			}
		}
	}
}
