package inbox

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/strictjson"
)

// Ground is the context of a question: the team and the setup of its agent. A standing permission is valid only on
// the same ground.
type Ground struct {
	Team        string `json:"team,omitempty" doc:"Team of the agent: gateway:NAME, room:ID or plan:ID."`
	Workspace   string `json:"workspace,omitempty" doc:"Folder that the agent works in."`
	Fingerprint string `json:"fingerprint,omitempty" doc:"Digest of the agent's persona, model, tools and workspace."`
	Caller      string `json:"caller,omitempty" doc:"ID of the API token that submitted the task. Absent: the owner."`
	CallerName  string `json:"callerName,omitempty"`
}

// FingerprintOf returns a digest of an agent's setup.
func FingerprintOf(setup any) string {
	data, err := json.Marshal(setup)
	if err != nil {
		return "" // without a fingerprint the ground is unknown
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// known reports whether the ground is known.
func (g Ground) known() bool { return g.Team != "" && g.Fingerprint != "" }

// Until says when a standing permission ends.
type Until string

// When a standing permission ends.
const (
	UntilTask    Until = "task"    // with its task
	UntilToday   Until = "today"   // with the current day, by the hub's clock
	UntilRevoked Until = "revoked" // when the person revokes it
)

// Standing is the extent of a standing permission that a person gives.
type Standing struct {
	Until  Until  `json:"until" enum:"task,today,revoked" doc:"When the permission ends."`
	Starts string `json:"starts,omitempty" maxLength:"1000" doc:"Allow every command that starts with these words, one of offer.starts. Default: only this command."`
	Caller bool   `json:"caller,omitempty" doc:"Required for a task of an API token. The permission counts for tasks of this token only. Default: false."`
}

// StandingOffer is what a question allows as a standing permission.
type StandingOffer struct {
	Until  []Until  `json:"until" nullable:"false" doc:"Possible ends."`
	Exact  bool     `json:"exact,omitempty" doc:"Only these arguments, or those that start as one of starts, can be allowed."`
	Starts []string `json:"starts,omitempty" doc:"Beginnings of the command that can be allowed."`
}

// Rule is a standing permission: an agent can use a tool without asking.
type Rule struct {
	ID    string `json:"id"`
	Agent string `json:"agent"`
	Tool  string `json:"tool"`
	From  string `json:"from,omitempty" doc:"Server that offers the tool."`
	Ground
	Kind    string    `json:"kind,omitempty" doc:"Kind of request of a coding CLI: read, edit and so on."`
	Exact   string    `json:"exact,omitempty" doc:"Digest of the only arguments that are allowed."`
	Starts  string    `json:"starts,omitempty" doc:"Words that an allowed command starts with."`
	Command string    `json:"command,omitempty" doc:"The only command that is allowed."`
	Until   Until     `json:"until" enum:"task,today,revoked" doc:"When it ends: with the task, at the end of the day, or when it's revoked."`
	Task    string    `json:"task,omitempty" doc:"Task that it ends with."`
	Ends    time.Time `json:"ends,omitzero" doc:"Time when it ends. Absent: not limited."`
	Since   time.Time `json:"since" doc:"Time when it was given."`
	Uses    int       `json:"uses" doc:"Number of questions that it answered."`
	UsedAt  time.Time `json:"usedAt,omitzero" doc:"Time of the last use."`
}

// over reports whether a rule has expired by time.
func (r *Rule) over(now time.Time) bool { return !r.Ends.IsZero() && !now.Before(r.Ends) }

// outdated reports whether a rule is for an earlier setup of the question's agent.
func (r *Rule) outdated(e *Entry) bool {
	return r.Agent == e.Agent && r.Team == e.Team && e.known() && r.Fingerprint != e.Fingerprint
}

// holds reports whether a rule answers a question.
func (r *Rule) holds(e *Entry, now time.Time) bool {
	same := r.Agent == e.Agent && r.Tool == e.Tool && r.From == e.From && r.Team == e.Team &&
		r.Workspace == e.Workspace && r.Fingerprint == e.Fingerprint && r.Caller == e.Caller
	if !same || !e.known() || r.over(now) || r.Until == UntilTask && r.Task != e.Task {
		return false
	}
	is := readArguments(&e.Question)
	switch {
	case r.Exact != "":
		return r.Exact == is.digest
	case r.Starts != "":
		return slices.Contains(is.starts(), r.Starts)
	}
	return !is.exact && r.Kind == is.kind
}

// arguments are the parts of a question's arguments that matter for standing permissions.
type arguments struct {
	command string // that is run
	alone   bool   // there are no other arguments
	exact   bool   // they run something, so the tool alone isn't specific enough
	kind    string // type of approval that a coding CLI asks for
	digest  string // of all that matters
}

// workerTool is the tool in questions of a coding CLI that runs a plan task.
const workerTool = "worker tool"

// runs are names of arguments that are run as programs.
var runs = []string{"command", "cmd", "commands", "script", "code", "args", "argv"}

func readArguments(q *Question) arguments {
	var all map[string]any
	if len(q.Arguments) > 0 && json.Unmarshal(q.Arguments, &all) != nil {
		return arguments{exact: true}
	}
	counts := map[string]any{}
	for name, value := range all {
		if q.Tool != workerTool || q.From != "" || name != "task" { // the next plan task asks for the same approval
			counts[name] = value
		}
	}
	data, err := strictjson.Encode(counts)
	if err != nil {
		return arguments{exact: true}
	}
	sum := sha256.Sum256(data)
	out := arguments{digest: hex.EncodeToString(sum[:])}
	within := all
	if q.Tool == workerTool && q.From == "" {
		out.kind, _ = all["does"].(string)
		out.exact = !slices.Contains([]string{"read", "edit", "search", "think"}, out.kind)
		within, _ = all["input"].(map[string]any)
		out.exact = out.exact || within == nil && all["input"] != nil
	}
	for name := range within {
		out.exact = out.exact || slices.Contains(runs, strings.ToLower(name))
	}
	if command, is := all["command"].(string); is {
		_, limited := all["timeoutSec"]
		out.command, out.alone = command, len(all) == 1 ||
			len(all) == 2 && limited // in another folder it is another command
	}
	return out
}

var (
	// plainCommand matches a command line in which a shell only runs one program.
	plainCommand = regexp.MustCompile(`^[A-Za-z0-9_./:@%+,-]+( [A-Za-z0-9_./:@%+,=-]+)*$`)
	// starters matches programs that run what their arguments say.
	starters = regexp.MustCompile(
		`^(.*/)?((ba|da|z|k|fi|c|tc)?sh|env|sudo|su|doas|xargs|find|eval|exec|source|\.|nohup|time|timeout|nice|watch|busybox|ssh|npx|bunx|uvx|pnpx|python[0-9.]*|node|deno|bun|perl|ruby|php|lua|awk|gawk|sed|make|docker|podman|kubectl|systemd-run|script|parallel|strace|gdb|vi|vim|nvim|emacs|less|tar|rsync|curl|wget|nc|ncat|socat)$`,
	)
)

// maxStarts is the maximum number of words in a command's fixed beginning.
const maxStarts = 3

// starts returns the beginnings of the command that can be allowed: one program with at least one of its arguments,
// in a command line without shell syntax.
func (a arguments) starts() []string {
	words := strings.Fields(a.command)
	if !a.alone || !plainCommand.MatchString(a.command) || starters.MatchString(words[0]) {
		return nil
	}
	var out []string
	for n := 2; n <= min(len(words), maxStarts); n++ {
		if strings.HasPrefix(words[n-1], "-") { // an option may name another program
			break
		}
		out = append(out, strings.Join(words[:n], " "))
	}
	return out
}

// offer returns what can be allowed from now on, or nil.
func offer(e *Entry) *StandingOffer {
	if e.Tool == "" || !e.known() {
		return nil
	}
	is := readArguments(&e.Question)
	if is.exact && is.digest == "" {
		return nil
	}
	out := &StandingOffer{Until: []Until{UntilToday, UntilRevoked}, Exact: is.exact, Starts: is.starts()}
	if e.Task != "" {
		out.Until = append([]Until{UntilTask}, out.Until...)
	}
	return out
}

// rule returns the standing permission for an answer.
func (s Standing) rule(e *Entry, now time.Time) (*Rule, error) {
	bad := func(field, format string, a ...any) (*Rule, error) {
		return nil, errcode.New(errcode.Validation, format, a...).With(errcode.KeyField, field)
	}
	can := e.Offer
	switch {
	case e.Tool == "":
		return bad("choice", "only a tool can be allowed from now on")
	case can == nil:
		return bad("choice",
			"AgentFlow doesn't know how %s is set up, so nothing can be allowed from now on. Allow it once instead",
			e.Agent)
	case !slices.Contains(can.Until, s.Until):
		return bad("standing.until", "the permission must end with one of %v, not with %q", can.Until, s.Until)
	case s.Starts != "" && !slices.Contains(can.Starts, s.Starts):
		return bad("standing.starts",
			"commands that start with %q can't be allowed from now on. Choose one of %q, or exactly this command",
			s.Starts, can.Starts)
	case e.Caller != "" && !s.Caller:
		return bad("standing.caller",
			"the task is from the API token %s. Allow it once, or for all tasks of this token", e.CallerName)
	}
	is := readArguments(&e.Question)
	r := &Rule{
		ID:     ulid.Make().String(),
		Agent:  e.Agent,
		Tool:   e.Tool,
		From:   e.From,
		Ground: e.Ground,
		Kind:   is.kind,
		Starts: s.Starts,
		Until:  s.Until,
		Since:  now,
	}
	if is.exact && s.Starts == "" {
		r.Exact, r.Command = is.digest, is.command
	}
	switch s.Until {
	case UntilTask:
		r.Task = e.Task
	case UntilToday:
		y, m, d := now.Local().Date()
		r.Ends = time.Date(y, m, d+1, 0, 0, 0, 0, time.Local).UTC()
	}
	return r, nil
}

// narrowest returns the default standing permission: it ends as early as possible.
func narrowest(e *Entry) Standing {
	if e.Offer == nil {
		return Standing{}
	}
	return Standing{Until: e.Offer.Until[0]}
}

// Rules lists all standing permissions, oldest first.
func (m *Machine) Rules() []Rule {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]Rule{}, m.rules...)
}

// DropRule revokes a standing permission, or returns NOT_FOUND.
func (m *Machine) DropRule(ctx context.Context, id string) error {
	n, err := m.dropRules(ctx, func(r *Rule) bool { return r.ID == id })
	if err == nil && n == 0 {
		return errcode.New(errcode.NotFound, "there is no standing permission %s", id)
	}
	return err
}

// DropAgent revokes the standing permissions of an agent of the applied team after its trust has changed.
func (m *Machine) DropAgent(ctx context.Context, agent string) error {
	_, err := m.dropRules(ctx, func(r *Rule) bool { return r.Agent == agent })
	return err
}

// dropRules revokes the chosen permissions and returns their number.
func (m *Machine) dropRules(ctx context.Context, chosen func(r *Rule) bool) (int, error) {
	var ids []string
	m.mu.Lock()
	for i := range m.rules {
		if chosen(&m.rules[i]) {
			ids = append(ids, m.rules[i].ID)
		}
	}
	m.mu.Unlock()
	if len(ids) == 0 {
		return 0, nil
	}
	if err := m.o.Store.DropRules(ctx, ids); err != nil {
		return 0, err
	}
	m.mu.Lock()
	m.rules = slices.DeleteFunc(m.rules, func(r Rule) bool { return slices.Contains(ids, r.ID) })
	m.mu.Unlock()
	m.changes.Publish(struct{}{})
	return len(ids), nil
}

// ruled answers an entry with a matching rule, and returns the rule to save.
func (m *Machine) ruled(ctx context.Context, e *Entry) (*Rule, error) {
	now := e.AskedAt
	if _, err := m.dropRules(ctx, func(r *Rule) bool { return r.over(now) || r.outdated(e) }); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range m.rules {
		if r := &m.rules[i]; e.Tool != "" && r.holds(e, now) {
			r.Uses++
			r.UsedAt = now
			e.State, e.Choice, e.ByRule, e.EndedAt = Answered, Always, true, now
			used := *r
			return &used, nil
		}
	}
	return nil, nil
}
