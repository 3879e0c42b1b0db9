package sandbox

import (
	"fmt"
	"strings"
)

// profile writes a policy as a profile of macOS's sandbox-exec.
func profile(p policy) string {
	var b strings.Builder
	rule := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	paths := func(action string, all []string) {
		for _, path := range all {
			rule("(allow %s (subpath %s))", action, scheme(path))
		}
	}
	rule("(version 1)")
	rule("(deny default)")
	rule(
		"(allow process-exec) (allow process-fork) (allow sysctl-read) (allow mach-lookup (global-name \"com.apple.system.logger\")" +
			" (global-name \"com.apple.system.notification_center\") (global-name \"com.apple.system.opendirectoryd.libinfo\"))",
	)
	rule("(allow signal (target same-sandbox)) (allow process-info* (target same-sandbox))")
	rule("(allow file-read-metadata)") // what every path is resolved with: names and sizes, no contents
	rule("(allow file-read* (literal \"/\") (literal \"/dev/random\") (literal \"/dev/urandom\"))")
	rule("(allow file-read* file-write* (literal \"/dev/null\") (literal \"/dev/zero\"))")
	paths("file-read*", p.Read)
	paths("file-read* file-write*", p.Write)
	switch {
	case p.Network && p.Sockets:
		rule("(allow network*) (allow system-socket)")
	case p.Network:
		rule(
			"(allow network-outbound (remote ip)) (allow network-inbound (local ip)) (allow network-bind (local ip)) (allow system-socket)",
		)
		rule("(allow network-outbound (literal \"/private/var/run/mDNSResponder\"))") // names of hosts
		rule(
			"(allow mach-lookup (global-name \"com.apple.SystemConfiguration.configd\") (global-name \"com.apple.trustd.agent\"))",
		)
	case p.Sockets:
		rule("(allow network* (remote unix-socket)) (allow network* (local unix-socket))")
	}
	return b.String()
}

// scheme writes a text as sandbox-exec's language reads it.
func scheme(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}
