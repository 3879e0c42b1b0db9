// Package example holds the team of the first start, and templates to begin with.
// They come in English and Japanese; ids are the same in both.
package example

import (
	"slices"
	"strings"

	"agentflow/backend/team/topology"
)

// Model is what the agents of the example run on: it needs no key and no network,
// and says in every answer that it is a demo.
const Model = "demo/echo"

// Template is a team to start from.
type Template struct {
	ID          string            `json:"id"`
	Name        string            `json:"name"`
	Description string            `json:"description"`
	Topology    topology.Topology `json:"topology"`
}

// words is a text in English and Japanese.
type words struct{ en, ja string }

func (w words) in(lang string) string {
	if lang == "ja" || strings.HasPrefix(lang, "ja-") || strings.HasPrefix(lang, "ja_") {
		return w.ja
	}
	return w.en
}

type part struct{ name, role, persona words }

// cast is everybody who appears in the example or a template, by id.
var cast = map[string]part{
	"lead": {words{"Lead", "リード"}, words{"Coordinator", "Coordinator"},
		words{"You lead the team. Split each task, give every part to the agent that fits it best, and put the results together. Do not do the parts yourself.",
			"あなたはチームのリードです。依頼を分割し、それぞれ最も適したエージェントに任せ、結果をまとめてください。自分では作業しません。"}},
	"researcher": {words{"Researcher", "リサーチャー"}, words{"Researcher", "調査"},
		words{"You find things out. Name your source for every claim, and say what you could not find.",
			"あなたは調査担当です。すべての主張に出典を示し、見つからなかったことも正直に伝えてください。"}},
	"analyst": {words{"Analyst", "アナリスト"}, words{"Analyst", "分析"},
		words{"You weigh what others found. Compare, count, and say how sure you are.",
			"あなたは分析担当です。集まった情報を比較し、数え、どの程度確かかを述べてください。"}},
	"writer": {words{"Writer", "ライター"}, words{"Writer", "執筆"},
		words{"You write for people in a hurry: short sentences, the main point first.",
			"あなたは執筆担当です。忙しい人のために、結論から短い文で書いてください。"}},
	"backend": {words{"Backend", "バックエンド"}, words{"Developer", "開発"},
		words{"You write small, tested changes to the server side. Run the tests before you say that you are done.",
			"あなたはサーバー側の開発担当です。小さくテスト済みの変更だけを行い、完了と言う前に必ずテストを実行してください。"}},
	"frontend": {words{"Frontend", "フロントエンド"}, words{"Developer", "開発"},
		words{"You write the user interface. Keep it usable by keyboard, and show what you changed.",
			"あなたは画面の開発担当です。キーボードだけで操作できる状態を保ち、変更点を示してください。"}},
	"tester": {words{"Tester", "テスター"}, words{"Tester", "テスト"},
		words{"You try to break what others built. Report the steps, what you expected and what happened.",
			"あなたはテスト担当です。作られたものを壊すつもりで試し、手順、期待した結果、実際の結果を報告してください。"}},
	"reviewer": {words{"Reviewer", "レビュアー"}, words{"Reviewer", "レビュー"},
		words{"You read changes and never write them. Name the place, the problem and a way to solve it.",
			"あなたはレビュー担当です。変更を読み、自分では書きません。場所、問題、解決方法を挙げてください。"}},
	"security": {words{"Security", "セキュリティ"}, words{"Reviewer", "レビュー"},
		words{"You review for security only: input, secrets, rights. Rank what you find by what it would cost.",
			"あなたはセキュリティのレビュー担当です。入力、秘密情報、権限だけを見て、影響の大きい順に報告してください。"}},
}

// build makes a team from ids and lines such as "lead > writer" (command),
// "researcher - writer" (communication) and "reviewer ? backend" (review).
func build(lang string, name words, ids string, lines ...string) *topology.Topology {
	kinds := map[string]topology.Kind{">": topology.Command, "-": topology.Communication, "?": topology.Review}
	t := &topology.Topology{Name: name.in(lang)}
	for _, id := range strings.Fields(ids) {
		p := cast[id]
		t.Agents = append(
			t.Agents,
			topology.Agent{ID: topology.AgentID(id), Name: p.name.in(lang), Role: p.role.in(lang),
				Model: Model, Persona: p.persona.in(lang)},
		)
	}
	for _, line := range lines {
		w := strings.Fields(line)
		from, _ := t.Agent(topology.AgentID(w[0]))
		from.Connections = append(from.Connections,
			topology.Connection{TargetID: topology.AgentID(w[2]), Type: kinds[w[1]]})
	}
	return t.Arrange(topology.LayoutOptions{})
}

// Team is the team of the first start. Backend is not commanded yet: to draw that
// connection is the first thing the window asks for.
func Team(lang string) *topology.Topology {
	t := build(lang, words{"Example team", "サンプルチーム"}, "lead researcher writer backend reviewer",
		"lead > researcher", "lead > writer", "researcher - writer", "reviewer ? backend")
	t.Layout = map[topology.AgentID]topology.Point{
		"lead": {X: 220, Y: 0}, "researcher": {X: 0, Y: 160}, "writer": {X: 220, Y: 160},
		"backend": {X: 440, Y: 160}, "reviewer": {X: 440, Y: 308},
	}
	t.Notes = []topology.Note{{ID: "note-1", X: 0, Y: 320, Width: 180, Text: words{
		"An example team. Change it as you like; undo takes everything back.",
		"サンプルのチームです。自由に変えてください。すべて元に戻せます。"}.in(lang)}}
	return t
}

// Untouched reports whether a gateway runs exactly the agents and connections of the team of the first start, in one of
// its languages. The folder that the gateway gave each agent isn't compared.
func Untouched(held *topology.Topology) bool {
	bare := &topology.Topology{Agents: slices.Clone(held.Agents), Extra: held.Extra}
	for i := range bare.Agents {
		if a := &bare.Agents[i]; strings.HasSuffix(a.Workspace, "/.openclaw/workspace-"+string(a.ID)) {
			a.Workspace = ""
		}
	}
	return slices.ContainsFunc([]string{"en", "ja"}, func(lang string) bool {
		return len(topology.Diff(&topology.Topology{Agents: Team(lang).Agents}, bare)) == 0
	})
}

// Templates are the teams that a new team may start from.
func Templates(lang string) []Template {
	list := []struct {
		id, ids    string
		name, what words
		lines      []string
	}{
		{"pair", "backend reviewer", words{"Pair", "ペア"}, words{"One builds, one reviews.", "1体が作り、もう1体がレビューします。"},
			[]string{"backend > reviewer", "reviewer ? backend"}},
		{"hub", "lead researcher writer backend frontend", words{"Hub and spoke", "ハブ・アンド・スポーク"},
			words{"A lead gives work to specialists and puts the results together.", "リードが専門家に仕事を任せ、結果をまとめます。"},
			[]string{"lead > researcher", "lead > writer", "lead > backend", "lead > frontend"}},
		{"pipeline", "researcher analyst writer reviewer", words{"Pipeline", "パイプライン"},
			words{"Each hands its result to the next.", "それぞれが結果を次の担当に渡します。"},
			[]string{"researcher > analyst", "analyst > writer", "writer > reviewer"}},
		{"board", "lead backend reviewer security tester", words{"Review board", "レビュー会"},
			words{"One builds; three look at it from different sides.", "1体が作り、3体が別々の視点で確認します。"},
			[]string{"lead > backend", "lead > reviewer", "lead > security", "lead > tester",
				"reviewer ? backend", "security ? backend", "tester ? backend"}},
		{"research", "lead researcher analyst writer reviewer", words{"Research team", "調査チーム"},
			words{"Find out, weigh, write down, check.", "調べ、分析し、書き、確かめます。"},
			[]string{"lead > researcher", "lead > analyst", "lead > writer", "lead > reviewer",
				"researcher - analyst", "analyst - writer", "reviewer ? writer"}},
	}
	out := make([]Template, len(list))
	for i, l := range list {
		t := build(lang, l.name, l.ids, l.lines...)
		t.Agents[0].Role = topology.CoordinatorRole // every template begins with the agent that gets the team's tasks
		out[i] = Template{
			ID:          l.id,
			Name:        l.name.in(lang),
			Description: l.what.in(lang),
			Topology:    *t,
		}
	}
	return out
}
