package doctor

import (
	"fmt"
	"strings"

	"agentflow/backend/base/config"
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
		c.Status, c.Message = Error, "required, but not available on this computer: "+here.Why.Text+". Coding CLIs and commands don't run"
		c.Remedy = "set sandbox.mode to auto in the settings file, or use a system with Landlock"
	case here.Name == "":
		c.Status, c.Message = Warning, here.Why.Text+": coding CLIs and commands can read and change everything you can"
		c.Remedy = "run agents you don't trust on another computer or as another user"
	default:
		c.Message = here.Name
		if here.ABI > 0 {
			c.Message = fmt.Sprintf("Landlock (ABI %d)", here.ABI)
		}
		if len(here.Gaps) > 0 {
			c.Message += ". Not covered: " + strings.Join(texts(here.Gaps), "; ")
		}
	}
	return c
}

func texts(facts []sandbox.Fact) []string {
	out := make([]string, len(facts))
	for i, f := range facts {
		out[i] = f.Text
	}
	return out
}
