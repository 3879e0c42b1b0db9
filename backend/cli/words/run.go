package words

// runWords are those of agentflow run, plan run, and of the meta-agent they ask.
var runWords = map[string]string{
	"Work one Task YAML to its end": "Task YAMLを1つ最後まで実行",
	"Work one Task YAML to its end: the meta-agent plans, coding CLIs work in a git worktree of\ntheir own, tests are run, and what is complete is merged into the branch that is checked out.\n\nA task that was interrupted goes on where it was when it is run again. What happens goes to\nstandard output (JSON Lines with --json), and into the note .agent-runner/task-ID.md in the\nrepo. The exit code is 0 on COMPLETE, 1 on FAILED, 5 if it is complete and cannot be merged.": "Task YAMLを1つ最後まで実行します。メタエージェントが計画し、コーディングCLIが専用の\ngitワークツリーで作業し、テストを実行して、完了したものを今のブランチにマージします。\n\n中断したタスクは、もう一度実行すると続きから進みます。経過は標準出力（--jsonでは\nJSON Lines）と、リポジトリ内のメモ.agent-runner/task-ID.mdに書き込みます。終了コードは\nCOMPLETEなら0、FAILEDなら1、完了したがマージできなければ5です。",
	"leave the work on its branch":                         "成果をブランチに残し、マージしない",
	"who is asked: %s or %s":                               "依頼する相手: %sか%s",
	"the meta-agent gave no answer within 15 minutes":      "メタエージェントが15分以内に応答しませんでした",
	"the meta-agent is %s or %s, not %q":                   "メタエージェントは%sか%sです。%qは使えません",
	"what an earlier run left running cannot be ended: %s": "以前の実行が残したプロセスを終了できません: %s",
	"the meta-agent's answer was not taken":                "メタエージェントの応答を採用しませんでした",
	"goes on after %d steps that are done":                 "完了済みの%d段階の続きから進みます",
	"  the test command ended with exit code %d":           "  テストコマンドの終了コードは%dでした",
	"merged into %s":                                       "%sにマージしました",
}
