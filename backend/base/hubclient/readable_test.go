package hubclient_test

import (
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/hubclient"
)

// A token is sent to this computer, or over TLS. Everything else needs the switch.
func TestTR4_F16_TheTokenIsNotSentInClearToAHubElsewhere(t *testing.T) {
	for address, refused := range map[string]bool{
		"http://192.0.2.1:18800": true, "http://hub.example": true, "http://0.0.0.0:18800": true,
		"https://192.0.2.1:18800": false, "http://127.0.0.1:18800": false, "http://[::1]:18800": false, "http://localhost:18800": false,
	} {
		_, err := hubclient.New(address, "the-token")
		if errcode.HasReason(err, errcode.ReasonReadable) != refused || (err == nil) == refused {
			t.Errorf("%s: %v", address, err)
		} else if refused && (!strings.Contains(err.Error(), "--insecure-http") || strings.Contains(err.Error(), "the-token")) {
			t.Errorf("%s: the error has no remedy, or the token: %v", address, err)
		}
		if _, err := hubclient.New(address, ""); err != nil {
			t.Errorf("%s without a token: %v", address, err)
		}
		if c, err := hubclient.NewInsecure(address, "the-token"); err != nil || c.Header().Get("Authorization") != "Bearer the-token" {
			t.Errorf("%s, accepted: %v", address, err)
		}
	}
}
