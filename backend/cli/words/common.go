package words

// parts stand inside sentences, as an argument of them.
var parts = map[string]string{
	"standard input":        "標準入力",
	"the gateway":           "ゲートウェイ",
	"the file":              "ファイル",
	"(none)":                "（なし）",
	"An agent":              "エージェント",
	"there is no such file": "ファイルがありません",
	"permission denied":     "権限がありません",
	"is a directory":        "フォルダーです",
	"is it running?":        "起動していますか？",
	"its certificate is not trusted; if it is the right one, give its fingerprint with --fingerprint": "証明書が信頼されていません。正しい証明書なら、--fingerprintでフィンガープリントを指定します",

	"1 agent": "エージェント1体", "%d agents": "エージェント%d体",
	"1 connection": "接続1件", "%d connections": "接続%d件",
	"1 channel binding": "チャンネルの割り当て1件", "%d channel bindings": "チャンネルの割り当て%d件",
	"1 change": "変更1件", "%d changes": "変更%d件",
	"1 version": "版1件", "%d versions": "版%d件",
	"1 file": "ファイル1件", "%d files": "ファイル%d件",
	"1 message": "メッセージ1件", "%d messages": "メッセージ%d件",
	"1 participant": "参加者1人", "%d participants": "参加者%d人",
	"1 task": "タスク1件", "%d tasks": "タスク%d件",

	"say --prefer mine or --prefer theirs, or edit one of the files":                                                                                    "--prefer mineか--prefer theirsを指定するか、どちらかのファイルを編集します",
	"look at both sides, then say --merge, or read the gateway again with gateway get":                                                                  "両方の内容を確かめて--mergeを指定するか、gateway getでゲートウェイを読み直します",
	"change the file so that it agrees, or read the gateway again with gateway get":                                                                     "競合しないようにファイルを直すか、gateway getでゲートウェイを読み直します",
	"it cannot be merged, because what was read then is not kept on this computer; read the gateway again with gateway get -o another file and compare": "当時読み取った内容がこのコンピューターに残っていないため統合できません。gateway get -oで別のファイルに読み直して比較します",

	"the disk is full; make room and try again, the file is as it was":        "ディスクに空きがありません。空きを作ってもう一度実行します。ファイルは元のままです",
	"permission is missing for the file or its folder; the file is as it was": "ファイルかフォルダーへの権限がありません。ファイルは元のままです",
	"the file system is read-only; name another file with -o":                 "ファイルシステムが読み取り専用です。-oで別のファイルを指定します",
	"its folder does not exist; make it first":                                "フォルダーがありません。先に作成します",
	"the file is as it was": "ファイルは元のままです",
}

// fixed are the lines that scripts wait for or read: the same in every language.
var fixed = map[string]string{
	"listening on %s":            "listening on %s",
	"the hub at %s runs already": "%sのハブはすでに動いています",
	"open %s":                    "open %s",
	"agentflow %s (%s %s/%s%s)":  "agentflow %s (%s %s/%s%s)",
	"agentflow: %s":              "agentflow: %s",
}

// byReason tells an error whose message has no entry; the message follows as it is.
var byReason = map[string]string{
	"stale_base":       "読み取った後に内容が変わっています: %s",
	"link_down":        "接続できません: %s",
	"no_scope":         "権限が足りません: %s",
	"rate_limited":     "回数の上限に達しました: %s",
	"rejected":         "ゲートウェイに拒否されました: %s",
	"pairing_required": "この端末の承認が必要です: %s",
	"bad_token":        "トークンが拒否されました: %s",
	"outcome_unknown":  "行われたかどうか分かりません: %s",
	"VALIDATION_ERROR": "入力が正しくありません: %s",
	"UNAUTHORIZED":     "認証できません: %s",
	"FORBIDDEN":        "許可されていません: %s",
	"NOT_FOUND":        "見つかりません: %s",
	"CONFLICT":         "競合しています: %s",
	"GATEWAY_ERROR":    "ゲートウェイのエラーです: %s",
	"RATE_LIMITED":     "回数の上限に達しました: %s",
	"TIMEOUT":          "時間内に終わりませんでした: %s",
	"UNAVAILABLE":      "利用できません: %s",
	"INTERNAL_ERROR":   "失敗しました: %s",
}
