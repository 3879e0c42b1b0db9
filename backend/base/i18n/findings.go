package i18n

// findingWords are the findings of topology lint; the page has the same ones by their codes.
var findingWords = map[string]string{
	"Tasks for the team go to any free agent.": "" +
		"チームへのタスクは、空いているエージェントに割り当てられます。",
	"Turn on \"Receives the team's tasks\" for %s if it should split them.": "" +
		"%sがタスクを分担させる場合は、「チームへのタスクを受け取る」をオンにしてください。",

	"%s has a %s connection to %s, and nobody in the team has that id. The connection does nothing.": "%[1]sから%[3]sへの接続（%[2]s）がありますが、そのIDのエージェントはいません。この接続は働きません。",
	"Add an agent with the id %s, or remove the connection.":                                         "IDが%sのエージェントを追加するか、接続を削除します。",
	"The id %s stands twice. A gateway would keep only one of the two agents.":                       "ID %sが重複しています。ゲートウェイには片方しか残りません。",
	"Give %s another id.": "%sに別のIDを付けます。",
	"The gateway does not accept the id %s, because of %s. Nothing can be applied.":                              "ゲートウェイはID %sを受け付けません（原因: %s）。このままでは何も適用できません。",
	"Use a to z, 0 to 9, _ and -, at most 64 characters, not - first; for example %s.":                           "使えるのはa〜z、0〜9、_、-で64文字まで、先頭に-は使えません。例: %s",
	"%s has no id. Neither a gateway nor a connection can name it.":                                              "%sにIDがありません。ゲートウェイも接続も指し示せません。",
	"Give it an id, for example one made from its name.":                                                         "名前などからIDを付けます。",
	"%s has no model, and there is no default. It cannot answer.":                                                "%sにモデルがなく、既定のモデルもありません。応答できません。",
	"Choose a model for it, or set a default model.":                                                             "モデルを選ぶか、既定のモデルを設定します。",
	"The gateway doesn't list the model %s. %s probably can't respond with it.":                                  "ゲートウェイの一覧に、モデル%sがありません。%sは応答できないかもしれません。",
	"There's no model provider %s. %s can't respond with %s.":                                                    "プロバイダー%sがありません。%sは、%sでは応答できません。",
	"Choose a model from the list, or add the provider in Settings.":                                             "一覧からモデルを選ぶか、「設定」でプロバイダーを追加してください。",
	"The provider %s doesn't list the model %s. %s probably can't answer with it.":                               "プロバイダー%sの一覧に、モデル%sがありません。%sは応答できないかもしれません。",
	"Choose a model from the list, or check its name.":                                                           "一覧からモデルを選ぶか、名前を確認してください。",
	"What looks like a secret stands in clear text in %s of %s. Anyone who gets this file can use it.":           "%[2]sの%[1]sに、シークレットらしい値が平文で書かれています。ファイルを見た人は誰でも使えます。",
	"Put it into an environment variable and write ${NAME} here; then change the secret, because it was stored.": "環境変数に移し、ここには${NAME}と書きます。保存されたため、シークレット自体も変更が必要です。",
	"No agent can delegate to %s, and it isn't an entry point for tasks. It can't get tasks from other agents.":  "%sに指示できるエージェントがなく、タスクの入口でもありません。ほかのエージェントはタスクを委任できません。",
	"Add a Delegate connection to it, or give it the role Coordinator.":                                          "「指示」の接続を追加するか、役割をCoordinatorにしてください。",
	"These agents can hand work round in a circle: %s. A task may never end, and cost money all the while.":      "指示が循環しています（%s）。タスクが終わらず、費用がかかり続ける恐れがあります。",
	"Remove one of the Delegate connections, unless a limit stops them.":                                         "上限で止まる場合を除き、指示の接続を1つ削除します。",
	"%s shares its workspace %s with %s. They can overwrite each other's files.":                                 "%sの作業フォルダー%sは%sと同じです。互いのファイルを上書きする恐れがあります。",
	"Give each agent a folder of its own, or let only one of them write.":                                        "フォルダーを分けるか、書き込むのを片方だけにします。",
	"%s has a key %s that is not known. It is kept as it is, and does nothing here.":                             "%sに未知のキー%sがあります。そのまま残しますが、ここでは働きません。",
	"The %s of %s can't be read. The agent can't be used.":                                                       "%[2]sの%[1]sを読み取れません。このエージェントは使えません。",
	"Write it like this: %s: %s":             "次のように書いてください: %s: %s",
	"Check the spelling, or remove the key.": "つづりを確かめるか、キーを削除します。",
	"%s has a key %s that this gateway does not know. It refuses a config with such a key, so nothing could be applied.":        "%sのキー%sをこのゲートウェイは知りません。このようなキーのある設定は拒まれ、何も適用できません。",
	"%s has a value in %s that this gateway does not take. It refuses a config with such a value, so nothing could be applied.": "%sの%sの値をこのゲートウェイは受け付けません。このような値のある設定は拒まれ、何も適用できません。",
	"Use one of these: %s.": "次のいずれかを使います: %s",
	"%s has a %s connection to itself. An agent may always work for itself; the connection does nothing.": "%sに自分自身への接続（%s）があります。自分の仕事は常にできるため、この接続は働きません。",
	"Remove the connection.": "接続を削除します。",
	"%s has more than one %s connection to %s. They are one and the same to a gateway.": "%[1]sから%[3]sへの接続（%[2]s）が重複しています。ゲートウェイでは1つと同じです。",
	"Remove all but one.": "1つを残して削除します。",
	"This gateway wants to be told who owns the %s agents before it takes more than one (agents.ownership).": "このゲートウェイは、%s体のエージェントの所有者の指定（agents.ownership）がないと2体以上を受け付けません。",
	"Nothing to do: applying sets agents.ownership to explicit.":                                             "操作は不要です。適用時にagents.ownershipをexplicitにします。",
	"No longer drawn, but still on the gateway: %s. This gateway deletes agents only one by one.":            "図にはありませんが、ゲートウェイに残っています: %s。このゲートウェイは1体ずつしか削除できません。",
	"Confirm the deletion when you apply, or draw them again.":                                               "適用時に削除を確認するか、もう一度描きます。",
	"The agents %s and %s are both called %s. Rooms show the second one by its ID.": "" +
		"エージェント%sと%sは、どちらも%sという名前です。ルームでは、2体目はIDで表示されます。",
	"Give one of them another name.": "" +
		"片方に別の名前を付けてください。",
	"Agent %s has no name. Rooms, tasks and other agents see only its id.": "エージェント%sに名前がありません。ルームやタスク、ほかのエージェントにはIDだけが見えます。",
	"Give it a name.": "名前を付けます。",
	"The group %s names %s, and nobody in the team has that id. The name is kept, and does nothing.": "グループ「%s」に%sがありますが、そのIDのエージェントはいません。名前は残りますが、何も起きません。",
	"Add an agent with the id %s, or remove it from the members of the group.":                       "ID %sのエージェントを追加するか、グループのメンバーから外します。",
	"The group %s has no member in the team, so there is nothing to draw a frame around.":            "グループ「%s」にはエージェントが入っていないため、枠を描けません。",
	"Put an agent into it, or remove the group.":                                                     "エージェントを入れるか、グループを削除します。",
	"the key %s isn't known; it is kept as it is":                                                    "%sは未知のキーです。そのまま残します",
	"check its spelling":             "つづりを確かめます",
	"%s runs `%s` on this computer.": "%sは、このコンピューターで`%s`を実行します。",
	"Allow it when you apply only if you know the command. Otherwise remove mcpServers.":                "知っているコマンドのときだけ、適用時に許可してください。それ以外はmcpServersを削除してください。",
	"%s sends %s and its tasks to %s.":                                                                  "%sは、%sとタスクを%sへ送信します。",
	"%s sends %s to %s.":                                                                                "%sは%sを%sへ送信します。",
	"%s uses tools without asking you.":                                                                 "%sは確認なしでツールを使います。",
	"Allow it when you apply only if you trust the team. Otherwise remove auto from mcpPolicy.":         "チームを信頼できる場合だけ、適用するときに許可してください。そうでなければmcpPolicyからautoを削除してください。",
	"%s sends its tasks to %s.":                                                                         "%sは、タスクを%sへ送信します。",
	"Allow it when you apply only if you trust that host.":                                              "信頼できる送信先のときだけ、適用時に許可してください。",
	"%s can write in `%s`.":                                                                             "%sは、`%s`に書き込めます。",
	"Allow it when you apply, or use the agent's own folder.":                                           "適用時に許可するか、エージェント専用のフォルダーを使ってください。",
	"%s names the variable %s, which no team can name.":                                                 "%sが指定している変数%sは、チームでは指定できません。",
	"%s has the same secret %s as %s.":                                                                  "%sのシークレット%sは、%sと同じです。",
	"Give each agent its own variable.":                                                                 "エージェントごとに別の変数を指定してください。",
	"Use a name with the prefix AGENTFLOW_AGENT_, or list it under agents.variables in agentflow.yaml.": "AGENTFLOW_AGENT_で始まる名前を使うか、agentflow.yamlのagents.variablesに書いてください。",

	// Bindings
	"Binding %s gives messages of %s to %s, which isn't in the team.": "割り当て%sは%sのメッセージを%sに割り当てていますが、" +
		"このエージェントはチームに存在しません。",

	"Binding %s is about the channel %s. The gateway doesn't have it.": "割り当て%sのチャンネル%sが、ゲートウェイにありません。",

	"Binding %s is about the account %s of %s. The gateway doesn't have it.": "割り当て%[1]sの%[3]sのアカウント%[2]sが、" +
		"ゲートウェイにありません。",

	"The broadcast group %s names %s, which isn't in the team.": "一斉配信グループ%sのエージェント%sが、" +
		"チームに存在しません。",

	"Remove it from the group under Routes, or add an agent with the ID %s.": "「経路」でグループから外すか、" +
		"IDが%sのエージェントを追加してください。",

	"The broadcast group %s is about the channel %s. The gateway doesn't have it.": "一斉配信グループ%sのチャンネル%sが、" +
		"ゲートウェイにありません。",

	"Set up the channel on the gateway, or delete the group under Routes.": "ゲートウェイでチャンネルを設定するか、" +
		"「経路」でグループを削除してください。",

	"The broadcast group %s has no effect. This gateway supports groups of WhatsApp only, without its name.": "" +
		"一斉配信グループ%sは使われません。このゲートウェイが対応しているのは、" +
		"チャンネル名を付けないWhatsAppのグループだけです。",

	"Write only the ID of a WhatsApp conversation, or update the gateway.": "WhatsAppの会話のIDだけを指定するか、" +
		"ゲートウェイを更新してください。",

	"Idle Message connections: %s (%s – %s …). Messages are off on the gateway.": "" +
		"連絡の接続%s件（%s – %sなど）は機能しません。" +
		"ゲートウェイでエージェント間の連絡がオフです。",
	"Turn them on under Everyone, or remove the connections.": "" +
		"「全員」でオンにするか、接続を削除してください。",
	"Idle Message connections: %s (%s – %s …). The visibility of sessions is %s.": "" +
		"連絡の接続%s件（%s – %sなど）は機能しません。セッションの公開範囲が%sです。",
	"Set the visibility of sessions to all under Everyone, or remove the connections.": "" +
		"「全員」でセッションの公開範囲をallにするか、接続を削除してください。",
	"Idle Message connections: %s (%s – %s …). The gateway's list leaves agents out.": "" +
		"連絡の接続%s件（%s – %sなど）は機能しません。" +
		"ゲートウェイの一覧にエージェントがありません。",
	"Select a connection and allow it on the gateway, or remove the connections.": "" +
		"接続を選択してゲートウェイで許可するか、接続を削除してください。",
	"%s and %s can message each other on the gateway without a Message connection. Such pairs: %s.": "連絡の接続がない%sと%sが、" +
		"ゲートウェイでは互いに連絡できます。接続のない組：%s件。",
	"Shorten the list under Everyone, or draw the connections. The list has agents, not pairs.": "" +
		"「全員」で一覧を短くするか、接続を追加してください。" +
		"この一覧には、組ではなくエージェントを指定します。",
	"The shared block %s in %s of %s has another text than in %s of %s.": "" +
		"共有ブロック「%[1]s」の内容が、%[3]sの%[2]sと%[5]sの%[4]sで異なります。",
	"Open the file, select the block, and save the text that counts.": "" +
		"ファイルを開いて共有ブロックを選び、正しい内容を保存してください。",
	"%s runs no heartbeat: %s has settings for one, so Everyone's don't count. Such agents: %s.": "" +
		"%sはハートビートを実行しません。%sにハートビートの設定があるため、" +
		"「全員」の設定は使われません。該当するエージェント：%s体。",
	"Give each agent heartbeat settings, or remove those of %s.": "" +
		"各エージェントにハートビートを設定するか、%sの設定を削除してください。",
	"Binding %s never matches, because binding %s takes all of its messages.": "割り当て%[2]sが先に一致するため、" +
		"割り当て%[1]sは使われません。",

	"Choose another agent for it under Routes, or remove the binding.": "「経路」で別のエージェントを選ぶか、" +
		"割り当てを削除してください。",

	"Set up the channel on the gateway, or remove the binding under Routes.": "ゲートウェイでチャンネルを設定するか、" +
		"「経路」で割り当てを削除してください。",

	"Choose another account under Routes, or set up the account on the gateway.": "「経路」で別のアカウントを選ぶか、" +
		"ゲートウェイでアカウントを設定してください。",

	"Move it up under Routes, or remove one of the two.": "「経路」で上に移動するか、どちらかを削除してください。",

	"%s of %s has hidden characters: %s. " +
		"The agent reads something else than you see.": "%[2]sの%[1]sに見えない文字があります: %[3]s。" +
		"エージェントが読む内容は表示と異なります。",
	"Remove them, unless you know why they are there.": "理由がわからない場合は、削除してください。",
}
