package i18n

// inboxWords are those of agentflow inbox.
var inboxWords = map[string]string{
	"Answer what agents and gateways ask":        "エージェントやゲートウェイからの確認に回答",
	"List what waits for an answer":              "回答待ちの項目を一覧表示",
	"what was answered or expired, newest first": "回答済みと期限切れの項目（新しい順）",
	"Nothing waits for an answer.":               "回答待ちの項目はありません。",
	"the inbox has no request %s. Run agentflow inbox list.": "" +
		"要対応に%sという項目はありません。agentflow inbox listを実行してください。",
	"Show a request whole":               "1件の内容をすべて表示",
	"Show a request whole, and allow it": "1件の内容をすべて表示して許可",
	"Deny a request, or skip a question": "リクエストを拒否、または質問をスキップ",
	"Answer a question":                  "質問に回答",
	"reply that the agent reads":         "エージェントが読む返信",
	"with --until: allow every command that starts with these words": "" +
		"--untilと併用: この語句で始まるすべてのコマンドを許可",
	"with --until: required for a task of an API token; only tasks of this token can use it": "" +
		"--untilと併用: APIトークンのタスクでは必須。そのトークンのタスクにだけ許可",
	"allow it from now on, until the end of the task, the end of today, or until you revoke it: " +
		"task, today or revoked": "" +
		"今後も許可する期限: task（タスクの終わり）、today（今日の終わり）、revoked（取り消すまで）",
	"answer one field of a gateway's question, as ID=TEXT; repeatable, also for several answers to " +
		"one field": "" +
		"ゲートウェイの質問の1項目への回答（ID=TEXT）。複数指定可、1項目に複数の回答も可",
	"--starts and --caller need --until": "--startsと--callerには--untilが必要です",
	"%s is a question. Answer it with agentflow inbox answer.": "" +
		"%sは質問です。agentflow inbox answerで回答してください。",
	"%s isn't a question. Use agentflow inbox allow or agentflow inbox deny.": "" +
		"%sは質問ではありません。agentflow inbox allowかagentflow inbox denyを使ってください。",
	"%s has no fields. Give the answer as text.":     "%sに項目はありません。回答を文章で指定してください。",
	"give the answer either as text or with --field": "回答は文章か--fieldのどちらか一方で指定してください",
	"the answer is empty":                            "回答が空です",
	"--field %s: give the ID and the answer, as ID=TEXT": "" +
		"--field %s: IDと回答をID=TEXTの形で指定してください",
	"the request can't be shown whole, so it can only be denied. Deny it, or answer it at the " +
		"gateway.": "" +
		"このリクエストは全体を表示できないため、拒否しかできません。拒否するか、" +
		"ゲートウェイで回答してください。",
	"the gateway keeps its permissions until they are revoked there. Use --until revoked alone.": "" +
		"ゲートウェイの許可は、ゲートウェイで取り消すまで有効です。--until " +
		"revokedだけを指定してください。",
	"expired":                        "期限切れ",
	"no link":                        "接続なし",
	"waiting for you":                "回答待ち",
	"skipped":                        "スキップ済み",
	"denied":                         "拒否済み",
	"answered":                       "回答済み",
	"allowed from now on":            "今後も許可",
	"allowed once":                   "今回だけ許可",
	"Tool":                           "ツール",
	"Server":                         "サーバー",
	"Folder":                         "フォルダー",
	"Task":                           "タスク",
	"Room":                           "ルーム",
	"API token":                      "APIトークン",
	"Session":                        "セッション",
	"Title":                          "タイトル",
	"It said":                        "エージェントの発言",
	"Question":                       "質問",
	"Arguments":                      "引数",
	"Your reply":                     "あなたの返信",
	"  %s:":                          "  %s:",
	"  %s":                           "  %s",
	"Creates the file.":              "ファイルを作成します。",
	"Adds to the file of %d bytes.":  "%dバイトのファイルに追記します。",
	"Replaces the file of %d bytes.": "%dバイトのファイルを置き換えます。",
	"It asks for a secret. Answer it at the gateway.": "" +
		"シークレットを求めています。ゲートウェイで回答してください。",
	"It can't be shown whole, so it can only be denied.": "全体を表示できないため、拒否しかできません。",
	"Allow this once?": "今回だけ許可しますか？",
	"Allow this from now on? The gateway keeps this permission.": "" +
		"今後も許可しますか？ この許可はゲートウェイに保存されます。",
	"Allow every command that starts with `%s` from now on?": "" +
		"`%s`で始まるすべてのコマンドを今後も許可しますか？",
	"Allow exactly this from now on?":                   "まったく同じ内容だけを今後も許可しますか？",
	"Allow the tool %s with any arguments from now on?": "ツール%sを、どんな引数でも今後も許可しますか？",
}
