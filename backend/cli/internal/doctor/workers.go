package doctor

import (
	"context"
	"os"

	"agentflow/backend/plan/codecli"
)

// workers says which coding CLIs are there. None is needed before tasks are run.
func (o Options) workers(ctx context.Context) (checks []Check) {
	home, err := os.MkdirTemp("", "agentflow-doctor-") // they write into their home, whatever they are asked
	if err != nil {
		return []Check{
			{
				Name: "workers", Status: Warning,
				Message: "couldn't write to " + os.TempDir() + ": " + err.Error(),
				Remedy:  "make it writable, or set TMPDIR",
			},
		}
	}
	defer os.RemoveAll(home) //nolint:errcheck // what is left there is nobody's
	for _, f := range codecli.Find(ctx, home) {
		c := Check{Name: "worker " + string(f.Kind), Status: OK}
		switch {
		case f.Path == "":
			c.Status = Missing
			c.Message = "the command " + f.Command + " isn't installed. Only tasks that use this worker need it"
			c.Remedy = "install it: " + f.Install
		case f.Problem != "":
			c.Status, c.Message = Warning, f.Path+" doesn't work: "+f.Problem
			c.Remedy = "reinstall it: " + f.Install
		default:
			c.Message = f.Version + " (" + f.Path + ")"
		}
		checks = append(checks, c)
		if f.ACP.Command != f.Command {
			checks = append(checks, speaks(f))
		}
	}
	return checks
}

// speaks says whether the program is there by which a CLI is spoken with in the mode acp.
func speaks(f codecli.Found) Check {
	c := Check{Name: "worker " + string(f.Kind) + " acp", Status: OK, Message: f.ACP.Path}
	if f.ACP.Path == "" {
		c.Status = Missing
		c.Message = "the command " + f.ACP.Command + " isn't installed. Only tasks that use this worker in acp mode need it"
		c.Remedy = "install it: " + f.ACP.Install
	}
	return c
}
