package gatewaytest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// servedFiles are the names of the workspace files in each generation; the newest gateways retired two.
func (s *Server) servedFiles() []string {
	names := []string{"AGENTS.md", "SOUL.md", "IDENTITY.md", "USER.md", "BOOTSTRAP.md", "MEMORY.md"}
	if s.opts.Generation == February {
		names = append(names, "TOOLS.md", "HEARTBEAT.md")
	}
	return names
}

// Disk is the folders of a Server's agents.
type Disk struct {
	mu    sync.Mutex
	files map[string]map[string]string // agent -> name -> content
	at    map[string]time.Time         // when a file was written, by agent/name
}

// Get returns a workspace file as it lies in the folder, and whether it is there.
func (d *Disk) Get(agent, name string) (content string, there bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	content, there = d.files[agent][name]
	return content, there
}

// Set writes a workspace file behind everybody's back, as an editor would.
func (d *Disk) Set(agent, name, content string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.files == nil {
		d.files = map[string]map[string]string{}
	}
	if d.files[agent] == nil {
		d.files[agent] = map[string]string{}
	}
	d.files[agent][name] = content
	if d.at == nil {
		d.at = map[string]time.Time{}
	}
	d.at[agent+"/"+name] = time.Now()
}

// Delete deletes a workspace file behind everybody's back.
func (d *Disk) Delete(agent, name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.files[agent], name)
}

func (d *Disk) writtenAt(agent, name string) time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.at[agent+"/"+name]
}

func (d *Disk) forget(agent string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.files, agent)
}

func hashOf(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}

// fileRow is a file as the real gateways write it: bytes that aren't UTF-8 are shown as U+FFFD.
func (s *Server) fileRow(agent, name string, whole bool) map[string]any {
	content, there := s.Disk.Get(agent, name)
	row := map[string]any{"name": name, "path": "/home/user/.openclaw/workspace-" + agent + "/" + name,
		"missing": !there}
	if !there {
		return row
	}
	row["size"], row["updatedAtMs"] = len(content), s.Disk.writtenAt(agent, name).UnixMilli()
	if whole {
		row["content"] = strings.ToValidUTF8(content, "\uFFFD")
		if s.opts.Generation == Newest {
			row["hash"] = hashOf(content)
		}
	}
	return row
}

func (s *Server) filesCall(method string, p params) (any, *refusal) {
	s.config.mu.Lock()
	known := slices.Contains(s.config.roster(), p.AgentID)
	s.config.mu.Unlock()
	if !known && s.opts.Generation == February {
		return nil, invalid("unknown agent id")
	} else if !known {
		return nil, invalid(fmt.Sprintf("agent %q not found", p.AgentID))
	}
	answer := map[string]any{"agentId": p.AgentID, "workspace": "/home/user/.openclaw/workspace-" + p.AgentID}
	if method == "agents.files.list" {
		rows := []any{}
		for _, name := range s.servedFiles() {
			if name != "IDENTITY.md" || s.opts.Generation == February {
				rows = append(rows, s.fileRow(p.AgentID, name, false))
			}
		}
		answer["files"] = rows
		return answer, nil
	}
	if !slices.Contains(s.servedFiles(), p.Name) {
		return nil, invalid(fmt.Sprintf("unsupported file %q", p.Name))
	}
	if on := s.fault().OnFile; on != nil {
		on(method, p.AgentID, p.Name)
	}
	if method == "agents.files.set" {
		now, there := s.Disk.Get(p.AgentID, p.Name)
		if p.ExpectedHash != "" && (!there || hashOf(now) != p.ExpectedHash) {
			details := map[string]any{"type": "agent_file_conflict", "name": p.Name}
			if there {
				details["currentHash"] = hashOf(now)
			}
			return nil, &refusal{
				Code: "INVALID_REQUEST", Message: fmt.Sprintf("agent file %q changed since it was read", p.Name),
				Details: details,
			}
		}
		s.Disk.Set(p.AgentID, p.Name, p.Content)
		answer["ok"] = true
	}
	answer["file"] = s.fileRow(p.AgentID, p.Name, true)
	return answer, nil
}
