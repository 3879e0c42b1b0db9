package trust

import (
	"encoding/json"
	"net/url"
	"path"
	"slices"
	"strings"
)

// Kind is what sort of thing an agent asks for.
type Kind string

// The kinds.
const (
	Runs    Kind = "runs"    // a command on this computer
	Reaches Kind = "reaches" // an MCP server elsewhere
	Sends   Kind = "sends"   // tasks, and a secret if it names one, to another address
	LetsIn  Kind = "lets_in" // anyone with the secret passes as the agent
	Writes  Kind = "writes"  // files in a folder, by its tools
	Unasked Kind = "unasked" // tools that act without a question
	Bounds  Kind = "bounds"  // what its process refuses or asks about
)

// Ask is one thing that an agent asks for, whole.
type Ask struct {
	Kind        Kind      `json:"kind" enum:"runs,reaches,sends,lets_in,writes,unasked,bounds" doc:"Kind of request: runs commands, reaches or sends to a URL, lets others in, writes files, uses tools unasked, or sets bounds."`
	Server      string    `json:"server,omitempty" doc:"Name of the MCP server."`
	Command     []string  `json:"command,omitempty" doc:"Program and arguments."`
	Variables   []string  `json:"variables,omitempty" doc:"Names of environment variables that are passed on or sent."`
	URL         string    `json:"url,omitempty"`
	Origin      string    `json:"origin,omitempty" doc:"Scheme, host and port of url."`
	Fingerprint string    `json:"fingerprint,omitempty" doc:"Fingerprint of the certificate that is trusted at url."`
	Folders     []string  `json:"folders,omitempty"`
	Tools       []string  `json:"tools,omitempty" doc:"Tools. Empty: all."`
	Policy      *Policy   `json:"policy,omitempty"`
	Security    *Security `json:"security,omitempty"`
}

// Asks lists each thing that is asked for. Together they hold everything that the hash covers.
func (r Request) Asks() []Ask {
	out := []Ask{}
	for _, s := range r.Servers {
		if s.URL == "" {
			out = append(
				out,
				Ask{
					Kind:      Runs,
					Server:    s.Name,
					Command:   s.Command,
					Variables: variables(append([]string{s.TokenEnv}, s.Env...)...),
				},
			)
		} else {
			out = append(
				out,
				Ask{
					Kind:      Reaches,
					Server:    s.Name,
					Command:   s.Command,
					URL:       s.URL,
					Origin:    Origin(s.URL),
					Variables: variables(append([]string{s.TokenEnv}, s.Env...)...),
				},
			)
		}
	}
	if r.URL != "" {
		out = append(
			out,
			Ask{
				Kind:        Sends,
				URL:         r.URL,
				Origin:      Origin(r.URL),
				Fingerprint: r.Fingerprint,
				Variables:   variables(r.SecretEnv),
			},
		)
	} else if r.SecretEnv != "" {
		out = append(out, Ask{Kind: LetsIn, Variables: variables(r.SecretEnv), Fingerprint: r.Fingerprint})
	}
	if r.Workspace != "" {
		out = append(out, Ask{Kind: Writes, Folders: []string{r.Workspace}, Tools: r.Tools})
	}
	if more := r.moreFolders(); len(more) > 0 {
		out = append(out, Ask{Kind: Writes, Folders: more})
	}
	bounds := Ask{Kind: Bounds}
	if r.Unasked() {
		out = append(out, Ask{Kind: Unasked, Tools: r.Policy.unasked(), Policy: r.Policy})
	} else {
		bounds.Policy = r.Policy
	}
	if s := r.Security; s != nil && len(s.BlockedCommands)+len(s.AskConfirmationCommands)+len(s.AllowedAddresses) > 0 {
		limits := *s
		limits.AllowedPaths = nil
		bounds.Security = &limits
	}
	if bounds.Policy != nil || bounds.Security != nil {
		out = append(out, bounds)
	}
	return out
}

// moreFolders lists the allowed folders besides the workspace, each once.
func (r Request) moreFolders() []string {
	if r.Security == nil {
		return nil
	}
	seen := map[string]bool{}
	if r.Workspace != "" {
		seen[path.Clean(r.Workspace)] = true
	}
	var out []string
	for _, folder := range r.Security.AllowedPaths {
		if at := path.Clean(folder); !seen[at] {
			seen[at] = true
			out = append(out, folder)
		}
	}
	return out
}

// Word is a text of a team as a person reads it: quoted as JSON has it, if it is empty or has a blank, a
// comma or a quotation mark. <, > and & stay: a command is read as it runs. Backticks are escaped, since sentences put
// them around such texts.
func Word(text string) string {
	if text != "" && !strings.ContainsAny(text, " ,`\"\n\t") {
		return text
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(text) // a text can always be written
	return strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "`", `\u0060`)
}

// Words joins a list so that nobody takes one thing for two.
func Words(list []string) string { return joined(list, " ") }

// Names is Words for names inside a sentence.
func Names(list []string) string { return joined(list, ", ") }

func joined(list []string, by string) string {
	out := make([]string, len(list))
	for i, w := range list {
		out[i] = Word(w)
	}
	return strings.Join(out, by)
}

func variables(names ...string) []string {
	return slices.DeleteFunc(names, func(n string) bool { return n == "" })
}

// unasked lists the tools that act without a question; none if all do by default.
func (p *Policy) unasked() []string {
	if p.Default == auto {
		return nil
	}
	var out []string
	for name, is := range p.Tools {
		if is == auto {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// Origin is scheme, host and port of an address; of one that can't be read, all of it.
func Origin(address string) string {
	u, err := url.Parse(strings.TrimPrefix(address, "a2a+"))
	if err != nil || u.Host == "" {
		return address
	}
	return u.Scheme + "://" + u.Host
}
