package strictjson

import (
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// written are the options of answers: as encoding/json has them, but a list is never null and
// neither is a map, so that no reader has to look for it.
var written = json.JoinOptions(jsonv1.DefaultOptionsV1(), json.FormatNilSliceAsNull(false),
	json.FormatNilMapAsNull(false), jsontext.EscapeForHTML(false))

// Write writes a value as answers have it, and a line's end: a nil list is [], a nil map {}.
func Write(w io.Writer, v any) error {
	if err := json.MarshalWrite(w, v, written); err != nil {
		return err
	}
	_, err := w.Write([]byte{'\n'})
	return err
}

// Text returns a value as answers have it.
func Text(v any) ([]byte, error) { return json.Marshal(v, written) }
