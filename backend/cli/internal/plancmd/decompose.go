package plancmd

import (
	"context"
	"encoding/json"

	"github.com/spf13/cobra"

	"agentflow/backend/base/config"
	"agentflow/backend/base/errcode"
	"agentflow/backend/cli/internal/metaagent"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/plan"
	"agentflow/backend/plan/codecli"
	"agentflow/backend/plan/meta"
)

type request struct {
	plan, text, history, model, kind, out string
	apply, prompt                         bool
}

func (p program) decomposeCommand() *cobra.Command {
	var in request
	cmd := &cobra.Command{
		Use:   "decompose --plan FILE --goal TEXT",
		Short: "Break a goal down into tasks",
		Args:  shell.Args(cobra.NoArgs),
		Long: `Let the planner break a goal down into tasks that are added to the plan, and print its proposal.
The plan doesn't change unless you add --apply. Then the new plan is written to standard output,
or to the -o file.`,
		Example: "  agentflow plan decompose --plan plan.json --goal \"A login page\"\n  agentflow plan decompose --plan plan.json --goal \"A login page\" --apply -o plan.json\n  agentflow plan decompose --plan plan.json --goal - --show-prompt < goal.txt",
		RunE: p.Run(func(cmd *cobra.Command, _ []string) error {
			if in.plan == "" || in.text == "" {
				return shell.Usage(cmd, "--plan and --goal are required")
			}
			if in.out != "" && !in.apply {
				return shell.Usage(cmd, "-o needs --apply")
			}
			if err := shell.OneStdin(cmd, []string{in.plan, in.text, in.history}); err != nil {
				return err
			}
			return p.ask(cmd.Context(), in, meta.Decompose)
		}),
	}
	p.requestFlags(cmd, &in)
	shell.OutFlag(cmd, &in.out, "file to write with --apply (default: standard output)")
	return cmd
}

// requestFlags adds the flags of commands that ask the planner.
func (p program) requestFlags(cmd *cobra.Command, in *request) {
	flags := cmd.Flags()
	flags.StringVar(&in.plan, "plan", "", "plan file to read")
	flags.StringVar(&in.text, "goal", "", "goal; - reads it from standard input")
	flags.StringVar(&in.text, "wish", "", "goal; - reads it from standard input")
	_ = flags.MarkHidden("wish") // the flag exists; scripts of earlier versions use it
	flags.StringVar(&in.history, "history", "", "file with the earlier conversation, a JSON list of {role, content}")
	flags.StringVar(&in.model, "model", "",
		"model of the planner (default: "+meta.EnvModel+", or the first model of the default provider)")
	flags.StringVar(&in.kind, "meta", metaagent.Chat, "planner: "+metaagent.Chat+" or "+metaagent.Codex)
	flags.BoolVar(&in.apply, "apply", false, "apply the proposal to the plan")
	flags.BoolVar(&in.prompt, "show-prompt", false, "print the prompt without sending it")
	p.DataFlag(cmd)
}

// ask asks the planner by the protocol, and prints or applies what it proposes.
func (p program) ask(ctx context.Context, in request, by meta.Protocol) error {
	w, err := p.request(in)
	if err != nil {
		return err
	}
	if in.prompt {
		return p.showPrompt(w, by)
	}
	dir, err := config.DataDir(p.DataDir)
	if err != nil {
		return err
	}
	client, err := metaagent.Open(ctx, p.Shell, dir,
		metaagent.Asked{Kind: in.kind, Model: in.model, Worker: codecli.Worker{Kind: codecli.Codex}})
	if err != nil {
		return err
	}
	proposal, patch, err := put(ctx, client, w, by)
	if err != nil {
		return err
	}
	if in.apply {
		applied, err := w.Plan.Apply(patch, newID)
		if err != nil {
			return err
		}
		return p.write(in.out, applied)
	}
	if p.Screen.JSON {
		return p.Screen.Object(proposal)
	}
	text, err := json.MarshalIndent(proposal, "", "  ")
	if err != nil {
		return errcode.Wrap(errcode.Internal, err, "couldn't print the proposal")
	}
	p.Screen.Print("%s\n", text)
	return nil
}

// put returns the answer as it came, and as a patch.
func put(ctx context.Context, c *meta.Client, w meta.Request, by meta.Protocol) (any, *plan.Patch, error) {
	if by == meta.PlanPatch {
		patch, err := c.Patch(ctx, w)
		return patch, patch, err
	}
	answer, err := c.Decompose(ctx, w)
	return answer, answer.Patch(), err
}

func (p program) request(in request) (meta.Request, error) {
	current, err := p.read(in.plan)
	if err != nil {
		return meta.Request{}, err
	}
	w := meta.Request{Text: in.text, Plan: current}
	if in.text == shell.Stdin {
		data, err := p.ReadBytes(shell.Stdin)
		if err != nil {
			return w, err
		}
		w.Text = string(data)
	}
	if in.history == "" {
		return w, nil
	}
	data, err := p.ReadBytes(in.history)
	if err != nil {
		return w, err
	}
	if err := json.Unmarshal(data, &w.Conversation); err != nil {
		return w, errcode.New(errcode.Validation, "the history must be a JSON list of {role, content}").
			With(errcode.KeyFile, shell.Name(in.history))
	}
	return w, nil
}

// showPrompt prints what would be sent, trimmed.
func (p program) showPrompt(w meta.Request, by meta.Protocol) error {
	prompt, err := meta.Prompt(by, w)
	if err != nil {
		return err
	}
	p.Screen.Print("%s\n%s\n", meta.SystemPrompt, prompt)
	return p.Screen.Object(map[string]string{"system": meta.SystemPrompt, "prompt": prompt})
}
