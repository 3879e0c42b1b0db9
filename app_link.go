//go:build desktop

package main

import (
	"fmt"
	"net/url"
	"strings"
)

// encoded are the characters that are allowed in a web address (RFC 3986) and that Wails takes
// for those of a shell and refuses.
var encoded = strings.NewReplacer(";", "%3B", "|", "%7C", "$", "%24", "*", "%2A", "(", "%28", ")", "%29", "~", "%7E",
	"!", "%21", "'", "%27")

// webAddress returns link as BrowserOpenURL takes it. Only http and https are opened: other
// schemes start programs.
func webAddress(link string) (string, error) {
	u, err := url.Parse(link)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", fmt.Errorf("%q is not opened: only addresses that begin with https:// or http:// are", link)
	}
	return encoded.Replace(u.String()), nil
}
