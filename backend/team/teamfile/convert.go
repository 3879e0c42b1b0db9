package teamfile

import (
	"agentflow/backend/base/docedit"
	"agentflow/backend/team/gatewayconfig"
	"agentflow/backend/team/topology"
)

// Options of Convert.
type Options struct {
	File  string           // the source's name, for messages
	Agent topology.AgentID // which agent an agent-config holds; "" where it is plain
	Home  string           // for default workspaces in openclaw-map; "" leaves them out
}

// Convert turns a file of any format into another. Losses name what the target cannot
// hold, and secrets in clear that are not copied. A file that has the format already
// comes back as it is. From one OpenClaw shape to another, the rest of the config
// comes along.
func Convert(data []byte, to Format, opts Options) ([]byte, []gatewayconfig.Loss, error) {
	doc, err := parse(data, opts.File)
	if err != nil {
		return nil, nil, err
	}
	f, err := read(doc)
	if err != nil {
		return nil, nil, err
	}
	if f.Format == to {
		return data, nil, nil
	}
	switch to {
	case AgentFlow:
		return Write(nil, &f.Team, nil)
	case AgentsYML:
		return roomsFile(&f.Team)
	case AgentConfig:
		return processFile(&f.Team, opts.Agent)
	case OpenClawMap, OpenClawList, OpenClawEntries:
		return configFile(doc, &f, to, opts)
	}
	return nil, nil, badFormat(to)
}

var shapes = map[Format]gatewayconfig.Shape{
	OpenClawMap: gatewayconfig.Map, OpenClawList: gatewayconfig.List, OpenClawEntries: gatewayconfig.Entries,
}

// configFile writes an OpenClaw config: the map shape in YAML, the others in JSON.
func configFile(from *docedit.Document, f *File, to Format, opts Options) ([]byte, []gatewayconfig.Loss, error) {
	base := []byte("{}\n")
	if at, ok := shapes[f.Format]; ok {
		rest, err := withoutRoster(from, at, f)
		if err != nil {
			return nil, nil, err
		}
		base = rest.JSON()
	}
	doc, err := docedit.FromJSON(base, "")
	if err != nil {
		return nil, nil, err
	}
	limits := gatewayconfig.Limits{Roster: shapes[to], Home: opts.Home, Ownership: to == OpenClawEntries}
	out, losses, err := gatewayconfig.Write(doc, nil, &f.Team, limits)
	if err != nil {
		return nil, nil, err
	}
	if to != OpenClawMap {
		return out.JSON(), losses, nil
	}
	text, err := out.YAML()
	return text, losses, err
}

// withoutRoster is a config less its agents.
func withoutRoster(doc *docedit.Document, from gatewayconfig.Shape, f *File) (*docedit.Document, error) {
	ed := doc.Edit()
	agents := docedit.Get(doc.Root(), keyAgents)
	switch {
	case !docedit.IsMap(agents):
	case from == gatewayconfig.Map:
		for _, a := range f.Team.Agents {
			ed.Remove(agents, string(a.ID))
		}
	default:
		ed.Remove(agents, string(from))
		ed.Remove(agents, "ownership")
	}
	return ed.Apply()
}
