package words

// gatewayWords are those of agentflow gateway, and of the configs kept for it.
var gatewayWords = map[string]string{
	"Read, compare, apply and talk to an OpenClaw gateway": "OpenClawゲートウェイの読み取り、比較、適用、会話",
	"Read, compare, apply and talk to an OpenClaw gateway.\n\nThe token comes from %s or --gateway-token-file, and goes to the\none gateway that is meant. There is no flag for it: command lines are public.": "OpenClawゲートウェイを読み取り、比較し、適用し、会話します。\n\nトークンは%sか--gateway-token-fileから読み、指定したゲートウェイだけに\n送ります。コマンドラインは公開情報のため、トークンのフラグはありません。",
	"the gateway's address":                             "ゲートウェイのアドレス",
	"file that holds the gateway's token (default: %s)": "ゲートウェイのトークンのファイル（既定: %s）",
	"how long to wait for the gateway":                  "ゲートウェイを待つ時間",
	"connecting to %s …":                                "%sに接続しています…",
	"%s is the default address: name another with --gateway or %s. The built-in gateway of a hub is at %s": "%sは既定のアドレスです。ほかのゲートウェイは--gatewayまたは%sで指定してください。ハブの内蔵ゲートウェイのアドレスは%sです",
	"no token was given: set %s, or name a file with --gateway-token-file":                                 "トークンがありません。%sを設定するか、--gateway-token-fileでファイルを指定します",
	"approve this device on the gateway's computer, then run the command again: openclaw devices approve":  "ゲートウェイのコンピューターでこの端末を承認し、もう一度実行します: openclaw devices approve",

	"Write the gateway's team as a team file": "ゲートウェイのチームをチームファイルに書き込む",
	"Write the gateway's team as a team file. Over an existing file it keeps what the\ngateway cannot hold: role, persona, places, other connections.": "ゲートウェイのチームをチームファイルに書き込みます。既存のファイルに書き込む場合、\nゲートウェイに置けないもの（役割、人物像、配置、その他の接続）は残ります。",
	"%s holds %s, not a team file: name another file with -o":                               "%sの形式は%sで、チームファイルではありません。-oで別のファイルを指定します",
	"%s has changed while the gateway was read; nothing was written, run the command again": "ゲートウェイを読み取る間に%sが変わったため、何も書き込んでいません。もう一度実行します",
	"%s: %s, %s, base %s": "%s: %s、%s、元 %s",
	"no longer in the file, because the gateway does not have it: agent %s": "ゲートウェイにないため、ファイルから外れました: エージェント %s",

	"Show what applying a team file would change; exit 1 if anything":                                                                                        "チームファイルの適用で変わる内容を表示（変更があれば終了コード1）",
	"Show what applying a team file would change on the gateway as it is now. Nothing is\nsent. The exit code is 0 when there is nothing to change, else 1.": "チームファイルを適用すると現在のゲートウェイで変わる内容を表示します。何も送りません。\n終了コードは、変更がなければ0、あれば1です。",
	"the gateway's config has changed since %s was read: apply needs --merge":                                                                                "%sを読み取った後にゲートウェイの設定が変わっています。適用には--mergeが必要です",
	"deleted by the gateway":                "ゲートウェイが削除",
	"nothing to change on the gateway":      "ゲートウェイで変わるものはありません",
	"removes agent %s":                      "エージェント %s を削除",
	" with %s and %s":                       "。%sと%sもなくなります",
	" with %s":                              "。%sもなくなります",
	"; its files go to the gateway's trash": "。ファイルはゲートウェイのごみ箱に移ります",
	"; its files stay":                      "。ファイルは残ります",
	"; not possible: %s":                    "。実行できません: %s",
	"the gateway restarts: %s":              "ゲートウェイが再起動します: %s",
	"this gateway restarts with every applied config; running conversations stop": "このゲートウェイは設定を適用するたびに再起動し、実行中の会話は止まります",
	"the comments in the gateway's config file will be lost":                      "ゲートウェイの設定ファイルのコメントが失われます",
	"warning: %s: %s": "警告: %s: %s",

	"Apply a team file to the gateway": "チームファイルをゲートウェイに適用",
	`Show the change set, ask, keep the gateway's config for a rollback, apply it once, wait
for the gateway to be back, read again and compare, and write the new base into the file.

Where nobody can answer, --yes is needed. Agents to be removed need --delete-agents as
well. Commands, secrets and folders that agents ask of the built-in gateway's computer
wait, unless --trust shows and allows them. When the gateway has changed since the file
was read, nothing is written and the exit code is 5; --merge then merges both sides, if
nothing collides.`: `変更を表示して確認し、元に戻せるようにゲートウェイの設定を保存してから1回だけ適用します。
ゲートウェイが戻るのを待って読み直し、比較し、新しい元をファイルに書き込みます。

回答できる人がいない場合は--yesが必要です。エージェントの削除には--delete-agentsも必要です。
エージェントが内蔵ゲートウェイのコンピューターに求めるコマンド、シークレット、フォルダーは、
--trustで表示して許可するまで使いません。
ファイルを読み取った後にゲートウェイが変わっていれば、何も書き込まず終了コードは5です。
--mergeを指定すると、競合がなければ両方を統合します。`,
	"agree that agents are removed from the gateway":                                              "ゲートウェイからエージェントを削除することに同意",
	"why; the gateway and the kept snapshot get it":                                               "理由。ゲートウェイと保存したスナップショットに残ります",
	"merge with what has changed on the gateway since the file was read":                          "ファイルを読み取った後のゲートウェイの変更と統合",
	"this removes %s from the gateway: say --delete-agents if that is meant; nothing was written": "ゲートウェイから%sが削除されます。よければ--delete-agentsを指定します。何も書き込んでいません",
	"nobody can answer here: say --yes to apply without a question; nothing was written":          "ここでは回答できません。確認なしで適用するには--yesを指定します。何も書き込んでいません",
	"Apply this to %s?":                                                 "この内容を%sに適用しますか？",
	"the answer was no; nothing was written":                            "適用しない回答のため、何も書き込んでいません",
	"the gateway's config changed just now; run gateway diff to see it": "ゲートウェイの設定がたった今変わりました。gateway diffで確認できます",
	"%s cannot hold the new base %s":                                    "%sには新しい元 %s を書き込めません",
	"the config was applied, but %s was changed meanwhile and has not been written: read the gateway again with gateway get": "設定は適用しましたが、途中で%sが変わったため書き込んでいません。gateway getでゲートウェイを読み直します",
	"the config was applied, but the new base %s could not be written into %s":                                               "設定は適用しましたが、新しい元 %s を%sに書き込めませんでした",
	"unchanged: the gateway has this team already, base %s":                                                                  "変更なし: ゲートウェイはすでにこのチームです。元 %s",
	"removed agent %s": "エージェント %s を削除しました",
	"applied and read back, base %s; the gateway restarted": "適用し、読み戻して確かめました。元 %s。ゲートウェイは再起動しました",
	"applied and read back, base %s":                        "適用し、読み戻して確かめました。元 %s",
	"to go back: agentflow gateway rollback --to %s":        "元に戻すには: agentflow gateway rollback --to %s",
	"not as sent: %s: want %s, got %s":                      "送信した値と異なります: %s: 送信 %s、読み戻し %s",
	"checking":                                              "確認しています",
	"keeping the config for a rollback":                     "元に戻せるように設定を保存しています",
	"removing agents":                                       "エージェントを削除しています",
	"applying":                                              "適用しています",
	"waiting for the gateway":                               "ゲートウェイを待っています",
	"reading back":                                          "読み戻しています",
	"%s …":                                                  "%s…",
	"the gateway takes no more changes for now; waiting %d s":                     "ゲートウェイは現在、変更を受け付けていません。%d秒待ちます",
	"removing agent %s …":                                                         "エージェント %s を削除しています…",
	"the gateway's config has changed since %s was read; nothing was written: %s": "%sを読み取った後にゲートウェイの設定が変わったため、何も書き込んでいません。%s",
	"  nothing": "  なし",
	"what was read then has not been kept here, so only the whole difference can be shown": "当時読み取った内容がここに残っていないため、全体の差分だけを表示します",
	"changes from the gateway to the file":                                                 "ゲートウェイからファイルへの変更",
	"changed in the file":                                                                  "ファイルでの変更",
	"changed on the gateway":                                                               "ゲートウェイでの変更",

	"Bring the gateway's config back to one kept before an apply": "ゲートウェイの設定を適用前に戻す",
	`Bring the gateway's config back to one that was kept before an apply on this computer:
the one before the last change, or the one --to names. The config as it is now is kept
first, so a rollback can itself be rolled back.

A rollback that would remove agents changes nothing until --delete-agents is given. --list
says which agents each version would remove.`: `ゲートウェイの設定を、このコンピューターで適用前に保存したものに戻します。既定は
最後の変更の前で、--toで選べます。先に現在の設定を保存するため、戻した後にまた
元に戻せます。

エージェントが削除される場合は、--delete-agentsを指定するまで何も変更しません。
どの版でどのエージェントが削除されるかは、--listで確認できます。`,
	"the version to go back to, or its beginning (default: the one before the last change)": "戻す版、またはその先頭部分（既定: 最後の変更の前）",
	"only list the kept versions, newest first":                                             "保存した版を新しい順に表示するだけ",
	"%s  removes %s: needs --delete-agents":                                                 "%s  %sを削除: --delete-agentsが必要",
	"nothing is kept of %s yet":                                                             "%sの版はまだ保存されていません",
	"--to %s fits %s: say more of it":                                                       "--to %s に合うのは%sです。もっと長く指定します",
	"no version %q of %s is kept; there are, newest first: %s":                              "%[2]sの版%[1]qは保存されていません。保存された版（新しい順）: %[3]s",
	"no version %q of %s is kept":                                                           "%[2]sの版%[1]qは保存されていません",
	"no earlier config of %s is kept on this computer":                                      "%sの以前の設定は、このコンピューターに保存されていません",
	"back to %s":             "戻す先: %s",
	"Bring %s back to this?": "%sをこの内容に戻しますか？",
	"team files read before now are stale: gateway get -o FILE brings one up to date": "これより前に読み取ったチームファイルは古くなりました。gateway get -o FILEで新しくできます",
	"the gateway's config cannot be kept":                                             "ゲートウェイの設定を保存できません",

	"List the gateway's sessions":                                "ゲートウェイのセッションを一覧表示",
	"only sessions of this kind":                                 "この種類のセッションだけ",
	"show the last message of each":                              "それぞれの最後のメッセージも表示",
	"Print the last messages of a session, oldest first":         "セッションの最近のメッセージを古い順に表示",
	"how many messages at most":                                  "メッセージの最大件数",
	"--limit must be at least 1":                                 "--limitは1以上です",
	"Print the gateway's events as JSON Lines until interrupted": "ゲートウェイのイベントを中断までJSON Linesで出力",
	"Print the gateway's events as JSON Lines until interrupted:\n{\"type\":\"event\",\"name\",\"seq\",\"payload\"}, {\"type\":\"status\",\"state\"}, and\n{\"type\":\"resync\",\"reason\"} where events may have been lost.": "ゲートウェイのイベントを中断までJSON Linesで出力します:\n{\"type\":\"event\",\"name\",\"seq\",\"payload\"}、{\"type\":\"status\",\"state\"}、\nイベントが失われた恐れのある所では{\"type\":\"resync\",\"reason\"}。",
	"Send a message into a session":   "セッションにメッセージを送信",
	"wait for the reply and print it": "返信を待って表示",
	"how long to wait for the reply":  "返信を待つ時間",
	"the same key is never run twice": "同じキーは二度実行されない",
	"sent %s":                         "送信しました: %s",
	"waiting for the reply …":         "返信を待っています…",
	"the link was lost while the reply was coming; see gateway history": "返信の途中で接続が切れました。gateway historyで確認できます",
	"the agent failed: %s":               "エージェントが失敗しました: %s",
	"the run was stopped on the gateway": "ゲートウェイで実行が止められました",
	"no reply in %s came within %s; it may still come: see gateway history": "%sの返信が%s以内に届きませんでした。後から届くこともあり、gateway historyで確認できます",
}
