// Package shell is what all commands share: how they are called and fail, how they read
// and write teams, and how they show changes.
package shell

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"agentflow/backend/base/i18n"
	"agentflow/backend/cli/internal/term"
)

// Shell is one call of the program.
type Shell struct {
	Screen  *term.Screen
	DataDir string // the flag
	Started bool   // cobra has understood the command line
}

// DataFlag gives a command the flag for the data folder.
func (s *Shell) DataFlag(cmd *cobra.Command) {
	cmd.PersistentFlags().StringVar(&s.DataDir, "data", "", "data folder (default: AGENTFLOW_DATA, or your user data folder)")
}

// Run makes a command's function one that Main can tell from cobra's own failures.
func (s *Shell) Run(do func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		s.Started = true
		return do(cmd, args)
	}
}

// Args makes a wrong number of arguments a usage error that names the help.
func Args(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, given []string) error {
		if err := check(cmd, given); err != nil {
			return Usage(cmd, "%s", err)
		}
		return nil
	}
}

// Usage is a command line that cannot be meant.
func Usage(cmd *cobra.Command, format string, a ...any) error {
	return &term.UsageError{Err: fmt.Errorf(format, a...), Hint: fmt.Sprintf("Usage: %s", cmd.UseLine())}
}

// Group is a command that only holds others.
func (s *Shell) Group(use, short, example string, commands ...*cobra.Command) *cobra.Command {
	g := &cobra.Command{Use: use, Short: short, Example: example, Args: cobra.ArbitraryArgs}
	g.RunE = s.Run(func(cmd *cobra.Command, given []string) error {
		if len(given) > 0 {
			return &term.UsageError{
				Err:  UnknownCommand(cmd, given[0]),
				Hint: fmt.Sprintf("See %q.", cmd.CommandPath()+" --help"),
			}
		}
		return &term.UsageError{Err: fmt.Errorf("%q needs a command", cmd.CommandPath()), Hint: cmd.UsageString()}
	})
	g.AddCommand(commands...)
	return g
}

// FlagError is a flag that can't be read. After a misspelled command of a group, the command is what is wrong.
func FlagError(cmd *cobra.Command, err error) error {
	if given := cmd.Flags().Args(); cmd.HasParent() && cmd.HasSubCommands() && len(given) > 0 {
		err = UnknownCommand(cmd, given[0])
	}
	return &term.UsageError{Err: err, Hint: fmt.Sprintf("See %q.", cmd.CommandPath()+" --help")}
}

// UnknownCommand is the error for a name that no command has, with those that are nearly called so.
func UnknownCommand(cmd *cobra.Command, name string) error {
	cmd.SuggestionsMinimumDistance = 2
	if near := cmd.SuggestionsFor(name); len(near) > 0 {
		return fmt.Errorf("unknown command %q for %q. Did you mean %s?", name, cmd.CommandPath(), strings.Join(near, ", "))
	}
	return fmt.Errorf("unknown command %q for %q", name, cmd.CommandPath())
}

// OutFlag gives a command -o.
func OutFlag(cmd *cobra.Command, to *string, usage string) {
	cmd.Flags().StringVarP(to, "out", "o", "", usage)
}

// OneStdin refuses standard input for more than one file.
func OneStdin(cmd *cobra.Command, files []string) error {
	n := 0
	for _, f := range files {
		if f == Stdin {
			n++
		}
	}
	if n > 1 {
		return Usage(cmd, "only one file can be standard input (-)")
	}
	return nil
}

// Plural counts a thing in words.
func Plural(n int, noun string) i18n.Text {
	if n == 1 {
		return i18n.T("1 " + noun)
	}
	return i18n.T("%d "+noun+"s", n)
}
