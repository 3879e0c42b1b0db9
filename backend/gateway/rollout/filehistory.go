package rollout

import (
	"context"
	"slices"
	"sync"

	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/team/library"
	"agentflow/backend/team/topology"
)

// causeBack is the cause of a file that a rollback wrote. The other causes of files are those of snapshots.
const causeBack = "after_rollback"

// fileHistory keeps the workspace files that the machine reads and writes. Without a history it keeps nothing.
type fileHistory struct {
	history *library.FileHistory

	mu    sync.Mutex
	kept  map[string]int          // how many files were kept, by gateway
	looks map[string]*lookAtFiles // by gateway
}

// KeepFiles has the machine keep the workspace files that it reads and writes (OC-4). It must be called before Run.
func KeepFiles(m *Machine, h *library.FileHistory) {
	m.files = &fileHistory{history: h, kept: map[string]int{}, looks: map[string]*lookAtFiles{}}
}

// fileWritten is a workspace file that an apply or a rollback writes.
type fileWritten struct {
	openclaw.FileRef
	Hash string `json:"hash"`
}

// planned lists what an apply or a rollback is to write, so that its files are known where nobody saw its end.
func planned(writes []openclaw.FileWrite) []fileWritten {
	out := make([]fileWritten, 0, len(writes))
	for _, w := range writes {
		out = append(out, fileWritten{openclaw.FileRef{Agent: w.Agent, Name: w.Name}, topology.HashFile(w.Content)})
	}
	return out
}

// seenFile is a workspace file as it is on a gateway.
type seenFile struct {
	agent topology.AgentID
	name  string
	openclaw.File
}

func (f seenFile) snapshot(gateway string) library.FileSnapshot {
	out := library.FileSnapshot{Gateway: gateway, Agent: f.agent, Name: f.name, Missing: f.Missing, Binary: f.Binary}
	if f.Missing {
		return out
	}
	out.Hash, out.Size = f.Hash, len(f.Content)
	if f.Binary {
		return out
	}
	out.Hash = topology.HashFile(f.Content)
	if out.Tokens = topology.AboutTokens(f.Content); out.HasText() {
		out.Content = f.Content
	}
	return out
}

// keptSoFar returns a mark to take before files are read, see seen.
func (k *fileHistory) keptSoFar(gateway string) int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.kept[gateway]
}

// seen keeps files that were read since the mark, unless they are as they were kept last. If others were kept
// meanwhile, it keeps none: the files can be from before that. The next read makes up for it.
func (m *Machine) seen(ctx context.Context, gateway string, mark int, files ...seenFile) error {
	_, err := m.see(ctx, gateway, mark, files)
	return err
}

// see is seen, and reports whether the files could be kept.
func (m *Machine) see(ctx context.Context, gateway string, mark int, files []seenFile) (bool, error) {
	return m.keepFiles(ctx, gateway, &mark, files, func(f library.FileSnapshot, known bool) (string, library.ID) {
		if cause, team, ours := m.writtenHere(f); ours {
			return cause, team
		}
		if known {
			return causeElsewhere, ""
		}
		return causeRead, ""
	})
}

// wrote keeps files as an apply or a rollback left them.
func (m *Machine) wrote(ctx context.Context, a Apply, files []seenFile) error {
	cause, team := a.wrote()
	_, err := m.keepFiles(ctx, a.Gateway, nil, files, func(library.FileSnapshot, bool) (string, library.ID) {
		return cause, team
	})
	return err
}

func (a Apply) wrote() (cause string, team library.ID) {
	if a.Kind == KindRollback {
		return causeBack, a.Team
	}
	return causeApplied, a.Team
}

func (m *Machine) keepFiles(ctx context.Context, gateway string, mark *int, files []seenFile,
	cause func(f library.FileSnapshot, known bool) (string, library.ID)) (done bool, err error) {
	if m.files.history == nil {
		return false, nil
	}
	by := map[topology.AgentID][]library.FileSnapshot{}
	for _, f := range files {
		if f.NoFolder == "" && !f.Unsupported {
			by[f.agent] = append(by[f.agent], f.snapshot(gateway))
		}
	}
	newest, done, err := m.files.keep(ctx, gateway, mark, by, cause)
	if newest != "" && m.OnFile != nil {
		m.OnFile(gateway, newest)
	}
	return done, err
}

// keep returns the ID of the newest file that it kept.
func (k *fileHistory) keep(
	ctx context.Context,
	gateway string,
	mark *int,
	by map[topology.AgentID][]library.FileSnapshot,
	cause func(f library.FileSnapshot, known bool) (string, library.ID),
) (newest library.FileID, done bool, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if mark != nil && *mark != k.kept[gateway] {
		return "", false, nil
	}
	for _, of := range by {
		kept, err := k.history.Keep(ctx, of, cause)
		k.kept[gateway] += len(kept)
		for _, f := range kept {
			newest = max(newest, f.ID)
		}
		if err != nil {
			return newest, false, err
		}
	}
	return newest, true, nil
}

// writtenHere reports whether the last apply or rollback of the gateway wrote a file, although its end isn't recorded:
// it is still running, its answer was lost, or the hub ended before it. Each file is its own only once.
func (m *Machine) writtenHere(f library.FileSnapshot) (cause string, team library.ID, is bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, j := range slices.Backward(m.applies) {
		if j.apply.Gateway != f.Gateway {
			continue
		}
		if j.begun == nil || j.apply.State == Done || j.apply.State == Canceled {
			return "", "", false
		}
		at := slices.Index(j.begun.Writes, fileWritten{openclaw.FileRef{Agent: f.Agent, Name: f.Name}, f.Hash})
		if at < 0 {
			return "", "", false
		}
		j.begun.Writes = slices.Delete(j.begun.Writes, at, at+1)
		cause, team = j.apply.wrote()
		return cause, team, true
	}
	return "", "", false
}

// seeAll keeps files that were read for a team.
func (m *Machine) seeAll(ctx context.Context, gateway string, mark int, files openclaw.Files) error {
	var all []seenFile
	for agent, of := range files {
		for name, f := range of {
			all = append(all, seenFile{agent, name, f})
		}
	}
	return m.seen(ctx, gateway, mark, all...)
}

// replaced returns what a snapshot keeps of the files that the change after it replaced.
func replaced(kept []openclaw.KeptFile) []seenFile {
	out := make([]seenFile, 0, len(kept))
	for _, f := range kept {
		out = append(out, seenFile{f.Agent, f.Name, openclaw.File{Content: f.Content, Missing: f.Missing}})
	}
	return out
}

// keepWritten keeps the files that a push wrote, or had written when it failed and put the old ones back.
func (m *Machine) keepWritten(ctx context.Context, j *job, writes []openclaw.FileWrite, result openclaw.Result,
	failed error) error {
	a := m.applyOf(j)
	if !openclaw.Arrived(failed) {
		if !openclaw.PutBack(failed) {
			return nil
		}
		return m.wrote(ctx, a, replaced(j.replaced))
	}
	var files []seenFile
	for _, w := range writes {
		if slices.Contains(result.Files, openclaw.FileRef{Agent: w.Agent, Name: w.Name}) {
			files = append(files, seenFile{w.Agent, w.Name, openclaw.File{Content: w.Content}})
		}
	}
	return m.wrote(ctx, a, files)
}

func (m *Machine) applyOf(j *job) Apply {
	m.mu.Lock()
	defer m.mu.Unlock()
	return j.apply.copy()
}
