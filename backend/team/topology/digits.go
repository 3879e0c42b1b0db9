package topology

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// KeepDigits returns the bindings with the numbers as old has them. A page reads numbers as floating point, so it
// sends long ones back rounded: the ID 12345678901234567890 as 12345678901234567000. If two numbers are rounded to the
// same one, nobody knows which of them it was, so it stays as it came.
func (b Bindings) KeepDigits(old Bindings) Bindings {
	long := map[float64]string{}
	for _, raw := range old {
		eachNumber(raw, func(text string, value float64, _ int) {
			if had, twice := long[value]; twice && had != text {
				text = ""
			}
			if strconv.FormatFloat(value, 'f', -1, 64) != text {
				long[value] = text
			}
		})
	}
	if len(long) == 0 {
		return b
	}
	kept := make(Bindings, len(b))
	for i, raw := range b {
		kept[i] = withNumbers(raw, long)
	}
	return kept
}

// withNumbers writes numbers as the texts that are equal to them, and leaves the rest of the JSON as it is.
func withNumbers(raw json.RawMessage, texts map[float64]string) json.RawMessage {
	var out []byte
	done := 0
	eachNumber(raw, func(text string, value float64, end int) {
		if was := texts[value]; was != "" && was != text {
			out = append(append(out, raw[done:end-len(text)]...), was...)
			done = end
		}
	})
	if done == 0 {
		return raw
	}
	return append(out, raw[done:]...)
}

// eachNumber calls visit with each number of a JSON text, as it is written, and where it ends.
func eachNumber(raw json.RawMessage, visit func(text string, value float64, end int)) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	for {
		token, err := d.Token()
		if err != nil {
			return
		}
		if n, is := token.(json.Number); is {
			if value, err := n.Float64(); err == nil {
				visit(n.String(), value, int(d.InputOffset()))
			}
		}
	}
}
