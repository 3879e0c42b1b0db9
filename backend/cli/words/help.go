package words

// helpWords are cobra's words around the help, and what it says of a command line that it
// does not understand.
var helpWords = map[string]string{
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
	"Help provides help for any command in the application.\nSimply type agentflow help [path to command] for full details.": "コマンドのヘルプを表示します。\nagentflow help [コマンド]と入力します。",

	"See %q.":                   "%qを参照してください。",
	"Usage: %s":                 "使い方: %s",
	`See "agentflow --help".`:   "\"agentflow --help\"を参照してください。",
	"unknown command %q for %q": "%[2]qに%[1]qというコマンドはありません",
	"unknown command %q for %q\n\nDid you mean this?\n\t%s": "%[2]qに%[1]qというコマンドはありません\n\nもしかして:\n\t%[3]s",
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

// programWords are those of the program itself: serve, version, completion, and what all
// commands share.
var programWords = map[string]string{
	"Draw a team of AI agents and apply the drawing to a live OpenClaw gateway": "AIエージェントのチームを描き、稼働中のOpenClawゲートウェイに適用",
	`Draw a team of AI agents and apply the drawing safely to a live OpenClaw gateway.

Without a command: the window, or, where this program has none, the hub with its page
opened in the browser. A FILE (a team file, a config or a bundle) is shown there.

Exit codes: 0 done · 1 failed · 2 wrong usage or invalid input · 3 unauthorized or
forbidden · 4 not found · 5 conflict, nothing was written · 6 not reachable · 130 interrupted`: `AIエージェントのチームを描き、稼働中のOpenClawゲートウェイに安全に適用します。

コマンドなしではウィンドウを開きます。ウィンドウのないプログラムではハブを開始し、
そのページをブラウザーで開きます。FILE（チームファイル、設定、バンドル）を指定すると、
そこに表示します。

終了コード: 0 完了 · 1 失敗 · 2 使い方か入力の誤り · 3 認証か権限の不足 ·
4 見つからない · 5 競合（書き込みなし） · 6 接続できない · 130 中断`,
	"answer for machines: one JSON object, or JSON Lines where it streams":                "機械向けの出力: 1つのJSONオブジェクト（続けて流れる場合はJSON Lines）",
	"folder that keeps everything (default: AGENTFLOW_DATA, else the user's data folder)": "すべてを保存するフォルダー（既定: AGENTFLOW_DATA、なければユーザーのデータフォルダー）",
	"file to write (default: standard output)":                                            "書き込むファイル（既定: 標準出力）",
	"skip confirmation prompts":                                                           "確認を省略",

	"Run the hub without a window": "ウィンドウなしでハブを実行",
	"Run the hub: gateways, drawings, the local gateway, the API and the web page. It prints\none line when it accepts requests, and ends with SIGTERM, exit code 0. The first page that\nopens shows FILE: a team file, a config or a bundle.": "ハブ（ゲートウェイ、図、ローカルゲートウェイ、API、Webページ）を実行します。\n要求を受け付けられるようになると1行を出力し、SIGTERMで終了します（終了コード0）。\n最初に開いたページがFILE（チームファイル、設定、バンドル）を表示します。",
	"print a one-time link and open it in the browser": "1回だけ使えるリンクを出力し、ブラウザーで開く",
	"address to listen on; port 0 picks a free one":    "待ち受けるアドレス（ポート0は空きを選ぶ）",
	"address of a PostgreSQL database, like postgres://user@host/agentflow (default: %s, which may hold a password, else a file in the data folder)": "PostgreSQLデータベースのアドレス（例: postgres://user@host/agentflow、既定: パスワードを含められる%s、なければデータフォルダーのファイル）",
	"a password in a command line can be read by everybody on this computer: give the address by %s, or the password by PGPASSWORD":                  "コマンドラインのパスワードは、このコンピューターの誰でも読めます。アドレスを%sで指定するか、パスワードをPGPASSWORDで指定します",
	"certificate file":            "証明書のファイル",
	"key file of the certificate": "証明書の鍵のファイル",
	"listen with a certificate that is made once and kept in the data folder; its fingerprint is printed, for the --fingerprint of clients": "証明書を一度だけ作成してデータフォルダーに保存し、それで待ち受ける（フィンガープリントを出力するので、クライアントの--fingerprintに使う）",
	"fingerprint of the hub's certificate, if nobody who is known here signed it (default: %s)":                                             "ハブの証明書のフィンガープリント。証明書が既知の認証局の署名でない場合に指定（既定: %s）",
	"INSECURE: %s is reachable from other computers without TLS; secrets, messages and tasks can be read on the way":                        "安全ではありません（INSECURE）: %sはTLSなしで他のコンピューターから接続でき、シークレットやメッセージ、タスクを経路上で読まれる恐れがあります",
	"the agent's secrets cannot be kept from the commands that it runs":                                                                     "エージェントが実行するコマンドから、シークレットを隠せません",
	"the certificate's fingerprint is %s": "証明書のフィンガープリントは%sです",
	"networks that may connect, as CIDR":  "接続を許可するネットワーク（CIDR）",
	"listen without TLS on an address that is not loopback: everybody on the way can read along": "ループバック以外のアドレスでTLSなしで待ち受ける（経路上の誰でも読めます）",
	"log to standard error what goes on":            "動作の記録を標準エラーに出力",
	"Run the hub and open its rooms in the browser": "ハブを実行し、ルームをブラウザーで開く",
	"Run the hub and open its rooms in the browser. It is the same hub as that of\nagentflow serve; the link that it prints works once. Agents of an agents.yml talk in the\nroom that --room names.": "ハブを実行し、ルームをブラウザーで開きます。agentflow serveと同じハブです。\n出力されるリンクは1回だけ使えます。\nagents.ymlのエージェントは--roomで指定したルームで会話します。",
	"--allow %q is no network: write it as 192.0.2.0/24":     "--allowの%qはネットワークではありません。192.0.2.0/24のように書きます",
	"no browser could be opened: %w; open the link yourself": "ブラウザーを開けませんでした（%w）。リンクを自分で開きます",

	"Print the version":                  "バージョンを表示",
	"Print the completion script for %s": "補完スクリプト（%s）を出力",

	"%s [y/N] ":                                           "%s [y/N] ",
	"%s: %s":                                              "%s: %s",
	"the answer cannot be read":                           "回答を読み取れません",
	"the result cannot be written as JSON":                "結果をJSONとして書き込めません",
	"standard output cannot be written":                   "標準出力に書き込めません",
	"standard input (-) can be only one of the files":     "標準入力（-）を指定できるファイルは1つだけです",
	"%s cannot be read: %s":                               "%sを読み取れません: %s",
	"%s cannot be read":                                   "%sを読み取れません",
	"%s cannot be made: %s":                               "%sを作成できません: %s",
	"%s cannot be written: %s":                            "%sに書き込めません: %s",
	"%s holds no token":                                   "%sにトークンがありません",
	"%s is damaged; delete it and read the gateway again": "%sが壊れています。削除して、ゲートウェイを読み直します",
	"an old file in %s cannot be removed":                 "%sの古いファイルを削除できません",
	"the message is empty":                                "メッセージが空です",
	"interrupted":                                         "中断しました",
	"terminated":                                          "終了を求められました",
	"exit %d":                                             "終了コード%d",
}
