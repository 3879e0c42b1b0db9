package openclaw

import (
	"context"
	"slices"
	"strings"
	"time"

	"agentflow/backend/base/errcode"
)

const (
	putBackWithin = time.Minute
	newAgentTries = 5 // a gateway may take a moment until it serves the files of a new agent
)

// checkFiles reads the files once more that a push replaces, and keeps them for its snapshot.
func (p *pusher) checkFiles(ctx context.Context) ([]KeptFile, error) {
	var kept []KeptFile
	for _, w := range p.files {
		if w.New {
			continue
		}
		now, err := p.gw.ReadFile(ctx, w.Agent, w.Name)
		if err != nil {
			return nil, err
		}
		if now.Hash != w.Hash {
			return nil, fileChanged(w, now)
		}
		kept = append(kept, KeptFile{Agent: w.Agent, Name: w.Name, Content: now.Content, Missing: now.Missing})
	}
	return kept, nil
}

// fileChanged is the error of a file that isn't what was reviewed, with what is there now.
func fileChanged(w FileWrite, now File) error {
	e := errcode.New(errcode.Conflict,
		"%s of %s changed on the gateway since it was read. It wasn't written. Review again", w.Name, w.Agent).
		With(errcode.KeyReason, errcode.ReasonFileChanged).
		With("agent", w.Agent).
		With(errcode.KeyFile, w.Name).
		With("currentHash", now.Hash)
	if !now.Missing && !now.Binary {
		e = e.With("current", now.Content)
	}
	return e
}

// writeFiles writes the files of agents that the gateway has, or with fresh those of agents that came with the config.
func (p *pusher) writeFiles(ctx context.Context, fresh bool) error {
	step := StepFiles
	if fresh {
		step = StepNewFiles
	}
	if !slices.ContainsFunc(p.files, func(w FileWrite) bool { return w.New == fresh }) {
		return nil
	}
	p.begin(step)
	for _, w := range p.files {
		if w.New != fresh {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		p.progress(Progress{State: ProgressStarted, Agent: w.Agent, Message: w.Name})
		if fresh {
			if err := p.meetNew(ctx, &w); err != nil {
				return err
			}
		}
		if err := p.writeFile(ctx, w); err != nil {
			return err
		}
		p.res.Files = append(p.res.Files, FileRef{Agent: w.Agent, Name: w.Name})
	}
	p.done()
	return nil
}

// meetNew finds out what a new agent's workspace already has: gateways fill it from templates.
func (p *pusher) meetNew(ctx context.Context, w *FileWrite) error {
	for try := 1; ; try++ {
		now, err := p.gw.ReadFile(ctx, w.Agent, w.Name)
		if err == nil {
			if why := now.Blocked(w.Agent, w.Name); why != "" {
				return errcode.New(errcode.Gateway, "%s", why).With(errcode.KeyReason, errcode.ReasonRejected)
			}
			w.Hash = now.Hash
			return nil
		}
		if try == newAgentTries || !pause(ctx, time.Duration(try)*readPause) {
			return err
		}
	}
}

// writeFile writes one file. Where the answer is lost, the file itself says what became of it.
func (p *pusher) writeFile(ctx context.Context, w FileWrite) error {
	for {
		err := p.gw.WriteFile(ctx, w.Agent, w.Name, w.Content, w.Hash)
		again, err := p.waitIfLimited(ctx, err)
		switch {
		case again:
			continue
		case err == nil:
			p.written = append(p.written, w)
			return nil
		case errcode.HasReason(err, errcode.ReasonFileChanged):
			now, rerr := p.gw.ReadFile(ctx, w.Agent, w.Name)
			if rerr != nil {
				return err
			}
			return fileChanged(w, now)
		case errcode.HasReason(err, errcode.ReasonUnknown):
			return p.resolveFile(ctx, w, err)
		}
		return err
	}
}

func (p *pusher) resolveFile(ctx context.Context, w FileWrite, lost error) error {
	uncertain := func() error {
		p.written = append(p.written, w) // it may have been, so it is put back if it can be
		return lost
	}
	if err := p.gw.WaitReady(ctx); err != nil {
		return uncertain()
	}
	now, err := p.gw.ReadFile(ctx, w.Agent, w.Name)
	switch {
	case err != nil:
		return uncertain()
	case !now.Missing && now.Content == w.Content:
		p.written = append(p.written, w)
		return nil
	case now.Hash == w.Hash:
		return errcode.Wrap(errcode.Gateway, lost,
			"the connection was lost before the gateway received %s of %s. Apply again", w.Name, w.Agent).
			With(errcode.KeyReason, errcode.ReasonLinkDown)
	}
	return fileChanged(w, now)
}

// putBack writes the old content of the files that were written, newest first, because the rest of the push failed. It
// returns err with what became of them. A file that somebody changed since stays.
func (p *pusher) putBack(ctx context.Context, err error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), putBackWithin)
	defer cancel()
	e := errcode.From(err)
	var left []string
	ready := p.gw.WaitReady(ctx)
	for _, w := range slices.Backward(p.written) {
		if ready != nil || p.restore(ctx, w) != nil {
			left = append(left, w.Name+" of "+string(w.Agent))
		}
	}
	p.written, p.res.Files = nil, nil
	if len(left) == 0 {
		return say(e, "The files that were already written have their old content again").With(keyPutBack, true)
	}
	slices.Sort(left)
	return say(e, "These files were already written and couldn't be put back: "+strings.Join(left, ", ")+
		". To get their old content, roll back to the snapshot of this apply").With("filesLeft", left)
}

const keyPutBack = "filesPutBack"

// PutBack reports whether a push that failed wrote files and gave all of them their old content again.
func PutBack(err error) bool { return err != nil && errcode.From(err).Details[keyPutBack] == true }

func (p *pusher) restore(ctx context.Context, w FileWrite) error {
	i := slices.IndexFunc(p.kept, func(k KeptFile) bool { return k.Agent == w.Agent && k.Name == w.Name })
	if i < 0 {
		return nil
	}
	now, err := p.gw.ReadFile(ctx, w.Agent, w.Name)
	if err != nil {
		return err
	}
	old := p.kept[i]
	switch {
	case now.Hash == w.Hash: // it never got there
		return nil
	case now.Content != w.Content:
		return fileChanged(w, now)
	}
	return p.gw.WriteFile(ctx, w.Agent, w.Name, old.Content, now.Hash)
}

// say adds a sentence to an error.
// filesLeft is the error of a push whose config the gateway has, when a file of a new agent couldn't be written.
func filesLeft(err error) *errcode.Error {
	e := say(errcode.From(err), "The config and the other files were applied. Review again to write the rest")
	e.Code = errcode.Gateway
	return e.With(errcode.KeyReason, ReasonFilesLeft)
}

func say(e *errcode.Error, sentence string) *errcode.Error {
	out := errcode.Wrap(e.Code, e, "%s. %s", strings.TrimRight(e.Message, "."), sentence)
	out.Details = e.Details
	return out
}
