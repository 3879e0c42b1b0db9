package i18n

// trustWords are those of agentflow trust, and why an agent waits for it.
var trustWords = map[string]string{
	"It runs `%s` on this computer.": "このコンピューターで`%s`を実行します。",
	"Connects to %s.":                "%sに接続します。",
	"Sends %s to %s.":                "%sを%sに送信します。",
	"Sends tasks to %s.":             "タスクを%sに送信します。",
	"Sends tasks and %s to %s.":      "タスクと%sを%sに送信します。",
	"  Not set on this computer: %s. Set it where AgentFlow is started, and restart AgentFlow.": "" +
		"  このコンピューターで未設定の変数：%s。" +
		"AgentFlowを起動する環境で設定し、AgentFlowを再起動してください。",
	"Lets in anyone with the secret %s as this agent.": "シークレット%sを持つ相手を、このエージェントとして受け入れます。",
	"Can write in `%s`.":                    "`%s`に書き込めます。",
	"It uses `%s` without asking you.":      "`%s`を確認なしで使います。",
	"No team asks for a permission yet.":    "許可を求めているチームはまだありません。",
	"It uses its tools without asking you.": "ツールを確認なしで使います。",
	"Sets limits for its own process.":      "自身のプロセスに制限を設けます。",
	"MCP server":                            "MCPサーバー",
	"Command":                               "コマンド",
	"Variables":                             "変数",
	"Address":                               "アドレス",
	"allowed, not in use":                   "許可済み（未使用）",
	"Fingerprint":                           "フィンガープリント",
	"Tools":                                 "ツール",
	"Tool policy":                           "ツールのポリシー",
	"Blocked commands":                      "禁止するコマンド",
	"Commands it asks about":                "確認するコマンド",
	"Allowed addresses":                     "許可するアドレス",
	"  %s: %s":                              "  %s: %s",
	"Manage what teams can use on this computer":                                "チームがこのコンピューターで使えるものを管理",
	"List what teams ask for and what you allowed":                              "チームが求めることと許可済みのものを一覧表示",
	"Show everything a team asks for":                                           "チームが求めることをすべて表示",
	"Allow what a team asks for":                                                "チームが求めることを許可",
	"Revoke a team's permissions":                                               "チームの許可を取り消し",
	"only this agent; repeatable":                                               "このエージェントだけ（複数指定可）",
	"allow what the team asks for on the built-in gateway's computer":           "チームが内蔵ゲートウェイのコンピューターに求めることを許可",
	"%s isn't AgentFlow's built-in gateway, so there is nothing to allow":       "%sはAgentFlowの内蔵ゲートウェイではないため、許可するものはありません",
	"no team or file %s asks for anything. Run agentflow trust list.":           "%sという名前で許可を求めるチームやファイルはありません。agentflow trust listを実行してください。",
	"no agent %s of %s asks for anything. Run agentflow trust list.":            "%[2]sに、許可を求めるエージェント%[1]sはありません。agentflow trust listを実行してください。",
	"Nothing is waiting for permission.":                                        "許可を待っているものはありません。",
	"no terminal for confirmation. Use --yes to allow it. Nothing was allowed.": "確認できるターミナルがありません。確認せずに許可するには--yesを指定してください。何も許可していません。",
	"Allow this?": "これを許可しますか？",
	"allowed: %s": "許可しました: %s",
	"asked":       "未許可",
	"changed":     "変更あり",
	"allowed":     "許可済み",
	"refused":     "許可不可",
	"revoked":     "許可を取り消しました",
	"the agent %s waits for trust: nobody has allowed what it asks of this computer. Run agentflow trust list.":                                                     "エージェント%sは許可を待っています。このコンピューターに求めることが、まだ許可されていません。agentflow trust listで確認してください。",
	"the agent %s now asks for something else. Nothing was allowed. Check it again.":                                                                                "エージェント%sの求めることが変わりました。何も許可していません。もう一度確認してください。",
	"%s of the agent %s can't be read: %s. Correct it in the team.":                                                                                                 "エージェント%[2]sの%[1]sを読み取れません: %[3]s。チームの内容を直してください。",
	"the agents %s and %s have the same secret, %s. Give each agent its own variable.":                                                                              "エージェント%sと%sのシークレット%sが同じです。エージェントごとに別の変数を使ってください。",
	"the secret in %s is shorter than %d bytes. Set a longer one where the hub is started.":                                                                         "%sのシークレットが%dバイトより短いです。ハブを起動する環境で、より長い値を設定してください。",
	"a team can't name the variable %s, which belongs to AgentFlow or a model provider. Put the agent's own secret into a variable such as AGENTFLOW_AGENT_WORKER.": "変数%sはAgentFlowかモデルのプロバイダーのものなので、チームでは指定できません。エージェントのシークレットはAGENTFLOW_AGENT_WORKERのような変数に入れてください。",
	"a team can't name the variable %s, which belongs to another program. Put the agent's own secret into a variable such as AGENTFLOW_AGENT_WORKER.":               "変数%sはほかのプログラムのものなので、チームでは指定できません。エージェントのシークレットはAGENTFLOW_AGENT_WORKERのような変数に入れてください。",
	"a team can't name the variable %s. Use a name with the prefix AGENTFLOW_AGENT_, or list it under agents.variables in agentflow.yaml.":                          "チームでは変数%sを指定できません。AGENTFLOW_AGENT_で始まる名前を使うか、agentflow.yamlのagents.variablesに書いてください。",
	"an agent can't be given the variable %s, which belongs to AgentFlow or a model provider. Use another variable.":                                                "変数%sはAgentFlowかモデルのプロバイダーのものなので、エージェントに渡せません。別の変数を使ってください。",
	"an MCP server can't be given the variable %s, by which the hub knows the agent. Use another variable.":                                                         "変数%sはハブがエージェントを見分けるためのものなので、MCPサーバーに渡せません。別の変数を使ってください。",

	"%s  allowed before": "%s  以前に許可済み",
	"  This is what the file asks for, not what is applied. You allowed exactly this before, for the agent %s " +
		"of the gateway %s. It counts if you apply the file there.": "  これはファイルが求める内容で、適用済みのチームではありません。" +
		"ゲートウェイ%[2]sのエージェント%[1]sに、まったく同じ内容を以前に許可しています。" +
		"このファイルをそこに適用すると、その許可が有効になります。",

	"no terminal for confirmation. Use --yes to revoke without asking. Nothing was revoked.": "" +
		"確認できるターミナルがありません。確認せずに取り消すには--yesを指定してください。" +
		"何も取り消していません。",
	"Revoke the permissions of %s? Local processes that use them stop.": "" +
		"%sの許可を取り消しますか？許可を使用中のローカルプロセスは停止します。",
}
