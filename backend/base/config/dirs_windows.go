package config

var platformDataDirs = []string{"LOCALAPPDATA"}

const platformDataPath = `AppData\Local`
