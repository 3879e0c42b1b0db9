package lint

import (
	"iter"
	"strings"

	"agentflow/backend/team/topology"
)

// texts are the English words: what happened and what it means, and what to do.
// {name} stands for a parameter.
var texts = map[string]struct{ message, remedy string }{
	UnknownTarget: {
		"{agent} has a {kind} connection to {target}, and nobody in the team has that id. The connection does nothing.",
		"Add an agent with the id {target}, or remove the connection."},
	DuplicateID: {
		"The id {id} stands twice. A gateway would keep only one of the two agents.",
		"Give {agent} another id."},
	BadID: {
		"The gateway does not accept the id {id}, because of {bad}. Nothing can be applied.",
		"Use a to z, 0 to 9, _ and -, at most 64 characters, not - first; for example {suggestion}."},
	MissingID: {
		"{agent} has no id. Neither a gateway nor a connection can name it.",
		"Give it an id, for example one made from its name."},
	MissingModel: {
		"{agent} has no model, and there is no default. It cannot answer.",
		"Choose a model for it, or set a default model."},
	UnknownModel: {
		"The gateway doesn't list the model {model}. {agent} probably can't respond with it.",
		"Choose a model from the list, or check its name."},
	UnknownProvider: {
		"There's no model provider {provider}. {agent} can't respond with {model}.",
		"Choose a model from the list, or add the provider in Settings."},
	UnofferedModel: {
		"The provider {provider} doesn't list the model {model}. {agent} probably can't answer with it.",
		"Choose a model from the list, or check its name."},
	SecretInClear: {
		"What looks like a secret stands in clear text in {field} of {agent}. Anyone who gets this file can use it.",
		"Put it into an environment variable and write ${NAME} here; then change the secret, because it was stored."},
	HiddenCharacters: {
		"{field} of {agent} has hidden characters: {characters}. The agent reads something else than you see.",
		"Remove them, unless you know why they are there."},
	UnreachableAgent: {
		"No agent can delegate to {agent}, and it isn't an entry point for tasks. It can't get tasks from other agents.",
		"Add a Delegate connection to it, or give it the role Coordinator.",
	},
	NoReceiver: {
		"Tasks for the team go to any free agent.",
		`Turn on "Receives the team's tasks" for {agent} if it should split them.`},
	DelegationCycle: {
		"These agents can hand work round in a circle: {cycle}. A task may never end, and cost money all the while.",
		"Remove one of the Delegate connections, unless a limit stops them."},
	SharedWorkspace: {
		"{agent} shares its workspace {workspace} with {other}. They can overwrite each other's files.",
		"Give each agent a folder of its own, or let only one of them write."},
	RunsCommands: {
		"{agent} runs `{command}` on this computer.",
		"Allow it when you apply only if you know the command. Otherwise remove mcpServers."},
	SendsSecret: {
		"{agent} sends {variable} and its tasks to {host}.",
		"Allow it when you apply only if you trust that host."},
	SendsToken: {
		"{agent} sends {variable} to {host}.",
		"Allow it when you apply only if you trust that host."},
	ActsUnasked: {
		"{agent} uses tools without asking you.",
		"Allow it when you apply only if you trust the team. Otherwise remove auto from mcpPolicy."},
	WritesOutside: {
		"{agent} can write in `{folder}`.",
		"Allow it when you apply, or use the agent's own folder."},
	RefusedVariable: {
		"{agent} names the variable {variable}, which no team can name.",
		"Use a name with the prefix AGENTFLOW_AGENT_, or list it under agents.variables in agentflow.yaml."},
	SharedSecret: {
		"{agent} has the same secret {variable} as {other}.",
		"Give each agent its own variable."},
	UnreadableKey: {
		"The {key} of {agent} can't be read. The agent can't be used.",
		"Write it like this: {key}: {expected}"},
	UnknownKey: {
		"{agent} has a key {key} that is not known. It is kept as it is, and does nothing here.",
		"Check the spelling, or remove the key."},
	RefusedKey: {
		"{agent} has a key {key} that this gateway does not know. It refuses a config with such a key, so nothing could be applied.",
		"Check the spelling, or remove the key.",
	},
	RefusedValue: {
		"{agent} has a value in {key} that this gateway does not take. It refuses a config with such a value, so nothing could be applied.",
		"Use one of these: {allowed}.",
	},
	SelfConnection: {
		"{agent} has a {kind} connection to itself. An agent may always work for itself; the connection does nothing.",
		"Remove the connection."},
	DuplicateConnection: {
		"{agent} has more than one {kind} connection to {target}. They are one and the same to a gateway.",
		"Remove all but one."},
	Ownership: {
		"This gateway wants to be told who owns the {count} agents before it takes more than one (agents.ownership).",
		"Nothing to do: applying sets agents.ownership to explicit."},
	DroppedAgents: {
		"No longer drawn, but still on the gateway: {agents}. This gateway deletes agents only one by one.",
		"Confirm the deletion when you apply, or draw them again.",
	},
	EmptyName: {
		"Agent {id} has no name. Rooms, tasks and other agents see only its id.",
		"Give it a name."},
	DuplicateName: {
		"The agents {other} and {id} are both called {agent}. Rooms show the second one by its ID.",
		"Give one of them another name."},
	UnknownMember: {
		"The group {group} names {target}, and nobody in the team has that id. The name is kept, and does nothing.",
		"Add an agent with the id {target}, or remove it from the members of the group."},
	BoundToNobody: {
		"Binding {number} gives messages of {channel} to {target}, which isn't in the team.",
		"Choose another agent for it under Routes, or remove the binding."},
	UnknownChannel: {
		"Binding {number} is about the channel {channel}. The gateway doesn't have it.",
		"Set up the channel on the gateway, or remove the binding under Routes."},
	UnknownAccount: {
		"Binding {number} is about the account {account} of {channel}. The gateway doesn't have it.",
		"Choose another account under Routes, or set up the account on the gateway."},
	ShadowedBinding: {
		"Binding {number} never matches, because binding {other} takes all of its messages.",
		"Move it up under Routes, or remove one of the two."},
	BroadcastToNobody: {
		"The broadcast group {group} names {target}, which isn't in the team.",
		"Remove it from the group under Routes, or add an agent with the ID {target}."},
	UnreachedBroadcast: {
		"The broadcast group {group} is about the channel {channel}. The gateway doesn't have it.",
		"Set up the channel on the gateway, or delete the group under Routes."},
	OldBroadcast: {
		"The broadcast group {group} has no effect. This gateway supports groups of WhatsApp only, without its name.",
		"Write only the ID of a WhatsApp conversation, or update the gateway."},
	MessagesOff: {
		"Idle Message connections: {count} ({agent} – {other} …). Messages are off on the gateway.",
		"Turn them on under Everyone, or remove the connections."},
	MessagesHidden: {
		"Idle Message connections: {count} ({agent} – {other} …). The visibility of sessions is {visibility}.",
		"Set the visibility of sessions to all under Everyone, or remove the connections."},
	MessagesNotAllowed: {
		"Idle Message connections: {count} ({agent} – {other} …). The gateway's list leaves agents out.",
		"Select a connection and allow it on the gateway, or remove the connections."},
	MessagesOpen: {
		"{agent} and {other} can message each other on the gateway without a Message connection. Such pairs: {count}.",
		"Shorten the list under Everyone, or draw the connections. The list has agents, not pairs."},
	SilencedHeartbeat: {
		"{agent} runs no heartbeat: {other} has settings for one, so Everyone's don't count. Such agents: {count}.",
		"Give each agent heartbeat settings, or remove those of {other}."},
	DifferingBlock: {
		"The shared block {block} in {file} of {agent} has another text than in {otherFile} of {other}.",
		"Open the file, select the block, and save the text that counts."},
	unknownFileKey: {
		"the key {key} isn't known; it is kept as it is",
		"check its spelling"},
	EmptyGroup: {
		"The group {group} has no member in the team, so there is nothing to draw a frame around.",
		"Put an agent into it, or remove the group."},
}

// unknownFileKey is the entry of texts for any key of a team file.
const unknownFileKey = "unknown_file_key"

// UnknownFileKey is the problem of a key at a path of a team file, such as agents[0].hue.
func UnknownFileKey(path string, line int) topology.Problem {
	p := topology.Problem{
		ID: UnknownKey + ":" + path, Severity: topology.SeverityWarning, Code: UnknownKey, Line: line, Field: path,
		Params: map[string]string{"key": path},
	}
	t := texts[unknownFileKey]
	p.Message, p.Remedy = write(t.message, p.Params), write(t.remedy, p.Params)
	return p
}

// Format is a text with a %s for each of its values. The values are foreign: translate the text, never them.
type Format struct {
	Text   string
	Values []Value
}

// Value is what stands for a %s. A translatable one is a word of this package.
type Value struct {
	Text         string
	Translatable bool
}

// Formats returns the message and the remedy of a problem of this package. It returns false for one of another
// program.
func Formats(p topology.Problem) (message, remedy Format, ok bool) {
	code := p.Code
	if _, agent := p.Params["agent"]; code == UnknownKey && !agent {
		code = unknownFileKey
	}
	t, known := texts[code]
	if !known || write(t.message, p.Params) != p.Message || write(t.remedy, p.Params) != p.Remedy {
		return message, remedy, false
	}
	return format(t.message, p), format(t.remedy, p), true
}

func format(text string, p topology.Problem) (f Format) {
	for part := range parts(text, p.Params) {
		if part.name == "" {
			f.Text += strings.ReplaceAll(part.text, "%", "%%")
			continue
		}
		f.Text += "%s"
		own := part.name == "agent" && p.Agent == "" && part.text == nameless
		f.Values = append(f.Values, Value{part.text, own})
	}
	return f
}

// write fills the parameters in, once, so that a value cannot name another.
func write(text string, params map[string]string) string {
	var b strings.Builder
	for part := range parts(text, params) {
		b.WriteString(part.text)
	}
	return b.String()
}

// part is a piece of a text as it stands, or the value of a parameter with its name.
type part struct{ name, text string }

func parts(text string, params map[string]string) iter.Seq[part] {
	return func(yield func(part) bool) {
		for text != "" {
			before, rest, found := strings.Cut(text, "{")
			if before != "" && !yield(part{text: before}) || !found {
				return
			}
			name, after, closed := strings.Cut(rest, "}")
			value, known := params[name]
			next := part{name, value}
			if text = after; !closed || !known {
				next, text = part{text: "{"}, rest
			}
			if !yield(next) {
				return
			}
		}
	}
}
