package plancmd

import (
	"bytes"
	"context"
	"sync"

	"agentflow/backend/base/atomicfile"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/plan"
)

// planFile is the file of a plan that runs. A person can edit it meanwhile; only the statuses of known tasks are the
// run's.
type planFile struct {
	path string
	read func(path string) ([]byte, error)

	mu     sync.Mutex
	plan   *plan.Plan
	known  []byte // the file's content as it was read or written last
	edited bool   // since the last call of latest
}

// openPlan reads a plan file.
func (p program) openPlan(path string) (*planFile, error) {
	f := &planFile{path: path, read: p.ReadBytes, plan: &plan.Plan{}}
	if err := f.reread(); err != nil {
		return nil, err
	}
	f.edited = false
	return f, nil
}

// reread takes over what has changed in the file. mu is held.
func (f *planFile) reread() error {
	data, err := f.read(f.path)
	if err != nil || bytes.Equal(data, f.known) {
		return err
	}
	p, err := plan.Read(data, shell.Name(f.path))
	if err != nil {
		return err
	}
	for i := range p.Tasks {
		if was, ok := f.plan.Task(p.Tasks[i].ID); ok {
			p.Tasks[i].Status = was.Status
		}
	}
	f.plan, f.known, f.edited = p, data, true
	return nil
}

// latest returns the plan if the file was edited since the last call.
func (f *planFile) latest(context.Context) (*plan.Plan, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.reread(); err != nil || !f.edited {
		return nil, err
	}
	f.edited = false
	return f.plan, nil
}

// set writes the status of a task into the file and returns the task's title, or false if the task is gone.
func (f *planFile) set(id plan.ID, to plan.Status) (title string, ok bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.reread(); err != nil {
		return "", false, err
	}
	t, ok := f.plan.Task(id)
	if !ok {
		return "", false, nil
	}
	t.Status = to
	data := f.plan.JSON()
	if err := atomicfile.Write(f.path, data, shell.TeamMode); err != nil {
		return "", false, err
	}
	f.known = data
	return t.Title, true, nil
}
