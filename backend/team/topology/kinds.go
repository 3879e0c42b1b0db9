package topology

import (
	"slices"

	"agentflow/backend/team/topology/internal/change"
)

// Kind says what a connection permits. Unknown kinds are kept as they are.
type Kind = change.Kind

// The kinds the product knows. A new one needs its row in kinds.
const (
	Command       Kind = "command"
	Communication Kind = "communication"
	Review        Kind = "review"
)

// KindInfo says what a kind of connection means.
type KindInfo struct {
	Kind       Kind
	Name       string // as people see it
	Delegates  bool   // the source may give the target tasks
	Talks      bool   // in a room, both hear each other
	Reviews    bool   // the source reviews the target's results
	Directed   bool   // it leads from its source to its target; any other joins both alike
	Everywhere bool   // every OpenClaw config can hold it; any other needs a gateway that keeps whole agents
}

// kinds is the one table of the kinds, in the order of the keys 1, 2, 3. Who may delegate, talk or review, what the
// linter, the layout and the converters do with a connection, and what the page draws goes by it.
var kinds = []KindInfo{
	{Kind: Command, Name: "Delegate", Delegates: true, Directed: true, Everywhere: true},
	{Kind: Communication, Name: "Message", Talks: true},
	{Kind: Review, Name: "Review", Reviews: true, Directed: true},
}

// Kinds lists the kinds the product knows, in the order in which people see them.
func Kinds() []KindInfo { return slices.Clone(kinds) }

// KindOf returns what a kind means. An unknown kind permits nothing.
func KindOf(k Kind) KindInfo {
	for _, info := range kinds {
		if info.Kind == k {
			return info
		}
	}
	return KindInfo{Kind: k}
}
