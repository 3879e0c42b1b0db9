package lint

import (
	"maps"
	"slices"

	"agentflow/backend/team/teamblock"
	"agentflow/backend/team/topology"
)

// copied is one copy of a shared block.
type copied struct {
	agent *topology.Agent
	file  string
	text  string
}

// sharedBlocks reports each copy of a shared block that has another text than most copies have. If two texts are
// equally frequent, the first one counts.
func (c *checker) sharedBlocks() {
	blocks := map[string][]copied{}
	for i := range c.t.Agents {
		a := &c.t.Agents[i]
		for _, file := range slices.Sorted(maps.Keys(a.Files)) {
			for _, b := range teamblock.SharedIn(a.Files[file].Content) {
				blocks[b.Name] = append(blocks[b.Name], copied{a, file, b.Text})
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(blocks)) {
		most := mostFrequent(blocks[name])
		for _, one := range blocks[name] {
			if one.text != most.text {
				c.at(one.agent, topology.SeverityWarning, DifferingBlock, topology.FileField(one.file),
					"block", name, "file", one.file, "other", called(most.agent), "otherFile", most.file)
			}
		}
	}
}

func mostFrequent(copies []copied) copied {
	count := map[string]int{}
	for _, one := range copies {
		count[one.text]++
	}
	most := copies[0]
	for _, one := range copies {
		if count[one.text] > count[most.text] {
			most = one
		}
	}
	return most
}
