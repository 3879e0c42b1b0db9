//go:build !linux

package hostile

// foreignProcesses lists what the hub started. Other systems don't tell what has ended.
func (w *world) foreignProcesses() []string { return nil }
