package files

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"

	"agentflow/backend/base/errcode"
)

// Limits of a search.
const (
	maxVisited = 20_000
	maxMatches = 200
	maxLine    = 300
	maxLooked  = 4 << 20 // bytes of one file
)

var errEnough = errors.New("enough")

type listArgs struct {
	Path      string `json:"path,omitzero"`
	Recursive bool   `json:"recursive,omitzero"`
}

func (f *Folders) list(ctx context.Context, a listArgs) (string, error) {
	var b strings.Builder
	n := 0
	err := f.walk(ctx, a.Path, func(name string, e fs.DirEntry) error {
		if n++; n > maxListed {
			return errEnough
		}
		kind, size := "", ""
		switch {
		case e.IsDir():
			kind = "/"
		case e.Type()&fs.ModeSymlink != 0:
			kind = "@"
		default:
			if info, err := e.Info(); err == nil {
				size = fmt.Sprintf("  %d bytes", info.Size())
			}
		}
		fmt.Fprintf(&b, "%s%s%s\n", name, kind, size)
		if e.IsDir() && !a.Recursive {
			return fs.SkipDir
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		fmt.Fprintf(&b, "[… more than %d: list a folder further down]\n", maxListed)
		err = nil
	}
	if err == nil && b.Len() == 0 {
		return "(empty)", nil
	}
	return b.String(), err
}

// walk visits everything below a path, without following symbolic links. The names it passes can be used as paths.
func (f *Folders) walk(ctx context.Context, at string, visit func(name string, e fs.DirEntry) error) error {
	p, start, err := f.find(at)
	if err != nil {
		return err
	}
	say := filepath.FromSlash
	if filepath.IsAbs(at) {
		say = func(name string) string { return filepath.Join(p.path, filepath.FromSlash(name)) }
	}
	start = path.Clean(filepath.ToSlash(start))
	if info, err := p.root.Stat(filepath.FromSlash(start)); err != nil {
		return f.refused(at, err)
	} else if !info.IsDir() {
		return visit(say(start), fs.FileInfoToDirEntry(info))
	}
	sub, err := p.root.OpenRoot(filepath.FromSlash(start))
	if err != nil {
		return f.refused(at, err)
	}
	defer sub.Close() //nolint:errcheck // it was only read
	return fs.WalkDir(sub.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil || name == "." {
			return nil //nolint:nilerr // skip what can't be read
		}
		return visit(say(path.Join(start, name)), e)
	})
}

type searchArgs struct {
	Pattern string `json:"pattern"`
	Path    string `json:"path,omitzero"`
	Names   string `json:"names,omitzero"`
}

func (f *Folders) search(ctx context.Context, a searchArgs) (string, error) {
	re, err := regexp.Compile(a.Pattern)
	if err != nil || a.Pattern == "" {
		return "", errcode.New(errcode.Validation, "the pattern is not a regular expression: %v", err)
	}
	if _, err := path.Match(a.Names, ""); err != nil {
		return "", errcode.New(errcode.Validation, "names is not a pattern such as *.go")
	}
	s := &search{folders: f, re: re}
	visited := 0
	err = f.walk(ctx, a.Path, func(name string, e fs.DirEntry) error {
		if visited++; visited > maxVisited {
			return errEnough
		}
		fits := a.Names == ""
		if !fits {
			fits, _ = path.Match(a.Names, e.Name()) // checked above
		}
		switch {
		case e.IsDir() && e.Name() == ".git":
			return fs.SkipDir
		case !fits || !e.Type().IsRegular():
			return nil
		}
		return s.file(name)
	})
	if errors.Is(err, errEnough) {
		s.found.WriteString("[… there may be more: search a folder further down]\n")
		err = nil
	}
	if err == nil && s.found.Len() == 0 {
		return "(nothing found)", nil
	}
	return s.found.String(), err
}

type search struct {
	folders *Folders
	re      *regexp.Regexp
	found   strings.Builder
	n       int
}

func (s *search) file(name string) error {
	file, info, err := s.folders.open(name)
	if err != nil || info.Size() > maxLooked {
		return nil // skip what can't be read
	}
	defer file.Close() //nolint:errcheck // it was only read
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, maxLooked)
	for number := 1; lines.Scan(); number++ {
		line := lines.Text()
		if strings.ContainsRune(line, 0) || !utf8.ValidString(line) {
			return nil // not a text
		}
		if !s.re.MatchString(line) {
			continue
		}
		if s.n++; s.n > maxMatches {
			return errEnough
		}
		if runes := []rune(line); len(runes) > maxLine {
			line = string(runes[:maxLine]) + "…"
		}
		fmt.Fprintf(&s.found, "%s:%d: %s\n", name, number, line)
	}
	return nil
}
