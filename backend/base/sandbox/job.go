package sandbox

// job returns what commands run in on Windows, in place of a sandbox. A job within another one can't restrict
// the user interface.
func job(restrictsUI bool) Fact {
	if restrictsUI {
		return fact("job",
			"a Windows job ends and limits commands and keeps all but Codex from the clipboard, but protects no files")
	}
	return fact("job_nested", "a Windows job ends and limits commands, but protects neither files nor the clipboard")
}
