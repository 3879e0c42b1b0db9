package i18n

// helpWords translates the help of cobra and its errors about the command line.
var helpWords = map[string]string{
	"fingerprint of the gateway's certificate, if no known authority signed it (default: %s)": "" +
		"ゲートウェイの証明書のフィンガープリント。既知の認証局の署名がない場合に指定（既定: %s）",

	"Usage:":                  "使い方:",
	"Aliases:":                "別名:",
	"Examples:":               "例:",
	"Available Commands:":     "コマンド:",
	"Additional Commands:":    "その他のコマンド:",
	"Additional help topics:": "その他のヘルプ:",
	"Global Flags:":           "共通のフラグ:",
	"Flags:":                  "フラグ:",
	"%s (default %s)":         "%s（既定値 %s）",
	`Use "{{.CommandPath}} [command] --help" for more information about a command.`: `コマンドの詳細: {{.CommandPath}} [command] --help`,

	"help for %s":            "%sのヘルプ",
	"Help about any command": "コマンドのヘルプを表示",
	"Help provides help for any command in the application.\nSimply type agentflow help [path to command] for full details.": "コマンドのヘルプを表示します。\nagentflow help [コマンド]と入力してください。",

	"See %q.":                   "%qを参照してください。",
	"Usage: %s":                 "使い方: %s",
	`See "agentflow --help".`:   "\"agentflow --help\"を参照してください。",
	"unknown command %q for %q": "%[2]qに%[1]qというコマンドはありません",
	"unknown command %q for %q. Did you mean %s?":   "%[2]qに%[1]qというコマンドはありません。もしかして: %[3]s",
	"%q needs a command":                            "%qにはコマンドの指定が必要です",
	"unknown flag: --%s":                            "--%sというフラグはありません",
	"unknown shorthand flag: %q in -%s":             "-%[2]sにある%[1]qというフラグはありません",
	"bad flag syntax: %s":                           "フラグの書き方が正しくありません: %s",
	"flag needs an argument: --%s":                  "--%sには値が必要です",
	"flag needs an argument: %q in -%s":             "-%[2]sの%[1]qには値が必要です",
	"invalid argument %q for %q flag: %s":           "%[2]qの値%[1]qは使えません（%[3]s）",
	"invalid argument %q for %q":                    "%[2]qに%[1]qは指定できません",
	"accepts %d arg(s), received %d":                "引数は%d個です（指定は%d個）",
	"accepts at most %d arg(s), received %d":        "引数は%d個までです（指定は%d個）",
	"requires at least %d arg(s), only received %d": "引数は%d個以上必要です（指定は%d個）",
	"accepts between %d and %d arg(s), received %d": "引数は%d〜%d個です（指定は%d個）",
}

// programWords translates the texts of serve, version and completion, and those that all commands share.
var programWords = map[string]string{
	"Draw a team of AI agents and apply it to a live OpenClaw gateway": "AIエージェントのチームを描き、稼働中のOpenClawゲートウェイに適用",
	`Draw a team of AI agents, review the changes and apply them safely to a live OpenClaw
gateway.

Without a command, agentflow opens its window. A program without a window runs the hub and
opens its page in the browser. FILE is a team file, a config or a bundle to open.

Exit codes: 0 done · 1 failed · 2 wrong usage or invalid input · 3 unauthorized or
forbidden · 4 not found · 5 conflict, nothing was written · 6 not reachable · 130 interrupted`: `AIエージェントのチームを描き、変更を確認して、稼働中のOpenClawゲートウェイに安全に適用します。

コマンドを指定しないとウィンドウが開きます。ウィンドウのないプログラムではハブを起動し、その
ページをブラウザーで開きます。FILEには開くチームファイル、設定、バンドルを指定できます。

終了コード: 0 完了 · 1 失敗 · 2 使い方か入力の誤り · 3 認証か権限の不足 ·
4 見つからない · 5 競合（書き込みなし） · 6 接続できない · 130 中断`,
	"output JSON (JSON Lines when streaming)":                         "JSONで出力（続けて出力する場合はJSON Lines）",
	"data folder (default: AGENTFLOW_DATA, or your user data folder)": "データフォルダー（既定: AGENTFLOW_DATA、なければユーザーのデータフォルダー）",
	"file to write (default: standard output)":                        "書き込むファイル（既定: 標準出力）",
	"skip confirmation prompts":                                       "確認を省略",

	"Run the hub without a window": "ウィンドウなしでハブを実行",
	"Run the hub: its gateways, teams, API and web page. It prints one line when it accepts\nrequests. SIGTERM stops it with exit code 0. The first page that opens shows FILE, which is\na team file, a config or a bundle.": "ハブ（ゲートウェイ、チーム、API、Webページ）を実行します。要求を受け付けられるようになると1行を\n出力します。SIGTERMで終了すると終了コードは0です。最初に開いたページにFILE（チームファイル、設定、\nバンドル）が表示されます。",
	"print a one-time link and open it in the browser": "1回だけ使えるリンクを出力し、ブラウザーで開く",
	"address to listen on; port 0 picks a free one":    "待ち受けるアドレス（ポート0なら空きポート）",
	"PostgreSQL URL, such as postgres://user@host/agentflow (default: %s, which can contain a password, or a file in the data folder)": "PostgreSQLのURL（例: postgres://user@host/agentflow、既定: パスワードを含められる%s、なければデータフォルダーのファイル）",
	"other users of this computer can read a password in a command line. Set the URL with %s, or the password with PGPASSWORD.":        "コマンドラインのパスワードは、このコンピューターのほかの利用者にも読めます。URLを%sで指定するか、パスワードをPGPASSWORDで指定してください。",
	"certificate file":            "証明書のファイル",
	"key file of the certificate": "証明書の鍵のファイル",
	"use a self-signed certificate, created once in the data folder; clients need its printed fingerprint for --fingerprint":  "自己署名証明書を使用。一度だけ作成してデータフォルダーに保存します（表示されるフィンガープリントをクライアントの--fingerprintに指定してください）",
	"fingerprint of the hub's certificate, if no known authority signed it (default: %s)":                                     "ハブの証明書のフィンガープリント。既知の認証局の署名がない場合に指定（既定: %s）",
	"INSECURE: %s is reachable from other computers without TLS. Others on the network can read secrets, messages and tasks.": "安全ではありません（INSECURE）: %sはTLSなしでほかのコンピューターから接続できます。シークレット、メッセージ、タスクを経路上で読まれる恐れがあります。",
	"couldn't hide the agent's secrets from the commands it runs":                                                             "エージェントが実行するコマンドからシークレットを隠せませんでした",
	"the certificate's fingerprint is %s":                                                                "証明書のフィンガープリントは%sです",
	"networks that can connect, in CIDR notation":                                                        "接続を許可するネットワーク（CIDR）",
	"allow traffic without TLS beyond this computer; others on the network can read it, tokens included": "このコンピューターの外とのTLSなしの通信を許可（トークンを含む通信内容を経路上で読まれる恐れがあります）",
	"log to standard error":                                                                              "ログを標準エラーに出力",
	"Run the hub and open its rooms":                                                                     "ハブを実行し、ルームをブラウザーで開く",
	"Run the hub and open its rooms in the browser. It is the same hub as in agentflow serve. The\nprinted link works once. With --agents, the agents of an agents.yml join the room of --room.": "ハブを実行し、ルームをブラウザーで開きます。agentflow serveと同じハブです。\n出力されるリンクは1回だけ使えます。--agentsを指定すると、agents.ymlのエージェントが--roomの\nルームに参加します。",
	"--allow %q isn't a valid network. Use CIDR, such as 192.0.2.0/24.": "--allowの%qはネットワークではありません。192.0.2.0/24のようにCIDRで指定してください。",
	"couldn't open a browser: %w. Open the link yourself":               "ブラウザーを開けませんでした（%w）。リンクをブラウザーで開いてください",

	"Print the version":                  "バージョンを表示",
	"print the version":                  "バージョンを表示",
	"Print the completion script for %s": "補完スクリプト（%s）を出力",

	"%s [y/N] ":                                           "%s [y/N] ",
	"%s: %s":                                              "%s: %s",
	"couldn't read the answer":                            "回答を読み取れませんでした",
	"couldn't write the result as JSON":                   "結果をJSONとして書き込めませんでした",
	"couldn't write to standard output":                   "標準出力に書き込めませんでした",
	"only one file can be standard input (-)":             "標準入力（-）を指定できるファイルは1つだけです",
	"%s cannot be read: %s":                               "%sを読み取れません: %s",
	"%s cannot be read":                                   "%sを読み取れません",
	"%s cannot be made: %s":                               "%sを作成できません: %s",
	"%s cannot be written: %s":                            "%sに書き込めません: %s",
	"%s doesn't contain a token":                          "%sにトークンがありません",
	"%s is damaged. Delete it and read the gateway again": "%sが壊れています。削除してから、ゲートウェイを読み直してください",
	"couldn't delete an old file in %s":                   "%sの古いファイルを削除できませんでした",
	"the message is empty":                                "メッセージが空です",
	"interrupted":                                         "中断しました",
	"terminated":                                          "終了を求められました",
	"exit %d":                                             "終了コード%d",
}
