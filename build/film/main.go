// Film makes an animated GIF of the frames in a folder. A frame is a PNG named NUMBER-MILLISECONDS.png.
//
//	go run ./build/film FOLDER FILE.gif
package main

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	_ "image/png" // the frames
	"log"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// colors is how many a GIF can have. The most frequent ones of a frame are kept: a page has few others.
const colors = 256

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: film FOLDER FILE.gif")
	}
	if err := film(os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

func film(dir, out string) error {
	names, err := filepath.Glob(filepath.Join(dir, "*-*.png"))
	if err != nil || len(names) == 0 {
		return fmt.Errorf("no frames in %s: %w", dir, err)
	}
	slices.Sort(names)
	anim := &gif.GIF{}
	var last *image.RGBA
	for _, name := range names {
		frame, ms, err := read(name)
		if err != nil {
			return err
		}
		changed := difference(last, frame)
		if changed.Empty() && len(anim.Delay) > 0 {
			anim.Delay[len(anim.Delay)-1] += ms / 10
			continue
		}
		anim.Image = append(anim.Image, paletted(frame, changed))
		anim.Delay = append(anim.Delay, ms/10)
		last = frame
	}
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	if err := gif.EncodeAll(f, anim); err != nil {
		_ = f.Close()
		return err
	}
	return f.Close()
}

func read(name string) (*image.RGBA, int, error) {
	_, time, _ := strings.Cut(strings.TrimSuffix(filepath.Base(name), ".png"), "-")
	ms, err := strconv.Atoi(time)
	if err != nil {
		return nil, 0, fmt.Errorf("%s names no time: %w", name, err)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = f.Close() }()
	img, _, err := image.Decode(f)
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", name, err)
	}
	frame := image.NewRGBA(img.Bounds())
	draw.Draw(frame, frame.Bounds(), img, img.Bounds().Min, draw.Src)
	return frame, ms, nil
}

// difference returns the smallest rectangle around the pixels that differ, or all of b without an a.
func difference(a, b *image.RGBA) image.Rectangle {
	if a == nil || a.Bounds() != b.Bounds() {
		return b.Bounds()
	}
	var r image.Rectangle
	for y := b.Rect.Min.Y; y < b.Rect.Max.Y; y++ {
		for x := b.Rect.Min.X; x < b.Rect.Max.X; x++ {
			if a.RGBAAt(x, y) != b.RGBAAt(x, y) {
				r = r.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return r
}

// paletted returns a part of a frame in the part's most frequent colors.
func paletted(frame *image.RGBA, part image.Rectangle) *image.Paletted {
	count := map[color.RGBA]int{}
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			count[frame.RGBAAt(x, y)]++
		}
	}
	all := make([]color.RGBA, 0, len(count))
	for c := range count {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b color.RGBA) int {
		if n := count[b] - count[a]; n != 0 {
			return n
		}
		return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) // the same picture every time
	})
	p := make(color.Palette, 0, colors)
	for _, c := range all[:min(len(all), colors)] {
		p = append(p, c)
	}
	img := image.NewPaletted(part, p)
	index := map[color.RGBA]uint8{}
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			c := frame.RGBAAt(x, y)
			i, known := index[c]
			if !known {
				i = uint8(p.Index(c)) //nolint:gosec // a palette has at most 256 colors
				index[c] = i
			}
			img.SetColorIndex(x, y, i)
		}
	}
	return img
}
