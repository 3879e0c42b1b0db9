//go:build desktop

package main

import "testing"

// TestF21_OnlyWebAddressesAreOpened shows which links the window hands to the browser.
func TestF21_OnlyWebAddressesAreOpened(t *testing.T) {
	for link, want := range map[string]string{
		"https://example.com/a?b=c&d#e":                  "https://example.com/a?b=c&d#e",
		"http://example.com":                             "http://example.com",
		"https://en.wikipedia.org/wiki/Go_(programming)": "https://en.wikipedia.org/wiki/Go_%28programming%29",
		"https://example.com/$(touch x);y|z":             "https://example.com/%24%28touch%20x%29%3By%7Cz",
		"https://例え.example/道":                           "https://%E4%BE%8B%E3%81%88.example/%E9%81%93",
		"file:///etc/passwd":                             "",
		"javascript:alert(1)":                            "",
		"wails://wails/":                                 "",
		"vscode://file/etc/passwd":                       "",
		"https://":                                       "",
		"relative/path":                                  "",
		"https://example.com/\x00":                       "",
	} {
		if got, err := webAddress(link); got != want || (err == nil) != (want != "") {
			t.Errorf("%q is opened as %q, %v; want %q", link, got, err, want)
		}
	}
}
