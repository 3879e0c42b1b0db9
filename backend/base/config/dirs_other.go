//go:build !windows && !darwin

package config

var platformDataDirs []string

const platformDataPath = ".local/share"
