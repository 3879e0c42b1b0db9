package topology

import "agentflow/backend/team/topology/internal/ordered"

// Extra holds keys that the product does not know, in the order of their source, so
// that they survive every round trip. In JSON it is an object.
type Extra = ordered.Object

// Field is one unknown key with its value as JSON.
type Field = ordered.Field
