package llm

import (
	"context"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/proc"
)

// commandLine is the `llm` command, or one that takes the same arguments. The question
// goes to its standard input, because arguments can be read by everybody.
type commandLine struct {
	name, command string
	wait          Waits
}

const defaultCommand = "llm"

// environment is what the command may know: everything but what is AgentFlow's own.
func environment() []string {
	return slices.DeleteFunc(os.Environ(), func(kv string) bool { return strings.HasPrefix(kv, "AGENTFLOW_") })
}

// Stream implements Provider.
func (c *commandLine) Stream(ctx context.Context, r Request, onDelta func(string) error) (Answer, error) {
	if len(r.Tools) > 0 {
		return Answer{}, refuse(errcode.Validation, ReasonNoTools, "the provider %s is a command, which cannot be given tools. Take another provider, or take the agent's tools away", c.name)
	}
	args := []string{"-m", string(r.Model), "-n"}
	if r.Temperature != nil {
		args = append(args, "-o", "temperature", strconv.FormatFloat(*r.Temperature, 'f', -1, 64))
	}
	if r.MaxTokens > 0 {
		args = append(args, "-o", "max_tokens", strconv.Itoa(r.MaxTokens))
	}
	args = append(args, commandOptions(r.Options)...)
	watched, idle := c.wait.withIdleTimer(ctx)
	defer idle.stop()
	var text strings.Builder
	var pending []byte // the beginning of a character, or line ends that may be the last ones
	say := func(chunk []byte) error {
		idle.touch()
		pending = append(pending, chunk...)
		whole := wholeText(pending)
		if whole == 0 {
			return nil
		}
		piece := strings.ToValidUTF8(string(pending[:whole]), "\uFFFD")
		pending = append([]byte(nil), pending[whole:]...)
		if text.WriteString(piece); text.Len() > MaxAnswer {
			return errTooLong
		}
		if err := onDelta(piece); err != nil {
			return &callbackError{err}
		}
		return nil
	}
	res, err := proc.Run(watched,
		proc.Command{Path: c.command, Args: args, Env: environment(), Stdin: question(r), Output: say})
	a := Answer{Text: text.String(), Finish: FinishStop}
	if mine, ok := err.(*callbackError); ok { //nolint:errorlint // it is returned as it is
		return a, mine.err
	}
	return a, c.verdict(watched, res, err, a, r.Model)
}

// wholeText returns how many bytes can be handed on: without the rest of a character
// that is still to come, and without line ends, which the command adds at its end.
func wholeText(b []byte) int {
	n := len(b)
	for i := 1; i <= min(utf8.UTFMax, n); i++ {
		if utf8.RuneStart(b[n-i]) {
			if !utf8.FullRune(b[n-i:]) {
				n -= i
			}
			break
		}
	}
	return len(strings.TrimRight(string(b[:n]), "\r\n"))
}

func (c *commandLine) verdict(ctx context.Context, res proc.Result, err error, a Answer, model Model) error {
	switch {
	case ctx.Err() != nil && err != nil:
		if err == errTooLong { //nolint:errorlint // ours, as it is
			break
		}
		return cut(ctx)
	case err == nil && res.Code == 0 && strings.TrimSpace(a.Text) != "":
		return nil
	case err == nil && res.Code == 0:
		err = errNoText
	}
	if err != nil {
		if _, missing := exec.LookPath(c.command); missing != nil {
			return notInstalled(c.name, c.command)
		}
		return refuse(errcode.Unavailable, ReasonNoAnswer, "the provider %s failed: %s", c.name, err.Error())
	}
	said := lastWords(res.Said)
	switch {
	case strings.Contains(said, "Unknown model"):
		return refuse(errcode.NotFound, ReasonNoModel, "the provider %s has no model %q: %s", c.name, model, said)
	case strings.Contains(said, "No key found"), strings.Contains(said, "API key"), strings.Contains(said, "api_key"):
		return refuse(errcode.Unauthorized, ReasonNoKey,
			"the provider %s has no key for %s: %s. Set one with: %s keys set NAME", c.name, model, said, c.command)
	}
	return refuse(errcode.Unavailable, ReasonFailed, "the provider %s ended with %d: %s", c.name, res.Code, said)
}

func notInstalled(name, command string) *errcode.Error {
	return refuse(errcode.Unavailable, ReasonNotInstalled,
		"the provider %s cannot be used: the command %s was not found. Install it, or name its path", name, command)
}

var colors = regexp.MustCompile(`\x1b\[[0-9;]*[A-Za-z]`)

// lastWords is what a program said when it failed, fit to be shown.
func lastWords(said string) string {
	lines := strings.Split(strings.TrimSpace(colors.ReplaceAllString(said, "")), "\n")
	return shown(strings.TrimPrefix(strings.TrimSpace(lines[len(lines)-1]), "Error: "))
}

// question writes the conversation as one text, since the command takes no more.
func question(r Request) string {
	if r.System == "" && len(r.Messages) == 1 {
		return r.Messages[0].Text
	}
	var b strings.Builder
	if r.System != "" {
		b.WriteString(r.System + "\n\n")
	}
	for _, m := range r.Messages {
		if len(r.Messages) > 1 {
			b.WriteString("[" + m.Role + "]\n")
		}
		b.WriteString(m.Text + "\n\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// listed is a line of `llm models list`: "OpenAI Chat: gpt-4o (aliases: 4o)".
var listed = regexp.MustCompile(`^[^:]+: (\S+)`)

// Models implements Provider.
func (c *commandLine) Models(ctx context.Context) ([]string, error) {
	var out strings.Builder
	res, err := proc.Run(ctx, proc.Command{Path: c.command, Args: []string{"models", "list"}, Env: environment(), Output: func(p []byte) error {
		if out.Write(p); out.Len() > MaxAnswer {
			return errTooLong
		}
		return nil
	}})
	if err != nil || res.Code != 0 {
		return nil, c.verdict(ctx, res, err, Answer{}, "")
	}
	var names []string
	for line := range strings.Lines(out.String()) {
		if m := listed.FindStringSubmatch(line); m != nil && !strings.HasPrefix(line, "Default:") {
			names = append(names, m[1])
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}
