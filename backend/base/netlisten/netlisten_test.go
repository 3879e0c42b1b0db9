package netlisten_test

import (
	"errors"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/netlisten"
)

func TestAG7_WhatIsReachableNeedsTLS(t *testing.T) {
	for name, c := range map[string]struct {
		o    netlisten.Options
		code errcode.Code // of the refusal; "" is none
		open bool         // readable by others
	}{
		"this computer":        {netlisten.Options{Listen: "127.0.0.1:0"}, "", false},
		"this computer, IPv6":  {netlisten.Options{Listen: "[::1]:0"}, "", false},
		"by name":              {netlisten.Options{Listen: "localhost:0"}, "", false},
		"everywhere":           {netlisten.Options{Listen: "0.0.0.0:0"}, errcode.Validation, false},
		"no address":           {netlisten.Options{Listen: ":0"}, errcode.Validation, false},
		"insisted on":          {netlisten.Options{Listen: "0.0.0.0:0", InsecureHTTP: true}, "", true},
		"insisted on for none": {netlisten.Options{Listen: "127.0.0.1:0", InsecureHTTP: true}, "", false},
		"half a certificate":   {netlisten.Options{Listen: "127.0.0.1:0", CertFile: "x"}, errcode.Validation, false},
		"no such certificate":  {netlisten.Options{Listen: "127.0.0.1:0", CertFile: "x", KeyFile: "y"}, errcode.Validation, false},
		"no port":              {netlisten.Options{Listen: "127.0.0.1"}, errcode.Validation, false},
		"not this computer's":  {netlisten.Options{Listen: "192.0.2.1:0", InsecureHTTP: true}, errcode.Unavailable, false},
	} {
		l, err := netlisten.Open(c.o)
		if c.code != "" {
			var fail *errcode.Error
			if !errors.As(err, &fail) || fail.Code != c.code {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if l.Readable != c.open || l.TLS != nil {
			t.Errorf("%s: readable %v, TLS %v", name, l.Readable, l.TLS != nil)
		}
		_ = l.Close()
	}
}

func TestLocal(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "a.localhost": true, "127.0.0.1": true, "127.9.9.9": true, "::1": true, "[::1]": true, "::ffff:127.0.0.1": true,
		"": false, "0.0.0.0": false, "::": false, "[::]": false, "::ffff:0.0.0.0": false, "127.1": false,
		"192.0.2.1": false, "localhost.example": false, "127.0.0.1.example": false, "mylocalhost": false,
	} {
		if netlisten.Local(host) != want {
			t.Errorf("Local(%q) = %v", host, !want)
		}
	}
}

func TestTR4_F16_Readable(t *testing.T) {
	for address, want := range map[string]bool{
		"http://192.0.2.1/v1": true, "ws://example.com:18789/": true, "http://[2001:db8::1]:80": true, "http://127.0.0.1.example.com": true,
		"https://192.0.2.1/v1": false, "wss://example.com": false, "http://127.0.0.1:1/v1": false, "ws://[::1]:1": false, "http://localhost": false,
	} {
		if netlisten.Readable(address) != want {
			t.Errorf("%s: %v", address, !want)
		}
	}
}
