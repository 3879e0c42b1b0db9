//go:build desktop && !linux

package main

// guardNavigation does nothing here: Wails has no way to refuse a navigation. The page refuses
// its own (frontend/src/stores/links.ts), and Wails answers calls of its own page only.
func guardNavigation() {}
