package answer

import (
	"errors"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Formats returns the formats as they read JSON by its second edition, which takes half as long and
// refuses an object that names a member twice, of which two readers see different ones (RFC 8259).
// What is no UTF-8 is refused, for it would be taken for another text than was sent; half of a pair
// of surrogates, written out, is what JavaScript makes of a text that it cuts.
func Formats(formats map[string]huma.Format) map[string]huma.Format {
	out := make(map[string]huma.Format, len(formats))
	for name, f := range formats {
		out[name] = huma.Format{Marshal: f.Marshal, Unmarshal: func(data []byte, v any) error {
			if !utf8.Valid(data) {
				return errors.New("the text is not UTF-8")
			}
			return json.Unmarshal(data, v, jsontext.AllowInvalidUTF8(true))
		}}
	}
	return out
}
