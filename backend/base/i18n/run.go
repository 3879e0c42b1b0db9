package i18n

// runWords are those of agentflow run, plan run, and of the planner they ask.
var runWords = map[string]string{
	"Run a coding task from a YAML file": "YAMLファイルのコーディングタスクを実行",
	"Run a coding task from a Task YAML. The planner plans it, coding CLIs work in their own git\nworktree, the tests run, and the completed work is merged into the current branch.\n\nAn interrupted task continues where it stopped when you run it again. Its progress is written to\nstandard output (JSON Lines with --json) and to the note .agent-runner/task-ID.md in the repo.\nThe exit code is 0 for COMPLETE, 1 for FAILED, and 5 if it is complete but couldn't be merged.": "Task YAMLのコーディングタスクを実行します。プランナーが計画し、コーディングCLIが専用のgit\nワークツリーで作業し、テストを実行して、完了した成果を現在のブランチにマージします。\n\n中断したタスクは、もう一度実行すると続きから進みます。経過は標準出力（--jsonではJSON Lines）と、\nリポジトリー内のメモ.agent-runner/task-ID.mdに書き込みます。終了コードはCOMPLETEなら0、FAILEDなら1、\n完了してもマージできなければ5です。",
	"don't merge; leave the work on its branch":         "マージせず、成果をブランチに残す",
	"planner: %s or %s":                                 "プランナー: %sか%s",
	"the planner didn't answer within 15 minutes":       "プランナーが15分以内に応答しませんでした",
	"the planner must be %s or %s, not %q":              "プランナーには%sか%sを指定してください。%qは使えません",
	"couldn't stop the processes of an earlier run: %s": "以前の実行のプロセスを停止できませんでした: %s",
	"the planner %s gave no usable answer in %d attempts. Try again, or choose another model": "プランナー%sは%d回試行しても" +
		"使える応答を返しませんでした。もう一度試すか、別のモデルを選んでください",
	"the folder %q is not an absolute path. Enter the whole path, such as /home/me/project": "フォルダー%qは" +
		"絶対パスではありません。/home/me/projectのように、パス全体を入力してください",
	"couldn't use the planner's answer":          "プランナーの応答を使えませんでした",
	"continues after %d completed steps":         "完了済みの%d段階の続きから進みます",
	"  the test command ended with exit code %d": "  テストコマンドの終了コードは%dでした",
	"merged into %s":                             "%sにマージしました",

	"Run a plan": "計画を実行",
	"Run the tasks of a plan file, each in its own git worktree, as soon as the tasks before it are\ncomplete. Tasks that name the same files don't run at the same time. The status of each task\nis written to the plan file. After an interruption, run the plan again to continue.\n\nThe Task YAML names the repo, the test command, the planner and the worker for all tasks.\nThe command asks for confirmation before it starts, unless you use --yes. The exit code is 0 if\nall tasks are complete, otherwise 1.": "計画ファイルのタスクを、先行するタスクがすべて完了したものから、それぞれ専用のgitワークツリーで\n実行します。同じファイルを挙げるタスクは同時に実行しません。タスクの状態は計画ファイルに\n書き込みます。中断した場合は、もう一度実行すると続きから進みます。\n\nTask YAMLには、全タスクに共通のリポジトリー、テストコマンド、プランナー、ワーカーを書きます。\n--yesを付けない限り、開始の前に確認します。終了コードは、すべてのタスクが完了すれば0、\nそうでなければ1です。",
	"--task is missing. Name a Task YAML with the repo, test, planner and worker.":                                 "--taskがありません。リポジトリー、テスト、プランナー、ワーカーを書いたTask YAMLを指定してください。",
	"a plan from standard input can't be run. Name a plan file, because the status of its tasks is written to it.": "標準入力の計画は実行できません。タスクの状態を書き込むため、計画ファイルを指定してください。",
	"Task YAML with the repo, test, planner and worker":                                                            "リポジトリー、テスト、プランナー、ワーカーを書いたTask YAML",
	"max tasks at the same time":                                        "同時に実行するタスクの最大数",
	"stop at this many tokens of the planner and workers (0: no limit)": "プランナーとワーカーのトークンがこの数に達したら停止（0: 制限なし）",
	"start without asking":                                              "確認せずに開始",
	"ask before each phase":                                             "各フェーズの前に確認",
	"ask before each merge":                                             "各マージの前に確認",
	"failed tasks to run again":                                         "再実行する、失敗したタスク",
	"failed tasks that you completed by hand":                           "手作業で完了させた、失敗したタスク",
	"Start the phase %s?":                                               "フェーズ%sを開始しますか？",
	"%s has no Git repository with a commit. Workers change it directly, and that can't be undone.": "" +
		"%sにはコミットのあるGitリポジトリーがありません。" +
		"ワーカーはフォルダーを直接変更し、元に戻すことはできません。",
	"Run this plan in %s?":           "この計画を%sで実行しますか？",
	"%s asks for permission:\n%s":    "%sが許可を求めています:\n%s",
	"%s didn't get permission: %s":   "%sに許可しませんでした: %s",
	"the request can't be shown: %s": "要求を表示できません: %s",
	"a person can't be asked about arguments of %d bytes, since they are too long to be read: at most %d can be shown. Nothing was done. Do it in smaller steps, such as a file in parts, or ask for less": "引数が%dバイトあり、読み切れないため確認できません（表示できるのは%dバイトまで）。何も実行していません。ファイルを分けるなど、小さな手順に分けてください",
	"a person can't be asked about these arguments, since %s. Nothing was done. Write the number as a text, or with fewer digits":                                                                          "引数をそのまま表示できないため確認できません（原因: %s）。何も実行していません。数値は文字列にするか、桁数を減らしてください",
	"Merge %s (%s)?":                 "%s（%s）をマージしますか？",
	"the plan has no failed task %q": "計画に%qという失敗したタスクはありません",
	"no terminal for confirmation. Use --yes to start without asking.":                                                                                   "確認できるターミナルがありません。確認せずに開始するには--yesを指定してください。",
	"no terminal for confirmation. Remove --ask-phases and --ask-merge.":                                                                                 "確認できるターミナルがありません。--ask-phasesと--ask-mergeを外してください。",
	"the budget of %d tokens is used up (%d). To continue, run the plan again with a larger --max-tokens.":                                               "%dトークンの予算を使い切りました（%d）。続けるには、--max-tokensを大きくして、もう一度実行してください。",
	"the budget of %.4f US dollars is used up (%.4f). To continue, run the plan again with a larger --max-usd.":                                          "%.4f米ドルの予算を使い切りました（%.4f）。続けるには、--max-usdを大きくして、もう一度実行してください。",
	"--max-usd needs prices for the model and the worker. Add them under prices in the settings file (the worker as %s/*), or remove --max-usd.":         "--max-usdにはモデルとワーカーの価格が必要です。設定ファイルのpricesに追加するか（ワーカーは%s/*）、--max-usdを外してください。",
	"--max-usd can't be enforced, because %s reported neither tokens nor a cost. Use --try-usd to set the cost of such an attempt, or remove --max-usd.": "%sがトークンも費用も報告しないため、--max-usdを守れません。その試行の費用を--try-usdで指定するか、--max-usdを外してください。",
	"stop at this cost in US dollars; needs prices of models and workers (0: no limit)":                                                                  "費用がこの米ドルに達したら停止。モデルとワーカーの価格が必要です（0: 制限なし）",
	"cost of an attempt whose worker reports neither tokens nor a cost":                                                                                  "ワーカーがトークンも費用も報告しない試行の費用",
	"used %d of %d tokens":                        "%d / %dトークンを使用しました",
	"%d complete, %d failed, %d blocked, %d open": "完了%d件、失敗%d件、ブロック%d件、未着手%d件",

	"Export a plan as Markdown or Mermaid": "計画をMarkdownかMermaidで書き出し",
	"Export a plan as a Markdown checklist of its tasks, or as a Mermaid graph of their dependencies.": "計画を、タスクのMarkdownチェックリストか、依存関係のMermaidグラフとして書き出します。",
	"--to must be %s or %s, not %q": "--toには%sか%sを指定してください。%qは使えません",

	"The work is complete, but not merged: %s": "" +
		"作業は完了しましたが、マージされていません: %s",
	"The tests failed %s, so the task stopped. Last: %s.": "" +
		"テストに%s失敗したため、タスクを停止しました。最後の結果: %s。",
	"The task was returned to the worker as often as max_loops allows (%d) and stopped.": "" +
		"ワーカーへの差し戻しがmax_loopsの上限（%d回）に達したため、" +
		"タスクを停止しました。",
	"The task was returned to the worker as often as max_loops allows (%d) and stopped. Last: %s.": "" +
		"ワーカーへの差し戻しがmax_loopsの上限（%d回）に達したため、" +
		"タスクを停止しました。最後の結果: %s。",
	"the test command ended with exit code %d": "" +
		"テストコマンドの終了コードは%dでした",
	"the test command ended with exit code %d (not executable)": "" +
		"テストコマンドの終了コードは%dでした（実行できません）",
	"the test command ended with exit code %d (not found)": "" +
		"テストコマンドの終了コードは%dでした（コマンドが見つかりません）",
	"the test command took longer than %s and was ended": "" +
		"テストコマンドが%sを超えたため終了しました",
	"there is no folder %s for the test command": "" +
		"テストコマンドのフォルダー%sがありません",
	"not met: %s": "" +
		"満たされていない条件: %s",
	"markdown or mermaid": "" +
		"markdownかmermaid",
}
