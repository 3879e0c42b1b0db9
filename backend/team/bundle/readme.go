package bundle

import (
	"fmt"
	"strings"

	"agentflow/backend/team/gatewayconfig"
)

// words is a text in English and Japanese.
type words struct{ en, ja string }

var (
	saysWhat     = words{"An AgentFlow bundle: teams of AI agents, to look at, change and apply.\n\nOpen it with AgentFlow (drop it onto the window), or unpack it: every team is a readable YAML file.", "AgentFlow のバンドルです。AI エージェントのチームを見て、編集し、適用できます。\n\nAgentFlow で開く（ウィンドウにドロップする）か、展開してください。各チームは読める YAML ファイルです。"}
	saysTeams    = words{"Teams", "チーム"}
	saysLeft     = words{"Left out", "含まれないもの"}
	saysNone     = words{"Nothing was left out.", "省かれたものはありません。"}
	saysNever    = words{"Secrets are never packed: set them again where the team is applied.", "秘密情報は含まれません。適用先で設定し直してください。"}
	saysSecret   = words{"a secret in clear", "平文の秘密情報"}
	saysNoPlace  = words{"has no place in a team file", "チームファイルに入れる場所がない"}
	saysCounts   = words{"%d agents, %d connections", "エージェント %d 体、接続 %d 件"}
	saysVersion  = words{"version", "版"}
	saysHoldsNot = words{"no secrets, sessions or gateway addresses", "秘密情報、会話、ゲートウェイのアドレスは入りません"}
)

func (w words) in(lang string) string {
	if lang == "ja" {
		return w.ja
	}
	return w.en
}

func readme(b Bundle, losses []LeftOut, lang string) string {
	var out strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&out, format, args...) }
	say("# %s\n\n%s\n\n## %s\n\n", line(b.Name), saysWhat.in(lang), saysTeams.in(lang))
	for _, t := range b.Teams {
		n := 0
		for i := range t.Topology.Agents {
			n += len(t.Topology.Agents[i].Connections)
		}
		say("- **%s**: %s\n", line(t.Name), fmt.Sprintf(saysCounts.in(lang), len(t.Topology.Agents), n))
		for _, v := range t.Versions {
			say("  - %s “%s”, %s\n", saysVersion.in(lang), line(v.Name), v.At.UTC().Format("2006-01-02 15:04"))
		}
	}
	say("\n## %s\n\n", saysLeft.in(lang))
	for _, l := range losses {
		say("- %s\n", lossLine(l, lang))
	}
	if len(losses) == 0 {
		say("%s\n", saysNone.in(lang))
	}
	say("\n%s (%s)\n", saysNever.in(lang), saysHoldsNot.in(lang))
	return out.String()
}

func lossLine(l LeftOut, lang string) string {
	where := []string{line(l.Team)}
	for _, part := range []string{l.Version, string(l.Agent), l.Item, l.Field} {
		if part != "" {
			where = append(where, "`"+line(part)+"`")
		}
	}
	why := saysNoPlace
	if l.Reason == gatewayconfig.LossSecret {
		why = saysSecret
	}
	return strings.Join(where, " · ") + ": " + why.in(lang)
}

// line keeps a name on its line, whatever stands in it.
func line(s string) string { return strings.Join(strings.Fields(strings.ReplaceAll(s, "`", "'")), " ") }
