package config

var platformDataDirs []string

const platformDataPath = "Library/Application Support"
