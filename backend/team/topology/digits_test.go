package topology

import (
	"encoding/json"
	"testing"
)

// OC-3: a page that sends a long number back rounded doesn't change it, whatever else of the binding it edits.
func TestOC3_LongNumbersOfBindingsKeepTheirDigits(t *testing.T) {
	old := Bindings{
		json.RawMessage(`{"agentId":"a","match":{"peer":{"id":12345678901234567890}},"x":[1.50, 7]}`),
		json.RawMessage(`[90071992547409931, 90071992547409932]`),
	}
	sent := Bindings{
		json.RawMessage(`{"match":{"peer":{"id":12345678901234567000}},"agentId":"b","x":[1.5,7]}`),
		json.RawMessage(`[90071992547409940, 90071992547409940]`),
		json.RawMessage(`"12345678901234567000"`), json.RawMessage(`{`),
	}
	want := []string{
		`{"match":{"peer":{"id":12345678901234567890}},"agentId":"b","x":[1.50,7]}`,
		string(sent[1]), string(sent[2]), string(sent[3]),
	}
	for i, got := range sent.KeepDigits(old) {
		if string(got) != want[i] {
			t.Errorf("%s, want %s", got, want[i])
		}
	}
	if got := sent.KeepDigits(nil); &got[0] != &sent[0] {
		t.Error("bindings were copied for nothing")
	}
}
