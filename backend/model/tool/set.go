package tool

import (
	"context"
	"encoding/json"
	"log/slog"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/safego"
	"agentflow/backend/base/strictjson"
)

// Limits of what a model gets.
const (
	MaxTools       = 128
	MaxResult      = 64 << 10 // bytes of one result: its head and its tail
	maxDescription = 4 << 10
	maxSchema      = 64 << 10
	maxName        = 64 // the models' limit
)

// Options configure a Set.
type Options struct {
	Policies Policies
	Asker    Asker               // nil: tools that need approval are rejected
	Hide     func(string) string // masks secrets in results; may be nil
	Logger   *slog.Logger        // gets the stack of a tool that panics; nil is slog's default
}

// Set is the tools of one agent with its policies. It is safe for concurrent use.
type Set struct {
	o     Options
	tools []member
}

type member struct {
	Tool
	policy Policy
	own    string // the name with its source
}

// NewSet creates a Set. It leaves out denied tools. It adapts names to the models' rules; of two equal names, the
// later one gets its source as a prefix.
func NewSet(o Options, tools ...Tool) *Set {
	s := &Set{o: o}
	for _, t := range tools {
		m := member{Tool: t, own: t.From + "_" + t.Name}
		m.policy = o.Policies.Of(m.own, t.Name)
		m.Name = s.free(t)
		if m.policy == Deny || m.Name == "" || len(s.tools) == MaxTools || len(t.Schema) > maxSchema {
			continue
		}
		m.Description = cutText(t.Description, maxDescription)
		s.tools = append(s.tools, m)
	}
	return s
}

var notInNames = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// free returns a name that no other tool of the set has, or "".
func (s *Set) free(t Tool) string {
	for _, name := range []string{t.Name, t.From + "_" + t.Name} {
		name = strings.Trim(notInNames.ReplaceAllString(name, "_"), "_")
		if name = name[:min(len(name), maxName)]; name != "" && s.find(name) == nil {
			return name
		}
	}
	return ""
}

func (s *Set) find(name string) *member {
	for i := range s.tools {
		if s.tools[i].Name == name {
			return &s.tools[i]
		}
	}
	return nil
}

// Tools returns the tools that the agent can call, with their adapted names.
func (s *Set) Tools() []Tool {
	if s == nil {
		return nil
	}
	out := make([]Tool, len(s.tools))
	for i := range s.tools {
		out[i] = s.tools[i].Tool
	}
	return out
}

// Only returns the subset of tools from the given sources.
func (s *Set) Only(from ...string) *Set {
	out := &Set{o: s.o}
	for i := range s.tools {
		for _, f := range from {
			if s.tools[i].From == f {
				out.tools = append(out.tools, s.tools[i])
			}
		}
	}
	return out
}

// Names lists the names of the tools.
func (s *Set) Names() []string {
	names := []string{}
	for _, t := range s.Tools() {
		names = append(names, t.Name)
	}
	return names
}

// CauseDenied is the cause of a use that a person denied.
const CauseDenied = "denied"

const keySaid = "said" // the person's reply

// Outcome is the result of a Use, as text for the model.
type Outcome struct {
	Text   string
	Failed bool   // Text is the error
	Denied bool   // a person denied it
	Word   string // the person's reply
}

// Use runs a tool for a model; said is what the agent said just before. Every failure is an Outcome for the model,
// including malformed arguments, an unknown tool and a person's rejection. The only error is the cause of ctx.
func (s *Set) Use(ctx context.Context, name, arguments, said string) (Outcome, error) {
	text, err := s.use(ctx, name, arguments, said)
	if ctx.Err() != nil {
		return Outcome{}, context.Cause(ctx)
	}
	if err != nil {
		e := errcode.From(plain(err))
		word, _ := e.Details[keySaid].(string)
		return Outcome{
			Text:   s.clean(e.Message),
			Failed: true,
			Denied: e.Details[errcode.KeyCause] == CauseDenied,
			Word:   s.clean(word),
		}, nil
	}
	if text = s.clean(text); strings.TrimSpace(text) == "" {
		text = "(done; there is nothing to tell)"
	}
	return Outcome{Text: text}, nil
}

// plain keeps the text of an error without a code: it comes from a tool, and the model needs it.
func plain(err error) error {
	if _, ok := err.(*errcode.Error); ok { //nolint:errorlint // a wrapped error has its own text
		return err
	}
	return errcode.New(errcode.Unavailable, "%s", err.Error())
}

func (s *Set) clean(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if s.o.Hide != nil {
		text = s.o.Hide(text)
	}
	return HeadAndTail(text, MaxResult)
}

func (s *Set) use(ctx context.Context, name, arguments, said string) (string, error) {
	m := s.find(name)
	if m == nil {
		return "", errcode.New(errcode.NotFound, "there is no tool %q. There are: %s", cutText(name, maxName),
			strings.Join(s.Names(), ", "))
	}
	args, err := m.read(arguments)
	if err != nil {
		return "", err
	}
	policy := m.policy
	if m.Check != nil {
		stricter, err := m.Check(args)
		if err != nil {
			return "", err
		}
		if stricter == Ask {
			policy = Ask
		}
	}
	if policy == Ask {
		if err := Readable(args); err != nil {
			return "", err
		}
		q := Question{Tool: m.Name, From: m.From, Arguments: args, Said: cutText(said, maxDescription)}
		if m.Effect != nil {
			q.Effect = m.Effect(args)
		}
		if err := s.ask(ctx, q); err != nil {
			return "", err
		}
	}
	return safego.Value(ctx, s.o.Logger, "the tool "+m.Name, func() (string, error) { return m.Call(ctx, args) })
}

func (s *Set) ask(ctx context.Context, q Question) error {
	if s.o.Asker == nil {
		return errcode.New(errcode.Forbidden,
			"the tool %s may be used only when a person allows it, and nobody can be asked", q.Tool)
	}
	v, err := s.o.Asker.Ask(ctx, q)
	switch {
	case err != nil:
		return errcode.Wrap(errcode.Forbidden, err, "the tool %s was not used, since nobody allowed it: %s", q.Tool,
			errcode.From(plain(err)).Message)
	case v.Allow:
		return nil
	case v.Word != "":
		return errcode.New(errcode.Forbidden, "a person denied this and replied: %s", v.Word).
			With(errcode.KeyCause, CauseDenied).With(keySaid, v.Word)
	}
	return errcode.New(errcode.Forbidden, "a person denied this").With(errcode.KeyCause, CauseDenied)
}

// read parses arguments from a model once: what it returns is checked, shown and used.
func (m *member) read(arguments string) (json.RawMessage, error) {
	text := strings.TrimSpace(arguments)
	if text == "" || text == "null" {
		text = `{}`
	}
	args, err := strictjson.Object([]byte(text))
	if err != nil {
		return nil, errcode.New(errcode.Validation, "the arguments are not a JSON object: %s. They were: %s",
			err.Error(), cutText(text, 500))
	}
	if m.Read == nil {
		return args, nil
	}
	return m.Read(args)
}

// MaxShown limits the arguments that a person is asked about, in bytes.
const MaxShown = 64 << 10

// Readable returns why a person can't be shown the arguments, and what to do instead.
func Readable(args json.RawMessage) error {
	if len(args) > MaxShown {
		return errcode.New(errcode.Validation, "a person can't be asked about arguments of %d bytes, since they are too long to be read: at most %d can be shown. Nothing was done. "+
			"Do it in smaller steps, such as a file in parts, or ask for less", len(args), MaxShown)
	}
	if err := strictjson.Numbers(args); err != nil {
		return errcode.New(
			errcode.Validation,
			"a person can't be asked about these arguments, since %s. Nothing was done. Write the number as a text, or with fewer digits",
			err.Error(),
		)
	}
	return nil
}

// Decode parses arguments into a struct. Unknown fields are errors, so that a model learns of its mistake.
func Decode(arguments json.RawMessage, into any) error {
	if err := strictjson.Decode(arguments, into); err != nil {
		return errcode.New(errcode.Validation, "the arguments do not fit: %s", err.Error())
	}
	return nil
}

// Typed sets a tool's Read and Call from a function that takes the arguments as a struct.
func Typed[A any](t Tool, do func(ctx context.Context, a A) (string, error)) Tool {
	t.Read = func(arguments json.RawMessage) (json.RawMessage, error) {
		var a A
		if err := Decode(arguments, &a); err != nil {
			return nil, err
		}
		return strictjson.Encode(a)
	}
	t.Call = func(ctx context.Context, arguments json.RawMessage) (string, error) {
		var a A
		if err := Decode(arguments, &a); err != nil {
			return "", err
		}
		return do(ctx, a)
	}
	return t
}

// HeadAndTail shortens a text of more than limit bytes to its beginning and end, and states how much is missing.
func HeadAndTail(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	head, tail := limit/2, len(text)-limit/2
	for head > 0 && !utf8.RuneStart(text[head]) {
		head--
	}
	for tail < len(text) && !utf8.RuneStart(text[tail]) {
		tail++
	}
	return text[:head] + "\n[… " + strconv.Itoa(tail-head) + " bytes left out …]\n" + text[tail:]
}

func cutText(text string, limit int) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit] + "…"
}
