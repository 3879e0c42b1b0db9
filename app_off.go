//go:build !desktop

package main

import "agentflow/backend/cli"

// runWindow is nil in the flavour without a web view: the page opens in a browser.
var runWindow cli.Window
