package main

import (
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

// Frames that are the same are shown as one, and a later one holds only what changed.
func TestFilm(t *testing.T) {
	dir := t.TempDir()
	frame := func(name string, dots ...image.Point) {
		img := image.NewRGBA(image.Rect(0, 0, 20, 10))
		for i := range img.Pix {
			img.Pix[i] = 0xff
		}
		for _, d := range dots {
			img.SetRGBA(d.X, d.Y, color.RGBA{R: 0xff, A: 0xff})
		}
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := png.Encode(f, img); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	frame("000-100.png")
	frame("001-200.png")
	frame("002-300.png", image.Pt(3, 4), image.Pt(5, 6))
	out := filepath.Join(dir, "out.gif")
	if err := film(dir, out); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	got, err := gif.DecodeAll(f)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Image) != 2 || got.Delay[0] != 30 || got.Delay[1] != 30 || got.Image[1].Rect != image.Rect(3, 4, 6, 7) {
		t.Fatalf("%d frames, %v, the second is %v", len(got.Image), got.Delay, got.Image[len(got.Image)-1].Rect)
	}
	if r, g, _, _ := got.Image[1].At(3, 4).RGBA(); r != 0xffff || g != 0 {
		t.Errorf("a dot has lost its color: %v", got.Image[1].At(3, 4))
	}
	if err := film(t.TempDir(), out); err == nil {
		t.Error("no frames are no error")
	}
}
