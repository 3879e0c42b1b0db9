package rollout

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"

	"agentflow/backend/base/atomicfile"
	"agentflow/backend/base/errcode"
)

// jsonFile keeps values by gateway in a file of the data folder. Without a path, it keeps them only in memory.
type jsonFile[T any] struct {
	path string
	of   map[string]T
}

// openJSON reads a file, which may be missing. holds says what it has, for an error.
func openJSON[T any](path, holds string) (jsonFile[T], error) {
	f := jsonFile[T]{path: path, of: map[string]T{}}
	raw, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(raw, &f.of)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return f, errcode.Wrap(errcode.Internal, err,
			"%s can't be read: it has %s; put it aside to continue without it", path, holds)
	}
	return f, nil
}

func (f *jsonFile[T]) write() error {
	if f.path == "" {
		return nil
	}
	raw, err := json.Marshal(f.of)
	if err != nil {
		return errcode.Wrap(errcode.Internal, err, "%s can't be saved", f.path)
	}
	return atomicfile.Write(f.path, raw, 0o600)
}
