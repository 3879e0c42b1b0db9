package lint

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"agentflow/backend/team/topology"
)

// pair is two agents in the order of the team.
type pair [2]topology.AgentID

// messageRule is what an OpenClaw config says about messages between agents: one list for all of them.
type messageRule struct {
	enabled    bool
	visibility string // of sessions; "": the gateway's default isn't known
	exact      map[string]bool
	patterns   []*regexp.Regexp
	all        bool
}

// messages reports where the gateway would permit other messages between agents than the team draws. It has one flat
// list, so it can't permit pairs. A team without such connections that permits no messages says nothing of them.
func (c *checker) messages() {
	if !c.rules.OpenClaw || len(c.rules.Config) == 0 && len(c.t.Messages) == 0 {
		return
	}
	drawn := c.messagePairs()
	if len(drawn) == 0 && !c.permitsMessages() {
		return
	}
	rule := readMessageRule(c.rules, c.t.Messages)
	report := func(code string, count int, p pair, more ...string) {
		if count == 0 {
			return
		}
		c.add(topology.SeverityWarning, code, "team", topology.Problem{Subject: topology.SubjectMessages},
			append(more, "count", strconv.Itoa(count), "agent", c.nameOf(p[0]), "other", c.nameOf(p[1]))...)
	}
	first := func(of func(pair) bool) (n int, one pair) {
		for i := range c.t.Agents {
			for _, p := range drawn[c.t.Agents[i].ID] {
				if of(p) {
					if n++; n == 1 {
						one = p
					}
				}
			}
		}
		return n, one
	}
	every := func(pair) bool { return true }
	switch {
	case !rule.enabled:
		n, one := first(every)
		report(MessagesOff, n, one)
		return
	case rule.visibility != "" && rule.visibility != "all":
		n, one := first(every)
		report(MessagesHidden, n, one, "visibility", rule.visibility)
		return
	}
	allowed := map[topology.AgentID]bool{}
	for i := range c.t.Agents {
		if id := c.t.Agents[i].ID; rule.allows(string(id)) {
			allowed[id] = true
		}
	}
	within := func(p pair) bool { return allowed[p[0]] && allowed[p[1]] }
	n, one := first(func(p pair) bool { return !within(p) })
	report(MessagesNotAllowed, n, one)
	held, _ := first(within)
	if more := len(allowed)*(len(allowed)-1)/2 - held; more > 0 {
		report(MessagesOpen, more, c.undrawn(allowed, drawn))
	}
}

// permitsMessages reports whether the team itself says that agents of the gateway can message each other.
func (c *checker) permitsMessages() bool {
	on, _ := c.t.Messages.Get(topology.MessagesEnabled)
	list, _ := c.t.Messages.Get(topology.MessagesAllow)
	return string(on) == "true" || len(list) > 0 && string(on) != "false"
}

// messagePairs returns the pairs that may exchange messages in the team, by the first of the two.
func (c *checker) messagePairs() map[topology.AgentID][]pair {
	drawn, seen := map[topology.AgentID][]pair{}, map[pair]bool{}
	for i := range c.t.Agents {
		for _, conn := range c.t.Agents[i].Connections {
			to, there := c.first[conn.TargetID]
			if !there || to == i || !topology.KindOf(conn.Type).Talks {
				continue
			}
			p := pair{c.t.Agents[min(i, to)].ID, c.t.Agents[max(i, to)].ID}
			if !seen[p] {
				seen[p] = true
				drawn[p[0]] = append(drawn[p[0]], p)
			}
		}
	}
	return drawn
}

// undrawn returns the first pair of allowed agents that have no Message connection.
func (c *checker) undrawn(allowed map[topology.AgentID]bool, drawn map[topology.AgentID][]pair) pair {
	for i := range c.t.Agents {
		from := c.t.Agents[i].ID
		if !allowed[from] {
			continue
		}
		with := map[topology.AgentID]bool{}
		for _, p := range drawn[from] {
			with[p[1]] = true
		}
		for k := i + 1; k < len(c.t.Agents); k++ {
			if to := c.t.Agents[k].ID; allowed[to] && to != from && !with[to] {
				return pair{from, to}
			}
		}
	}
	return pair{}
}

func (c *checker) nameOf(id topology.AgentID) string {
	if i, there := c.first[id]; there {
		return called(&c.t.Agents[i])
	}
	return string(id)
}

// readMessageRule reads what the config would say with what the team changed since base: part by part, so that one in
// an unknown form doesn't hide the others.
func readMessageRule(rules Rules, team topology.Extra) messageRule {
	var parts struct {
		Tools map[string]json.RawMessage `json:"tools"`
	}
	_ = json.Unmarshal(rules.Config, &parts)
	read := func(key, within, name string, into any) {
		var held map[string]json.RawMessage
		_ = json.Unmarshal(parts.Tools[within], &held)
		raw, drawn := team.Get(key)
		if _, had := rules.BaseMessages.Get(key); !drawn && !had {
			raw = held[name]
		}
		_ = json.Unmarshal(raw, into)
	}
	var enabled *bool
	var allow []any
	var visibility string
	read(topology.MessagesEnabled, "agentToAgent", "enabled", &enabled)
	read(topology.MessagesAllow, "agentToAgent", "allow", &allow)
	read(topology.MessagesVisibility, "sessions", "visibility", &visibility)
	rule := messageRule{enabled: !rules.OptInMessages, visibility: visibility, exact: map[string]bool{}}
	if rules.OptInMessages && rule.visibility == "" {
		rule.visibility = "tree"
	}
	if enabled != nil {
		rule.enabled = *enabled
	}
	rule.all = len(allow) == 0
	for _, one := range allow {
		text, _ := one.(string)
		switch text = strings.TrimSpace(text); {
		case text == "*":
			rule.all = true
		case strings.Contains(text, "*"):
			quoted := strings.ReplaceAll(regexp.QuoteMeta(text), `\*`, ".*")
			rule.patterns = append(rule.patterns, regexp.MustCompile("(?i)^"+quoted+"$"))
		case text != "":
			rule.exact[text] = true
		}
	}
	return rule
}

func (r messageRule) allows(id string) bool {
	if r.all || r.exact[id] {
		return true
	}
	for _, p := range r.patterns {
		if p.MatchString(id) {
			return true
		}
	}
	return false
}
