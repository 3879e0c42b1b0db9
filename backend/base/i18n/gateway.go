package i18n

// gatewayWords are those of agentflow gateway, and of the configs kept for it.
var gatewayWords = map[string]string{
	"Manage an OpenClaw gateway and its team": "OpenClawゲートウェイとそのチームの管理",
	"Read, compare and apply the team of an OpenClaw gateway, and use its sessions.\n\nThe token comes from %s or --gateway-token-file and is sent only\nto this gateway. There is no flag for it, because other users of this computer can see\ncommand lines.": "OpenClawゲートウェイのチームの読み取り、比較、適用と、セッションの利用ができます。\n\nトークンは%sか--gateway-token-fileから読み取り、このゲートウェイにだけ\n送ります。引数は同じコンピューターのほかの利用者にも見えるため、トークンはフラグでは渡せません。",
	"gateway URL": "ゲートウェイのURL",
	"file with the gateway's token (default: %s)": "ゲートウェイのトークンのファイル（既定: %s）",
	"max time to wait for the gateway":            "ゲートウェイを待つ最長時間",
	"connecting to %s …":                          "%sに接続しています…",
	"%s is the default URL. Use --gateway or %s for another gateway. The built-in gateway of a hub is at %s": "%sは既定のURLです。ほかのゲートウェイは--gatewayか%sで指定してください。ハブの内蔵ゲートウェイのURLは%sです",
	"the gateway rejected the token. Set the right one in %s":                                                "ゲートウェイがトークンを拒否しました。正しいトークンを%sに設定してください",
	"the gateway needs a token. Set %s, or name a file with --gateway-token-file":                            "ゲートウェイにはトークンが必要です。%sを設定するか、--gateway-token-fileでファイルを指定してください",
	"approve this device on the gateway's computer, then run the command again: openclaw devices approve":    "ゲートウェイのコンピューターでこの端末を承認してから、もう一度実行してください: openclaw devices approve",

	"Save the gateway's team to a team file": "ゲートウェイのチームをチームファイルに保存",
	"Save the gateway's team to a team file. An existing file keeps the settings that the gateway\ndoesn't support: role, persona, positions and other connections.": "ゲートウェイのチームをチームファイルに保存します。既存のファイルでは、ゲートウェイが対応して\nいない設定（役割、ペルソナ、配置、その他の接続）が残ります。",
	"%s has the format %s and isn't a team file. Use -o to choose another file.":                                                                                     "%sの形式は%sで、チームファイルではありません。-oで別のファイルを指定してください。",
	"%s changed while the gateway was read. Nothing was written. Run the command again.":                                                                             "ゲートウェイを読み取る間に%sが変わりました。何も書き込んでいません。もう一度実行してください。",
	"%s: %s, %s, base %s": "%s: %s、%s、元 %s",
	"removed from the file, because the gateway doesn't have it: agent %s": "ゲートウェイにないため、ファイルから外しました: エージェント %s",

	"Preview an apply (exit code 1 if anything changes)": "適用による変更を表示（変更があれば終了コード1）",
	"Show what applying a team file would change on the gateway. Nothing is sent. The exit code\nis 0 if nothing would change, otherwise 1.":                                                                                "チームファイルを適用した場合のゲートウェイの変更を表示します。何も送りません。終了コードは、\n変更がなければ0、あれば1です。",
	"the gateway's config has changed since %s was read. Use gateway apply --merge to apply.":                                                                                                                               "%sを読み取った後にゲートウェイの設定が変わっています。適用するにはgateway apply --mergeを使ってください。",
	"the gateway's config has changed since %s was read, and the base isn't saved on this computer. Read the gateway into another file with gateway get -o and compare.":                                                    "%sを読み取った後にゲートウェイの設定が変わっています。元がこのコンピューターに保存されていません。gateway get -oで別のファイルに読み取り、比較してください。",
	"the gateway's config has changed since %s was read, with %s in conflict. Change the file to what the gateway has there, then use gateway apply --merge. To choose one by one, use Review changes on AgentFlow's page.": "%sを読み取った後にゲートウェイの設定が変わり、競合があります（%s）。ファイルのその箇所をゲートウェイの値に合わせてから、gateway apply --mergeを使ってください。1件ずつ選ぶには、AgentFlowの画面で「変更を確認」を使ってください。",
	"warning: %s: the gateway doesn't list the model %s": "警告: %s: ゲートウェイの一覧にモデル%sがありません",
	"deleted by the gateway":                             "ゲートウェイが削除",
	"nothing to change on the gateway":                   "ゲートウェイの変更はありません",
	"removes agent %s":                                   "エージェント %s を削除",
	" with %s and %s":                                    "。%sと%sもなくなります",
	" with %s":                                           "。%sもなくなります",
	"adding scheduled jobs again":                        "スケジュールされたジョブを再び追加しています",
	"added scheduled jobs again: %s":                     "スケジュールされたジョブを再び追加しました: %s",
	"adds scheduled jobs again: %s":                      "スケジュールされたジョブを再び追加します: %s",
	"; it leaves %s":                                     "。%sからも外れます",
	"; the gateway deletes its scheduled jobs: %s":       "。スケジュールされたジョブもゲートウェイが削除します: %s",
	"; the gateway deletes its scheduled jobs, which couldn't be read": "。スケジュールされたジョブもゲートウェイが削除しますが、読み込めませんでした",
	"; the gateway deletes its sessions and their messages, which a rollback doesn't restore": "。" +
		"ゲートウェイがセッションとそのメッセージも削除し、ロールバックでは戻りません",
	"; its files stay":         "。ファイルは残ります",
	"; not possible: %s":       "。実行できません: %s",
	"the gateway restarts: %s": "ゲートウェイが再起動します: %s",
	"this gateway restarts with every applied config: answers in progress stop, sessions stay": "このゲートウェイは設定を適用するたびに再起動します。作成中の回答は止まり、セッションは残ります",
	"the comments in the gateway's config file will be lost":                                   "ゲートウェイの設定ファイルのコメントは失われます",
	"warning: %s":     "警告: %s",
	"warning: %s: %s": "警告: %s: %s",

	"Apply a team file to the gateway": "チームファイルをゲートウェイに適用",
	`Apply a team file to the gateway. This shows the changes, asks for confirmation, saves a
snapshot, applies the changes once and waits for the gateway. Then it reads the gateway
again, verifies the result and writes the new base to the file.

Without a terminal, use --yes. To remove agents, also use --delete-agents. Commands, secrets
and folders that agents need on the built-in gateway's computer stay blocked until you allow
them, for example with --trust.

If the gateway has changed since the file was read, nothing is written and the exit code
is 5. With --merge, both sides are merged and applied, unless they conflict.

With --save-config, the resulting config is saved to a file and nothing is sent. Use it for a
gateway whose config another program manages, or that can't write its config file. Secrets
are shown as the gateway shows them.

A file that was never read from a gateway or applied to one replaces the gateway's team: use
--delete-agents. To keep the gateway's agents and add them to the file, use --merge.`: `チームファイルをゲートウェイに適用します。変更を表示して確認し、スナップショットを保存してから、
変更を1回だけ適用します。ゲートウェイの復帰を待って読み直し、結果を検証して、新しい元を
ファイルに書き込みます。

ターミナルがない場合は--yesを指定してください。エージェントを削除するには--delete-agentsも必要です。
エージェントが内蔵ゲートウェイのコンピューターで使うコマンド、シークレット、フォルダーは、
--trustなどで許可するまで使えません。

ファイルを読み取った後にゲートウェイが変わっていると、何も書き込まず、終了コードは5です。
--mergeを指定すると、競合がなければ両方をマージして適用します。

--save-configを指定すると、適用後の設定をファイルに保存し、何も送りません。設定をほかのプログラムが
管理しているゲートウェイや、設定ファイルに書き込めないゲートウェイで使ってください。シークレットは
ゲートウェイが表示するとおりになります。

ゲートウェイから読み取ったことも適用したこともないファイルは、ゲートウェイのチームを置き換えます。
置き換えるには--delete-agentsを、エージェントを残してファイルに追加するには--mergeを指定して
ください。`,
	"save the resulting config to this file and change nothing": "適用後の設定をこのファイルに保存し、何も変更しない",
	"config saved, nothing was sent to the gateway. Enter the secrets in place of %s, then replace the " +
		"config where it is managed.": "設定を保存" +
		"しました。ゲートウェイには何も送っていません。%sの箇所にシークレットを入力し、管理している場所で設定を置き換えてください。",
	"another program manages the gateway's config. Nothing was written. Use --save-config FILE to save " +
		"the config, and replace it where it is managed.": "ゲートウェイの設定はほかのプログラムが管理しています。何も書き込んでいません。" +
		"--save-config FILEで設定を保存し、管理している場所で置き換えてください。",
	"the gateway can't write its config file. Nothing was written. Make the file writable, or use --save-config FILE " +
		"to save the config, and replace it on the gateway's computer.": "ゲートウェイが設定ファイルに書き込めません。" +
		"何も書き込んでいません。ファイルを書き込み可能にするか、--save-config FILEで設定を保存し、" +
		"ゲートウェイのコンピューターで置き換えてください。",
	"allow agents to be removed from the gateway":                                             "ゲートウェイからのエージェントの削除を許可",
	"note for the gateway and the snapshot":                                                   "ゲートウェイとスナップショットに残すメモ",
	"merge with changes on the gateway, or with its team":                                     "ゲートウェイの変更、またはそのチームとマージ",
	"this removes %s from the gateway. Use --delete-agents to allow it. Nothing was written.": "ゲートウェイから%sが削除されます。許可するには--delete-agentsを指定してください。何も書き込んでいません。",
	"this removes %s from the gateway. Use --delete-agents to replace its team, or --merge to add these agents to the file. Nothing was written.": "ゲートウェイから%sが削除されます。ゲートウェイのチームを置き換えるには--delete-agentsを、エージェントをファイルに追加するには--mergeを指定してください。何も書き込んでいません。",
	"no terminal for confirmation. Use --yes to apply without asking. Nothing was written.":                                                       "確認できるターミナルがありません。確認せずに適用するには--yesを指定してください。何も書き込んでいません。",
	"Apply this to %s?":              "この内容を%sに適用しますか？",
	"canceled. Nothing was written.": "中止しました。何も書き込んでいません。",
	"the gateway's config just changed. See the changes with gateway diff.":                                               "ゲートウェイの設定が変わりました。gateway diffで変更を確認してください。",
	"%s can't store the new base %s":                                                                                      "%sには新しい元 %s を書き込めません",
	"the config was applied, but %s changed in the meantime and wasn't updated. Read the gateway again with gateway get.": "設定は適用しましたが、その間に%sが変わったため更新していません。gateway getでゲートウェイを読み直してください。",
	"the config was applied, but the new base %s couldn't be written to %s":                                               "設定は適用しましたが、新しい元 %s を%sに書き込めませんでした",
	"unchanged: the gateway already has this team, base %s":                                                               "変更なし: ゲートウェイはすでにこのチームです。元 %s",
	"removed agent %s": "エージェント %s を削除しました",
	"applied and verified, base %s, gateway restarted": "適用し、検証しました。元 %s。ゲートウェイは再起動しました",
	"applied and verified, base %s":                    "適用し、検証しました。元 %s",
	"some snapshots couldn't be read. A new agent with the ID of a deleted one might not work: %s": "" +
		"読み取れないスナップショットがあります。削除したエージェントと同じIDの新しいエージェントは動かない場合があります: %s",
	"the config from before is saved. To return to it: agentflow gateway rollback --to %s%s": "" +
		"変更前の設定は保存済みです。戻すには: agentflow gateway rollback --to %s%s",
	"to roll back: agentflow gateway rollback --to %s%s": "ロールバックするには: agentflow gateway rollback --to %s%s",
	"different from what was sent: %s: sent %s, got %s":  "送信した値と異なります: %s: 送信 %s、読み戻し %s",
	"checking":                              "チェックしています",
	"saving a snapshot":                     "スナップショットを保存しています",
	"writing workspace files":               "作業フォルダーのファイルを書き込んでいます",
	"writing workspace files of new agents": "新しいエージェントの作業フォルダーにファイルを書き込んでいます",
	"writing %s of %s …":                    "%[2]sの%[1]sを書き込んでいます…",
	"removing agents":                       "エージェントを削除しています",
	"applying":                              "適用しています",
	"waiting for the gateway":               "ゲートウェイを待っています",
	"verifying the result":                  "結果を検証しています",
	"%s …":                                  "%s…",
	"the gateway is limiting changes, waiting %d s":                               "ゲートウェイが変更の回数を制限しています。%d秒待ちます",
	"removing agent %s …":                                                         "エージェント %s を削除しています…",
	"the gateway's config has changed since %s was read. Nothing was written. %s": "%sを読み取った後にゲートウェイの設定が変わったため、何も書き込んでいません。%s",
	"  nothing": "  なし",
	"the base of this file isn't saved on this computer, so only the full difference is shown": "このファイルの元がこのコンピューターに保存されていないため、全体の差分だけを表示します",
	"changes from the gateway to the file":                                                     "ゲートウェイからファイルへの変更",
	"changed in the file":                                                                      "ファイルでの変更",
	"changed on the gateway":                                                                   "ゲートウェイでの変更",

	"Roll the gateway back to a snapshot": "ゲートウェイをスナップショットにロールバック",
	`Roll the gateway back to a snapshot that this command line saved before one of its changes.
The default is the one before its last change, if the gateway's config is still what that
change left. Otherwise, choose a snapshot with --to. Changes made in the app have their
snapshots in its History. The current config is saved first, so you can undo a rollback
with another one.

A rollback that would remove agents changes nothing without --delete-agents. --list shows
which agents each snapshot would remove.`: `このコマンドラインで変更する前に保存したスナップショットに、ゲートウェイをロールバックします。
既定は最後の変更の前のものです。ただし、ゲートウェイの設定がその変更の結果のままである場合に限ります。
それ以外の場合は、--toでスナップショットを選んでください。アプリでの変更のスナップショットは、アプリの
「履歴」にあります。先に現在の設定を保存するため、ロールバックも元に戻せます。

エージェントが削除される場合は、--delete-agentsを指定しない限り何も変更しません。
どのスナップショットでどのエージェントが削除されるかは、--listで確認できます。`,
	"snapshot to restore, or the start of its ID (default: the one before this command line's last change)": "戻す" +
		"先のスナップショットのID、またはその先頭部分（既定: このコマンドラインの最後の変更の前）",
	"list snapshots, newest first":          "スナップショットを新しい順に一覧表示",
	"%s  removes %s: needs --delete-agents": "%s  %sを削除: --delete-agentsが必要",
	"this command line saved no snapshots of %s yet. Those of the app are in its History.": "このコマンドライン" +
		"で保存した%sのスナップショットはまだありません。アプリが保存したものは、アプリの「履歴」にあります。",
	"--to %s matches %s. Use more of the ID.":           "--to %s に一致するのは%sです。IDをもっと長く指定してください。",
	"no snapshot %q of %s. Available, newest first: %s": "%[2]sのスナップショット%[1]qはありません。使えるもの（新しい順）: %[3]s",
	"no snapshot %q of %s":                              "%[2]sのスナップショット%[1]qはありません",
	"this command line has no earlier snapshot of %s. Those of the app are in its History.": "このコマンドライ" +
		"ンで保存した%sの以前のスナップショットはありません。アプリが保存したものは、アプリの「履歴」にあります。",
	"the config of %s has changed since the last change of this command line. Nothing was written. List the " +
		"snapshots with --list and choose one with --to. Those of the app are in its History.": "このコマンドライ" +
		"ンの最後の変更の後に、%sの設定が変わっています。何も書き込んでいません。" +
		"--listでスナップショットを確認し、--toで選んでください。" +
		"アプリが保存したものは、アプリの「履歴」にあります。",
	"it isn't recorded what the last change of this command line left on %s. Nothing was written. List the " +
		"snapshots with --list and choose one with --to. Those of the app are in its History.": "このコマンドライ" +
		"ンの最後の変更の後、%sの設定がどうなったかが記録されていません。何も書き込んでいません。" +
		"--listでスナップショットを確認し、--toで選んでください。" +
		"アプリが保存したものは、アプリの「履歴」にあります。",
	"rolling back to %s":    "戻す先: %s",
	"Roll %s back to this?": "%sをこの内容にロールバックしますか？",
	"team files read before now are stale. Update them with gateway get -o FILE.": "これより前に読み取ったチームファイルは古くなりました。gateway get -o FILEで更新してください。",
	"couldn't save a snapshot": "スナップショットを保存できませんでした",

	"List the gateway's sessions":                       "ゲートウェイのセッションを一覧表示",
	"only sessions of this kind":                        "この種類のセッションだけ",
	"show the last message of each":                     "それぞれの最後のメッセージも表示",
	"Show the last messages of a session, oldest first": "セッションの最近のメッセージを古い順に表示",
	"max messages":                                      "メッセージの最大件数",
	"--limit must be at least 1":                        "--limitには1以上を指定してください",
	"Follow the gateway's events as JSON Lines":         "ゲートウェイのイベントをJSON Linesで追跡",
	"Print the gateway's events as JSON Lines until interrupted:\n{\"type\":\"event\",\"name\",\"seq\",\"payload\"}, {\"type\":\"status\",\"state\"}, and\n{\"type\":\"resync\",\"reason\"} when events could have been lost.": "ゲートウェイのイベントを、中断するまでJSON Linesで出力します:\n{\"type\":\"event\",\"name\",\"seq\",\"payload\"}、{\"type\":\"status\",\"state\"}、\nイベントが失われた恐れのある場合は{\"type\":\"resync\",\"reason\"}。",
	"Send a message to a session":                           "セッションにメッセージを送信",
	"wait for the reply and print it":                       "返信を待って表示",
	"max time to wait for the reply":                        "返信を待つ最長時間",
	"a repeated message with the same key isn't sent again": "同じキーのメッセージは二重に送られません",
	"sent %s":                 "送信しました: %s",
	"waiting for the reply …": "返信を待っています…",
	"lost the connection while the reply was arriving. See gateway history.": "返信の途中で接続が切れました。gateway historyで確認してください。",
	"the agent failed: %s":               "エージェントが失敗しました: %s",
	"the run was stopped on the gateway": "ゲートウェイで実行が止められました",
	"no reply in %s within %s. It can still arrive. Check with gateway history.": "%sの返信が%s以内に届きませんでした。後から届くこともあります。gateway historyで確認してください。",
}
