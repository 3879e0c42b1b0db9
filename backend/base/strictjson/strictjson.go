// Package strictjson reads JSON in a way that leaves nothing to the reader: names are compared
// by their exact case, no object names a member twice, and the text is UTF-8. What two readers
// could read differently is an error.
package strictjson

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Decode reads data into v. A member that v doesn't know is an error.
func Decode(data []byte, v any) error {
	return plain(json.Unmarshal(data, v, json.RejectUnknownMembers(true)))
}

// Body reads the body of a request into v. Half of a pair of surrogates, written out, is what
// JavaScript makes of a text that it cuts; it becomes U+FFFD.
func Body(data []byte, v any) error {
	if !utf8.Valid(data) {
		return errors.New("the text is not UTF-8")
	}
	return json.Unmarshal(data, v, jsontext.AllowInvalidUTF8(true))
}

// Encode writes v as Decode would read it. The same value gives the same bytes.
func Encode(v any) ([]byte, error) {
	data, err := json.Marshal(v, json.Deterministic(true))
	return data, plain(err)
}

// Object checks that data is one JSON object and returns it re-encoded: without blanks between
// its values and without escapes that a text doesn't need. Order and numbers stay as they are.
// Two members of the object must not differ in case alone.
func Object(data []byte) ([]byte, error) {
	data = bytes.TrimSpace(data)
	var members map[string]jsontext.Value
	if err := plain(json.Unmarshal(data, &members)); err != nil {
		return nil, err
	}
	if members == nil {
		return nil, errors.New("null is not an object")
	}
	folded := make(map[string]string, len(members))
	for name := range members {
		lower := strings.ToLower(name)
		if other, taken := folded[lower]; taken {
			return nil, fmt.Errorf("the members %q and %q differ in case alone", min(name, other), max(name, other))
		}
		folded[lower] = name
	}
	out, err := jsontext.AppendFormat(nil, data)
	return out, plain(err)
}

// Numbers reports the first number in data that a page can't show as it is, since a page keeps
// numbers as 64-bit floats. data must be JSON.
func Numbers(data []byte) error {
	in := jsontext.NewDecoder(bytes.NewReader(data))
	for {
		token, err := in.ReadToken()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return plain(err)
		}
		if token.Kind() == '0' && !fits(token.String()) {
			return fmt.Errorf("the number %s has more digits than a page shows", token.String())
		}
	}
}

// maxDigits is more than any 64-bit float needs.
const maxDigits = 32

// fits reports whether a number is the same once it was a 64-bit float.
func fits(number string) bool {
	if len(number) > maxDigits {
		return false
	}
	f, err := strconv.ParseFloat(number, 64)
	if _, exponent, has := strings.Cut(strings.ToLower(number), "e"); err != nil || has && len(exponent) > len("-308") {
		return false
	}
	exact, ok := new(big.Rat).SetString(number)
	shown, also := new(big.Rat).SetString(strconv.FormatFloat(f, 'g', -1, 64))
	return ok && also && exact.Cmp(shown) == 0
}

// plain words an error without the name of the package that found it.
func plain(err error) error {
	if err == nil {
		return nil
	}
	if is := (*json.SemanticError)(nil); errors.As(err, &is) {
		switch {
		case errors.Is(err, json.ErrUnknownName):
			return fmt.Errorf("unknown field %q", is.JSONPointer.LastToken())
		case is.JSONPointer != "":
			return fmt.Errorf("%s must not be a JSON %s", is.JSONPointer, is.JSONKind)
		}
		return fmt.Errorf("it is a JSON %s", is.JSONKind)
	}
	return errors.New(strings.TrimPrefix(strings.ReplaceAll(err.Error(), "jsontext: ", ""), "json: "))
}
