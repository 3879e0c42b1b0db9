package i18n

// parts stand inside sentences, as an argument of them.
var parts = map[string]string{
	"couldn't reach the gateway at %s: its certificate (%s) isn't trusted. " +
		"If it is the right one, pass its fingerprint with --fingerprint": "%sのゲートウェイに接続できません: " +
		"証明書（%s）が信頼されていません。正しい証明書なら、--fingerprintでフィンガープリントを指定してください",
	"compare the fingerprint with the one of the gateway's owner, then save it for this gateway in Settings": "" +
		"フィンガープリントをゲートウェイの管理者に確認してから、「設定」でこのゲートウェイに保存してください",

	"standard input":        "標準入力",
	"the gateway":           "ゲートウェイ",
	"the file":              "ファイル",
	"(none)":                "（なし）",
	"An agent":              "エージェント",
	"there is no such file": "ファイルがありません",
	"permission denied":     "権限がありません",
	"is a directory":        "フォルダーです",
	"nothing responds there. Start it with agentflow serve, or name its URL with --url":              "応答がありません。agentflow serveで起動するか、--urlでURLを指定してください",
	"its certificate isn't trusted. If it is the right one, pass its fingerprint with --fingerprint": "証明書が信頼されていません。正しい証明書なら、--fingerprintでフィンガープリントを指定してください",

	"1 agent": "エージェント1体", "%d agents": "エージェント%d体",
	"1 connection": "接続1件", "%d connections": "接続%d件",
	"1 channel binding": "チャンネルの割り当て1件", "%d channel bindings": "チャンネルの割り当て%d件",
	"1 broadcast group": "一斉配信グループ1件", "%d broadcast groups": "一斉配信グループ%d件",
	"1 change": "変更1件", "%d changes": "変更%d件",
	"1 snapshot": "スナップショット1件", "%d snapshots": "スナップショット%d件",
	"1 file": "ファイル1件", "%d files": "ファイル%d件",
	"1 message": "メッセージ1件", "%d messages": "メッセージ%d件",
	"1 participant": "参加者1人", "%d participants": "参加者%d人",
	"once": "1回", "%d times": "%d回",
	"1 task": "タスク1件", "%d tasks": "タスク%d件",

	"Use --prefer mine or --prefer theirs, or edit one of the files.":                                                                        "--prefer mineか--prefer theirsを指定するか、どちらかのファイルを編集してください。",
	"Check both sides, then use --merge, or read the gateway again with gateway get.":                                                        "両方の内容を確認して--mergeを指定するか、gateway getでゲートウェイを読み直してください。",
	"Edit the file to resolve the conflicts, or read the gateway again with gateway get.":                                                    "ファイルを編集して競合を解決するか、gateway getでゲートウェイを読み直してください。",
	"It can't be merged, because its base isn't saved on this computer. Read the gateway into another file with gateway get -o and compare.": "元がこのコンピューターに保存されていないため、マージできません。gateway get -oで別のファイルに読み取って比較してください。",

	"the disk is full. Free some space and try again. The file didn't change": "ディスクに空きがありません。空きを作ってから、もう一度実行してください。ファイルは変わっていません",
	"no permission for the file or its folder. The file didn't change":        "ファイルかフォルダーへの権限がありません。ファイルは変わっていません",
	"the file system is read-only. Use -o to choose another file":             "ファイルシステムが読み取り専用です。-oで別のファイルを指定してください",
	"its folder doesn't exist. Create it first":                               "フォルダーがありません。先に作成してください",
	"the file didn't change":                                                  "ファイルは変わっていません",

	"AgentFlow has no sandbox for %s":                                     "AgentFlowは%sのサンドボックスに対応していません",
	"Landlock is turned off in this kernel":                               "このカーネルではLandlockが無効です",
	"this kernel has no Landlock":                                         "このカーネルにはLandlockがありません",
	"Landlock of this kernel is too old: its ABI is %d, and %d is needed": "このカーネルのLandlockは古すぎます（ABIは%d、必要なのは%d）",
	"%s is not there":                                                     "%sがありません",
	"a Windows job ends and limits commands and keeps all but Codex from the clipboard, but protects no files": "" +
		"Windowsのジョブはコマンドを確実に終わらせ、プロセス数とメモリーを制限し、Codex以外のクリップボードの使用を防ぎますが、ファイルは保護しません",
	"a Windows job ends and limits commands, but protects neither files nor the clipboard": "" +
		"Windowsのジョブはコマンドを確実に終わらせ、プロセス数とメモリーを制限しますが、ファイルもクリップボードも保護しません",

	"files elsewhere can be emptied, though not read": "ほかのファイルの内容を消すこと（読み取りは不可）",
	"signals to other programs of this user":          "ほかのプログラムへのシグナル",
	"abstract Unix sockets":                           "抽象名のUnixソケット",
	"system calls (no filter for %s)":                 "システムコール（%s用のフィルターなし）",
	"Unix sockets of other programs":                  "ほかのプログラムのUnixソケット",
	"the network cannot be turned off":                "ネットワークの遮断",
	"names and sizes of files elsewhere":              "ほかのファイルの名前とサイズ",
}

// joins put texts together. They aren't recognised in a finished text: a command can have a ; in it.
var joins = map[string]string{
	"%s failed: %s": "%sを使用できませんでした: %s",
	"uses %s%s":     "%sを使用%s",

	"task created for %s":              "%sのタスクを作成しました",
	"%s accepted the result of %s":     "%sが%sの結果を承認しました",
	"%s rejected the result of %s: %s": "%sが%sの結果を差し戻しました: %s",

	"%s; %s":   "%s、%s",
	"%s or %s": "%sか%s",
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
