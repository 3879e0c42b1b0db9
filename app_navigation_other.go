//go:build desktop && !linux

package main

// guardNavigation does nothing here: Wails offers no way to refuse a navigation. The page cancels
// navigations itself (frontend/src/stores/links.ts), and Wails rejects calls from other origins.
func guardNavigation() {}
