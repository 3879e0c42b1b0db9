package startupfiles

import (
	"os"
	"path/filepath"
	"testing"

	"agentflow/backend/base/errcode"
)

func TestRead(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	if f, err := Read(write("a.agentflow.yaml", "agentflow: 1\n")); err != nil || f.Name != "a.agentflow.yaml" || f.Text != "agentflow: 1\n" || f.Data != nil {
		t.Errorf("a text: %+v, %v", f, err)
	}
	if f, err := Read(write("b.agentflow.zip", "PK\x03\x04")); err != nil || f.Text != "" || string(f.Data) != "PK\x03\x04" {
		t.Errorf("a bundle: %+v, %v", f, err)
	}
	if _, err := Read(filepath.Join(dir, "absent.yaml")); !errcode.Is(err, errcode.NotFound) {
		t.Errorf("no file: %v", err)
	}
	if _, err := Read(dir); !errcode.Is(err, errcode.Validation) {
		t.Errorf("a folder: %v", err)
	}
	large := write("film.yaml", "")
	if err := os.Truncate(large, MaxBytes+1); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(large); !errcode.Is(err, errcode.Validation) {
		t.Errorf("a film: %v", err)
	}
}

func TestTrayGivesEachFileOnce(t *testing.T) {
	var tray Pending
	told := tray.Subscribe(most)
	defer told.Close()
	for range most {
		if err := tray.Put(File{Name: "x"}); err != nil {
			t.Fatal(err)
		}
		<-told.C()
	}
	if err := tray.Put(File{Name: "one more"}); !errcode.Is(err, errcode.Conflict) {
		t.Errorf("a full tray: %v", err)
	}
	for range most {
		if f := tray.Take(); f == nil || f.Name != "x" {
			t.Fatalf("took %+v", f)
		}
	}
	if f := tray.Take(); f != nil || tray.Waiting() != 0 {
		t.Errorf("an empty tray gave %+v", f)
	}
}
