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
	for name, size := range map[string]int{"icons/16.png": 16, "icons/48.png": 48, "icons/64.png": 64} {
		got, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(decode(t, got), decode(t, drawn(size))) {
			t.Errorf("build/%s is another picture than build/icon draws", name)
		}
	}
	if got, err := os.ReadFile("../agentflow.svg"); err != nil || !bytes.Equal(got, svg()) {
		t.Errorf("build/agentflow.svg is another drawing than build/icon makes: %v", err)
	}
	if info, err := os.Stat(filepath.Join("..", "windows", "icon.ico")); err != nil || info.Size() < 1000 {
		t.Errorf("build/windows/icon.ico: %v", err)
	}
}

// decode returns the colors of a picture, pixel by pixel.
func decode(t *testing.T, file []byte) []byte {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(file))
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
