package httperr

import (
	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/base/strictjson"
)

// Formats returns the formats as they read JSON by its second edition, which takes half as long and
// refuses an object that names a member twice, of which two readers see different ones (RFC 8259).
// What they write has no null for a list.
func Formats(formats map[string]huma.Format) map[string]huma.Format {
	out := make(map[string]huma.Format, len(formats))
	for name := range formats {
		out[name] = huma.Format{Marshal: strictjson.Write, Unmarshal: strictjson.Body}
	}
	return out
}
