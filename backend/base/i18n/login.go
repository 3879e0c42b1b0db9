package i18n

// loginWords are those of agentflow login and agentflow token.
var loginWords = map[string]string{
	"Sign a browser in to a running hub, and manage logins": "実行中のハブにブラウザーをサインインさせ、サインインを管理",
	"Print a one-time link that signs a browser in to a running hub. The link works once,\nwithin 10 minutes. A login ends after 30 days, or when you end it.": "実行中のハブにブラウザーをサインインさせるワンタイムリンクを表示します。リンクは\n10分以内に1回だけ使えます。サインインは30日後か、終了したときに切れます。",
	"List signed-in browsers":                      "サインイン中のブラウザーを一覧表示",
	"%s  %s  signed in %s, last used %s from %s":   "%s  %s  サインイン %s、最後の使用 %s（%s）",
	"No browser is signed in.":                     "サインイン中のブラウザーはありません。",
	"Sign a browser out":                           "ブラウザーをサインアウト",
	"name a login by its ID, or use --all":         "サインインのIDを指定するか、--allを付けてください",
	"signed out":                                   "サインアウトしました",
	"sign all browsers out":                        "すべてのブラウザーをサインアウト",
	"Manage the owner's token":                     "所有者のトークンを管理",
	"Replace the owner's token and end all logins": "所有者のトークンを置き換え、サインインをすべて終了",
	"Replace the owner's token and end all logins. A running hub accepts the new token at once and\nrejects the old one. API tokens and the secrets of agents don't change.": "所有者のトークンを置き換え、サインインをすべて終了します。実行中のハブはすぐに新しい\nトークンを受け付け、古いトークンを拒否します。APIトークンとエージェントのシークレットは\n変わりません。",
	"skip confirmation prompts": "確認を省略",
	"Replace the owner's token? Every browser and program that uses it is signed out.": "所有者のトークンを置き換えますか？ 使用中のブラウザーとプログラムはすべてサインアウトされます。",
	"This token is shown once:":                            "このトークンは一度だけ表示されます:",
	"the owner's token was replaced, and all logins ended": "所有者のトークンを置き換え、サインインをすべて終了しました",
	"login not found":                                      "そのサインインは見つかりません",
	"the owner's token comes from AGENTFLOW_TOKEN. Change it there, then restart the hub.":                                                                              "所有者のトークンはAGENTFLOW_TOKENで指定されています。そこで変更してから、ハブを再起動してください。",
	"the owner's token has %d bytes, and a hub that other computers can reach needs at least %d. Set AGENTFLOW_TOKEN to a longer one, as from: openssl rand -base64 32": "所有者のトークンは%dバイトです。ほかのコンピューターから接続できるハブには%dバイト以上が必要です。AGENTFLOW_TOKENに長いトークンを設定してください。例: openssl rand -base64 32",
}
