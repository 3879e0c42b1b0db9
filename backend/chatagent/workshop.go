package chatagent

import (
	"slices"

	"agentflow/backend/tool"
	"agentflow/backend/tool/files"
	"agentflow/backend/tool/shell"
)

// Workshop gives agents their tools: those built in that are allowed by name (or, as files
// or shell, by kind), within the agent's workspace. A person decides about each use.
type Workshop struct {
	Models Models
	Asker  func(c Config, room string) tool.Asker // nil from it: nobody can be asked, so nothing is done
}

// Mind is the agent's.
func (w Workshop) Mind(c Config, room string) Mind {
	if len(c.Tools) == 0 || c.Workspace == "" {
		return Plain{Models: w.Models}
	}
	return Able{Models: w.Models, Name: c.Name, Equip: func(ask func(tool.Asker) tool.Asker) (*tool.Set, func(), error) {
		folders, err := files.Open(c.Workspace)
		if err != nil {
			return nil, nil, err
		}
		var mine []tool.Tool
		run := shell.Shell{Dir: folders.Dir}
		for _, t := range append(folders.Tools(), run.Tool()) {
			if slices.Contains(c.Tools, t.Name) || slices.Contains(c.Tools, t.From) {
				mine = append(mine, t)
			}
		}
		var o tool.Options
		if person := w.Asker(c, room); person != nil {
			o.Asker = ask(person)
		}
		return tool.NewSet(o, mine...), folders.Close, nil
	}}
}
