package gatewayconfig

import (
	"strings"
	"testing"
)

func TestLooksSecret(t *testing.T) {
	for kv, want := range map[string]bool{
		"apiKey=x": true, "api_key=x": true, "token=abc": true, "clientSecret=s": true, "any=sk-0123456789abcdef": true,
		"tokenEnv=T": false, "secretEnv=S": false, "apiKey=${KEY}": false, "apiKey=env:KEY": false, "token=" + Redacted: false, "name=Token": false, "password=": false,
	} {
		k, v, _ := strings.Cut(kv, "=")
		if LooksSecret(k, v) != want {
			t.Error(kv)
		}
	}
}
