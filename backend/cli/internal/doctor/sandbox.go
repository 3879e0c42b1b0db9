package doctor

import (
	"fmt"

	"agentflow/backend/base/config"
	"agentflow/backend/base/i18n"
	"agentflow/backend/base/sandbox"
)

// sandbox says in what coding CLIs, test commands and shell commands run on this computer.
func (o Options) sandbox(s *config.Settings) Check {
	var set sandbox.Settings
	if s != nil {
		set = s.Sandbox()
	}
	return held(set, sandbox.Here())
}

func held(set sandbox.Settings, here sandbox.State) Check {
	c := Check{Name: "sandbox", Status: OK}
	switch {
	case set.Mode == sandbox.Off:
		c.Status = Warning
		c.Message = "turned off in the settings: coding CLIs and commands can read and change everything you can"
		c.Remedy = "remove sandbox.mode from the settings file"
	case here.Name == "" && set.Mode == sandbox.Required:
		c.Status = Error
		c.say("required, but not available on this computer: %s. Coding CLIs and commands don't run", i18n.Finished(here.Why.Text))
		c.Remedy = "set sandbox.mode to auto in the settings file, or use a system with Landlock"
	case here.Name == "":
		c.Status = Warning
		c.say("%s: coding CLIs and commands can read and change everything you can", i18n.Finished(here.Why.Text))
		c.Remedy = "run agents you don't trust on another computer or as another user"
	default:
		c.Message = here.Name
		if here.ABI > 0 {
			c.Message = fmt.Sprintf("Landlock (ABI %d)", here.ABI)
		}
		if len(here.Gaps) > 0 {
			c.say("%s. Not covered: %s", c.Message, i18n.Join(texts(here.Gaps)...))
		}
	}
	return c
}

func texts(facts []sandbox.Fact) []i18n.Text {
	out := make([]i18n.Text, len(facts))
	for i, f := range facts {
		out[i] = i18n.T("%s", i18n.Finished(f.Text))
	}
	return out
}
