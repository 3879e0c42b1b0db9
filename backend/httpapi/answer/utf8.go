package answer

import (
	"errors"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
)

// InUTF8 returns the formats as they refuse what is no UTF-8, which encoding/json would take for
// another text than was sent.
func InUTF8(formats map[string]huma.Format) map[string]huma.Format {
	out := make(map[string]huma.Format, len(formats))
	for name, f := range formats {
		out[name] = huma.Format{Marshal: f.Marshal, Unmarshal: func(data []byte, v any) error {
			if !utf8.Valid(data) {
				return errors.New("the text is not UTF-8")
			}
			return f.Unmarshal(data, v)
		}}
	}
	return out
}
