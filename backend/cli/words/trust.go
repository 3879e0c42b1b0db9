package words

// trustWords are those of agentflow trust, and why an agent waits for it.
var trustWords = map[string]string{
	"Allow what teams ask of this computer":                               "チームがこのコンピューターに求めることを許可",
	"List what teams ask for and what is allowed":                         "チームが求めることと許可済みのものを一覧表示",
	"Show everything that a team asks for":                                "チームが求めることをすべて表示",
	"Allow what a team asks for":                                          "チームが求めることを許可",
	"Revoke what a team is allowed":                                       "チームの許可を取り消し",
	"only this agent; can be repeated":                                    "このエージェントだけ（繰り返し指定可）",
	"allow what the team asks of the built-in gateway's computer":         "チームが内蔵ゲートウェイのコンピューターに求めることを許可",
	"%s isn't AgentFlow's built-in gateway, so there is nothing to allow": "%sはAgentFlowの内蔵ゲートウェイではないため、許可するものはありません",
	"no team or file %s asks for anything. Run agentflow trust list.":     "%sという名前で許可を求めるチームやファイルはありません。agentflow trust listを実行してください。",
	"Nothing waits to be allowed.":                                        "許可を待っているものはありません。",
	"nobody can answer here: say --yes to allow it; nothing was allowed":  "ここでは回答できません。許可するには--yesを指定してください。何も許可していません",
	"Allow this?": "これを許可しますか？",
	"allowed: %s": "許可しました: %s",
	"revoked":     "許可を取り消しました",
	"the agent %s waits for trust: nobody has allowed what it asks of this computer. Look at it with agentflow trust show.":                                         "エージェント%sは許可を待っています。このコンピューターに求めることが、まだ許可されていません。agentflow trust showで確認してください。",
	"the agent %s asks for something else by now. Nothing was allowed. Look at it again.":                                                                           "エージェント%sの求めることが変わりました。何も許可していません。もう一度確認してください。",
	"%s of the agent %s can't be read: %s. Correct it in the team.":                                                                                                 "エージェント%[2]sの%[1]sを読み取れません: %[3]s。チームの内容を直してください。",
	"the agents %s and %s have the same secret, %s. Give each agent its own variable.":                                                                              "エージェント%sと%sのシークレット%sが同じです。エージェントごとに別の変数を使ってください。",
	"the secret in %s is shorter than %d bytes. Set a longer one where the hub is started.":                                                                         "%sのシークレットが%dバイトより短いです。ハブを起動する環境で、より長い値を設定してください。",
	"a team can't name the variable %s, which belongs to AgentFlow or a model provider. Put the agent's own secret into a variable such as AGENTFLOW_AGENT_WORKER.": "変数%sはAgentFlowかモデルのプロバイダーのものなので、チームでは指定できません。エージェントのシークレットはAGENTFLOW_AGENT_WORKERのような変数に入れてください。",
	"a team can't name the variable %s, which belongs to another program. Put the agent's own secret into a variable such as AGENTFLOW_AGENT_WORKER.":               "変数%sはほかのプログラムのものなので、チームでは指定できません。エージェントのシークレットはAGENTFLOW_AGENT_WORKERのような変数に入れてください。",
	"a team can't name the variable %s. Use a name with the prefix AGENTFLOW_AGENT_, or list it under agents.variables in agentflow.yaml.":                          "チームでは変数%sを指定できません。AGENTFLOW_AGENT_で始まる名前を使うか、agentflow.yamlのagents.variablesに書いてください。",
	"an agent can't be given the variable %s, which belongs to AgentFlow or a model provider. Use another variable.":                                                "変数%sはAgentFlowかモデルのプロバイダーのものなので、エージェントに渡せません。別の変数を使ってください。",
	"an MCP server can't be given the variable %s, by which the hub knows the agent. Use another variable.":                                                         "変数%sはハブがエージェントを見分けるためのものなので、MCPサーバーに渡せません。別の変数を使ってください。",
}
