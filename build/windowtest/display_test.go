//go:build window

package windowtest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
)

// screenshot keeps a picture of the whole screen among the artifacts of the test. It
// comes from the display, not from the page: it shows what a person would see.
func (w *window) screenshot(name string) image.Image {
	w.t.Helper()
	dump, err := os.ReadFile(w.screen.Frame)
	if err != nil {
		w.t.Fatal(err)
	}
	picture, err := readXWD(dump)
	if err != nil {
		w.t.Fatal(err)
	}
	var encoded bytes.Buffer
	if err := png.Encode(&encoded, picture); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(w.t.ArtifactDir(), name), encoded.Bytes(), 0o600); err != nil {
		w.t.Fatal(err)
	}
	return picture
}

// xwdHeader is the start of X's window dump format, big-endian.
type xwdHeader struct {
	HeaderSize, Version, Format, Depth, Width, Height, XOffset     uint32
	ByteOrder, BitmapUnit, BitmapBitOrder, BitmapPad, BitsPerPixel uint32
	BytesPerLine, VisualClass, Red, Green, Blue, BitsPerRGB        uint32
	ColormapEntries, Colors                                        uint32
}

// readXWD reads the one form Xvfb writes for a screen of depth 24.
func readXWD(dump []byte) (image.Image, error) {
	var h xwdHeader
	if err := binary.Read(bytes.NewReader(dump), binary.BigEndian, &h); err != nil {
		return nil, err
	}
	pixels := int(h.HeaderSize + 12*h.Colors)
	if h.BitsPerPixel != 32 || h.ByteOrder != 0 || len(dump) < pixels+int(h.BytesPerLine*h.Height) {
		return nil, errors.New("the display keeps its picture in another form")
	}
	img := image.NewNRGBA(image.Rect(0, 0, int(h.Width), int(h.Height)))
	for y := range int(h.Height) {
		line := dump[pixels+y*int(h.BytesPerLine):]
		for x := range int(h.Width) {
			img.SetNRGBA(x, y, color.NRGBA{R: line[4*x+2], G: line[4*x+1], B: line[4*x], A: 0xff})
		}
	}
	return img, nil
}

// colors counts the different colours of a picture: an empty window has one or two.
func colors(img image.Image) int {
	seen := map[color.Color]bool{}
	bounds := img.Bounds()
	for y := bounds.Min.Y; y < bounds.Max.Y; y += 2 {
		for x := bounds.Min.X; x < bounds.Max.X; x += 2 {
			seen[img.At(x, y)] = true
		}
	}
	return len(seen)
}
