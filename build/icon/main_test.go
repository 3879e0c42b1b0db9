package main

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

// The committed files are the drawing's; `make icons` writes them.
func TestIconsAreDrawn(t *testing.T) {
	dir := t.TempDir()
	if err := writeAll(dir); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"appicon.png", "icons/16.png", "icons/256.png"} {
		want, got := decode(t, filepath.Join(dir, name)), decode(t, filepath.Join("..", name))
		if !bytes.Equal(want, got) {
			t.Errorf("build/%s is another picture than build/icon draws", name)
		}
	}
	want, err := os.ReadFile(filepath.Join(dir, "agentflow.svg"))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join("..", "agentflow.svg")); err != nil || !bytes.Equal(want, got) {
		t.Errorf("build/agentflow.svg is another drawing than build/icon makes: %v", err)
	}
	if info, err := os.Stat(filepath.Join("..", "windows", "icon.ico")); err != nil || info.Size() < 1000 {
		t.Errorf("build/windows/icon.ico: %v", err)
	}
}

// decode returns the colors of a picture, pixel by pixel.
func decode(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	var pixels []byte
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			r, g, b, a := img.At(x, y).RGBA()
			pixels = append(pixels, byte(r>>8), byte(g>>8), byte(b>>8), byte(a>>8))
		}
	}
	return pixels
}
