package gatewaytest

// What a gateway whose config can't be changed says to config.apply and agents.delete, for Faults.ReadOnly, recorded
// with 2026.9.6. plugins.list of a newest one tells that it is managed, too. Older ones know no managed config.
const (
	// Managed is the answer under OPENCLAW_CONFIG_READONLY=1.
	Managed = "ConfigReadOnlyError: Config is externally managed (`OPENCLAW_CONFIG_READONLY=1`), so OpenClaw treats " +
		"openclaw.json as immutable.\nConfig path: /home/user/.openclaw/openclaw.json\nEdit the config in your ext..."
	// Unwritable is the answer where the folder of the config file can't be written.
	Unwritable = "Error: openat2 beneath root: Operation not permitted (os error 1): code=EPERM"
)
