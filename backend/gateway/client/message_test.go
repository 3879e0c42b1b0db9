package client

import (
	"encoding/json"
	"testing"
	"time"
)

// Messages as OpenClaw 2026.9.6 and 2026.2.26 answered them after a restart in the middle of an answer.
func TestGW9_WhoWroteAMessage(t *testing.T) {
	for name, tc := range map[string]struct{ row, want string }{
		"a user": {`{"role":"user","content":"hello"}`, "user"},
		"the gateway": {`{"role":"user","content":"[System] Go on.",
			"provenance":{"kind":"internal_system"}}`, "system"},
		"the gateway, in parts": {`{"role":"user","content":[{"type":"text","text":"[System] Go on."}],
			"provenance":{"kind":"internal_system","sourceTool":"main_session_restart_recovery"}}`, "system"},
		"another session":   {`{"role":"user","content":"hello","provenance":{"kind":"inter_session"}}`, "user"},
		"an odd provenance": {`{"role":"user","content":"hello","provenance":"internal_system"}`, "user"},
		"an agent's message": {`{"role":"assistant","content":"hi",
			"provenance":{"kind":"internal_system"}}`, "assistant"},
	} {
		var row messageRow
		if err := json.Unmarshal([]byte(tc.row), &row); err != nil {
			t.Fatal(err)
		}
		if got := row.message(); got.Role != tc.want || got.Text() == "" {
			t.Errorf("%s: %s wrote %q, not %s", name, got.Role, got.Text(), tc.want)
		}
	}
}

func TestGW9_APreviewOfWhatAUserWrote(t *testing.T) {
	for preview, want := range map[string][2]string{
		"[Sun 2026-11-29 01:35 UTC] SLOW count two": {"user", "SLOW count two"},
		"Echo: [Sun 2026-11-29 01:35 UTC] hi":       {"assistant", "Echo: [Sun 2026-11-29 01:35 UTC] hi"},
		"[1] is a footnote":                         {"assistant", "[1] is a footnote"},
	} {
		m := sessionRow{Key: "agent:main:main", Preview: preview}.session().LastMessages[0]
		if got := [2]string{m.Role, m.Text()}; got != want {
			t.Errorf("%q: %q, not %q", preview, got, want)
		}
	}
}

// GW-9: what early gateways put before a user's words isn't shown as theirs.
func TestGW9_OnlyWhatTheUserTyped(t *testing.T) {
	const events = "System: [2026-11-29 21:25:31 UTC] Gateway restart config-apply ok (config.apply)\n" +
		"Run: openclaw doctor --non-interactive\n\n"
	const clock, block = "[Sun 2026-11-29 21:25 UTC] ", "Conversation info (untrusted metadata):\n```json\n{}\n```\n\n"
	for text, want := range map[string]string{
		events + clock + "こんにちは":         "こんにちは",
		events + block + clock + "hello": "hello",
		block + clock + "hello":          "hello",
		events + "hello":                 events + "hello", // typed
		clock + "hello":                  clock + "hello",  // the gateway takes it off, so somebody typed it
		"System: down\n\n" + clock + "?": "System: down\n\n" + clock + "?",
	} {
		if got := unwrapUserText(text); got != want {
			t.Errorf("%q is shown as %q", text, got)
		}
	}
	if m := previewMessage(events+clock+"hello", time.Time{}); m.Role != "user" || m.Text() != "hello" {
		t.Errorf("the last message is %+v", m)
	}
}
