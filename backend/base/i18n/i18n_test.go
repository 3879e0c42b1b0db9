package i18n

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestOf(t *testing.T) {
	cases := []struct {
		env  map[string]string
		want Language
	}{
		{nil, English},
		{map[string]string{"LANG": "ja_JP.UTF-8"}, Japanese},
		{map[string]string{"LANG": "ja_JP.UTF-8", "LC_ALL": "C.UTF-8"}, English},
		{map[string]string{"LANG": "C", "LC_MESSAGES": "ja"}, Japanese},
		{map[string]string{"LANG": "de_DE.UTF-8"}, English},
		{map[string]string{"LANG": "ja_JP.UTF-8", "AGENTFLOW_LANG": "en"}, English},
		{map[string]string{"LC_ALL": "C", "AGENTFLOW_LANG": "ja"}, Japanese},
		{map[string]string{"LANG": "ja_JP.UTF-8", "AGENTFLOW_LANG": "fr"}, Japanese},
	}
	for _, c := range cases {
		if got := Of(func(name string) string { return c.env[name] }); got != c.want {
			t.Errorf("%v: %s, want %s", c.env, got, c.want)
		}
	}
}

// APP-3: the verbs of both languages are the same in number and kind, so that no argument
// is lost, and each stands for the same one.
func TestAPP3_VerbsAgree(t *testing.T) {
	for english, ja := range japanese {
		if want, got := verbsOf(english), verbsOf(ja); !maps.Equal(want, got) {
			t.Errorf("%q takes %v, its Japanese %q %v", english, want, ja, got)
		}
		if text := fmt.Sprintf(strings.ReplaceAll(ja, "%w", "%s"), samples(english)...); strings.Contains(text, "%!") {
			t.Errorf("%q cannot be written: %s", ja, text)
		}
	}
	for key, ja := range byReason {
		if got := verbsOf(ja); !maps.Equal(got, map[int]string{1: "s"}) {
			t.Errorf("%s: %q takes %v, not the message", key, ja, got)
		}
	}
}

// verbsOf are the kinds of the arguments, by their number.
func verbsOf(format string) map[int]string {
	found := map[int]string{}
	next := 1
	for _, m := range verb.FindAllStringSubmatch(format, -1) {
		if m[2] == "%" {
			continue
		}
		if m[1] != "" {
			_, _ = fmt.Sscan(m[1], &next)
		}
		found[next] = m[2]
		next++
	}
	return found
}

func samples(format string) []any {
	kinds := verbsOf(format)
	list := make([]any, len(kinds))
	for i := range list {
		switch kinds[i+1] {
		case "d":
			list[i] = 3
		case "f":
			list[i] = 1.5
		default:
			list[i] = fmt.Sprintf("x%dx", i+1)
		}
	}
	return list
}

// No entry hides another: what a format makes is recognised as that format's.
func TestFinishedTextsAreRecognised(t *testing.T) {
	for _, english := range slices.Sorted(maps.Keys(japanese)) {
		args := samples(english)
		text := fmt.Sprintf(strings.ReplaceAll(english, "%w", "%s"), args...)
		want := fmt.Sprintf(strings.ReplaceAll(japanese[english], "%w", "%s"), args...)
		if got := Japanese.Finished(text); got != want && english != "%s: %s" && english != "%s …" &&
			joins[english] == "" {
			t.Errorf("%q is said as %q, want %q", text, got, want)
		}
	}
}

func TestSprintf(t *testing.T) {
	cases := []struct{ got, want string }{
		{Japanese.Sprintf("removes agent %s\n", "dev-1"), "エージェント dev-1 を削除\n"},
		{Japanese.Sprintf("%s: %s placed\n", "a.yaml", T("%d agents", 3)), "a.yaml: エージェント3体を配置しました\n"},
		{Japanese.Sprintf("%s: %s placed\n", "standard input", T("1 agent")), "standard input: エージェント1体を配置しました\n"},
		{Japanese.Sprintf("%s\n", "3 agents"), "3 agents\n"},
		{Japanese.Sprintf("%s", errors.New("the message is empty")), "メッセージが空です"},
		{English.Sprintf("%s: %s placed\n", "a.yaml", T("%d agents", 3)), "a.yaml: 3 agents placed\n"},
		{Japanese.Finished("standard input cannot be read: there is no such file"), "標準入力を読み取れません: ファイルがありません"},
		{
			Japanese.Finished(
				"no gateway is configured, and ws://x isn't usable: the gateway at ws://x did not answer in time",
			),
			"ゲートウェイの設定がなく、ws://xも使えません: ws://xのゲートウェイが時間内に応答しませんでした",
		},
		{Japanese.Finished("unknown template \"x\". Use one of: done"), "テンプレート\"x\"はありません。次のいずれかを指定してください: done"},
		{Japanese.Finished("nobody ever wrote this"), "nobody ever wrote this"},
		{ // a name stays as it is, whatever it looks like
			Japanese.Finished("no team or file rm is not there; a or b asks for anything. Run agentflow trust list."),
			"rm is not there; a or bという名前で許可を求めるチームやファイルはありません。agentflow trust listを実行してください。",
		},
		{Japanese.Finished("rm; sh or ls"), "rm; sh or ls"},
		{Japanese.Sprintf("%s", Join(T("1 file"), T("%s", Finished("1 task")), T("%s", "a; b"))), "ファイル1件、タスク1件、a; b"},
		{Japanese.Failure("NOT_FOUND", "", "there is no such thing"), "見つかりません: there is no such thing"},
		{Japanese.Failure("GATEWAY_ERROR", "link_down", "read: broken pipe"), "接続できません: read: broken pipe"},
		{English.Failure("NOT_FOUND", "", "there is no such thing"), "there is no such thing"},
	}
	for _, c := range cases {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
	if got := T("%s collide", T("%d changes", 2)).String(); got != "2 changes collide" {
		t.Errorf("in English: %q", got)
	}
}
