package client

import "testing"

// OC-4: a config file that is no JSON holds nothing. An answer without a config and without a hash is none.
func TestOC4_AConfigThatIsNoJSON(t *testing.T) {
	for answer, ok := range map[string]bool{
		`{"hash": "h", "valid": false, "raw": "not json {", "parsed": null, "config": {}}`: true,
		`{"hash": "h", "valid": false, "raw": ""}`:                                         true,
		`{"hash": "h", "valid": true, "raw": "x", "parsed": null}`:                         false,
		`{"valid": false}`: false,
	} {
		cfg, err := decodeConfig([]byte(answer))
		if (err == nil) != ok || ok && (string(cfg.Parsed) != "{}" || !cfg.Broken || cfg.Hash != "h") {
			t.Errorf("%s: %+v %v", answer, cfg, err)
		}
	}
}
