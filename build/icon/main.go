// Icon draws AgentFlow's icon: three connected agents in the accent color. It writes
// appicon.png, icons/N.png, agentflow.svg and windows/icon.ico into a folder.
//
//	go run ./build/icon build
package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
)

var (
	accent = color.NRGBA{R: 0x16, G: 0x5e, B: 0x83, A: 0xff}
	paper  = color.NRGBA{R: 0xff, G: 0xff, B: 0xff, A: 0xff}
)

// The drawing, on a square with sides of 1.
const (
	corner = 0.22  // radius of the square's corners
	stroke = 0.052 // width of a connection
	ring   = 0.05  // width of a node's outline
)

type point struct{ x, y float64 }

type node struct {
	point
	r      float64
	filled bool
}

var (
	nodes = []node{{point{0.5, 0.27}, 0.125, true}, {point{0.26, 0.71}, 0.115, false},
		{point{0.74, 0.71}, 0.115, false}}
	edges = [][2]int{{0, 1}, {0, 2}, {1, 2}}
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: icon FOLDER")
		os.Exit(2)
	}
	if err := writeAll(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func writeAll(dir string) error {
	files := map[string][]byte{"agentflow.svg": svg(), "appicon.png": drawn(512)}
	for _, size := range []int{16, 32, 48, 64, 128, 256} {
		files[fmt.Sprintf("icons/%d.png", size)] = drawn(size)
	}
	files["windows/icon.ico"] = ico(files["icons/16.png"], files["icons/32.png"], files["icons/48.png"],
		files["icons/256.png"])
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// drawn is the icon as a PNG with sides of size pixels.
func drawn(size int) []byte {
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	for y := range size {
		for x := range size {
			img.SetNRGBA(x, y, pixel(x, y, size))
		}
	}
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, img); err != nil {
		panic(err) // a buffer takes everything
	}
	return out.Bytes()
}

// pixel averages 4 × 4 samples, which makes smooth edges.
func pixel(x, y, size int) color.NRGBA {
	const samples = 4
	var inside, white float64
	for i := range samples * samples {
		p := point{
			(float64(x) + (float64(i%samples)+0.5)/samples) / float64(size),
			(float64(y) + (float64(i/samples)+0.5)/samples) / float64(size),
		}
		if !inSquare(p) {
			continue
		}
		inside++
		if inDrawing(p) {
			white++
		}
	}
	if inside == 0 {
		return color.NRGBA{}
	}
	share := white / inside
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a)*(1-share) + float64(b)*share)) }
	return color.NRGBA{
		R: mix(accent.R, paper.R), G: mix(accent.G, paper.G), B: mix(accent.B, paper.B),
		A: uint8(math.Round(255 * inside / (samples * samples))),
	}
}

func inSquare(p point) bool {
	dx, dy := math.Max(corner-math.Min(p.x, 1-p.x), 0), math.Max(corner-math.Min(p.y, 1-p.y), 0)
	return math.Hypot(dx, dy) <= corner
}

func inDrawing(p point) bool {
	for _, n := range nodes {
		if d := math.Hypot(p.x-n.x, p.y-n.y); d <= n.r {
			return n.filled || d >= n.r-ring
		}
	}
	for _, e := range edges {
		if distance(p, nodes[e[0]].point, nodes[e[1]].point) <= stroke/2 {
			return true
		}
	}
	return false
}

// distance is how far p is from the line between a and b.
func distance(p, a, b point) float64 {
	dx, dy := b.x-a.x, b.y-a.y
	t := math.Max(0, math.Min(1, ((p.x-a.x)*dx+(p.y-a.y)*dy)/(dx*dx+dy*dy)))
	return math.Hypot(p.x-a.x-t*dx, p.y-a.y-t*dy)
}

// svg is the same drawing for desktops that scale icons themselves.
func svg() []byte {
	const unit = 512
	hex := fmt.Sprintf("#%02x%02x%02x", accent.R, accent.G, accent.B)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d">`+"\n", unit, unit)
	fmt.Fprintf(&b, `  <rect width="%d" height="%d" rx="%.0f" fill="%s"/>`+"\n", unit, unit, corner*unit, hex)
	fmt.Fprintf(&b, `  <g fill="%s" stroke="#fff">`+"\n", hex)
	for _, e := range edges {
		from, to := nodes[e[0]], nodes[e[1]]
		fmt.Fprintf(&b, `    <line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke-width="%.1f"/>`+"\n", from.x*unit,
			from.y*unit, to.x*unit, to.y*unit, stroke*unit)
	}
	for _, n := range nodes {
		fill := ""
		if n.filled {
			fill = ` fill="#fff"`
		}
		fmt.Fprintf(&b, `    <circle cx="%.1f" cy="%.1f" r="%.1f" stroke-width="%.1f"%s/>`+"\n", n.x*unit, n.y*unit,
			(n.r-ring/2)*unit, ring*unit, fill)
	}
	b.WriteString("  </g>\n</svg>\n")
	return []byte(b.String())
}

// ico wraps PNGs as Windows wants them.
func ico(pngs ...[]byte) []byte {
	var head, body bytes.Buffer
	put := func(values ...any) {
		for _, v := range values {
			if err := binary.Write(&head, binary.LittleEndian, v); err != nil {
				panic(err) // a buffer takes everything
			}
		}
	}
	put(uint16(0), uint16(1), uint16(len(pngs)))
	for _, p := range pngs {
		config, err := png.DecodeConfig(bytes.NewReader(p))
		if err != nil {
			panic(err) // drawn wrote it
		}
		offset := 6 + 16*len(pngs) + body.Len()
		put(uint8(config.Width), uint8(config.Height), uint8(0), uint8(0), uint16(1), uint16(32), uint32(len(p)), uint32(offset)) // 256 is written as 0
		body.Write(p)
	}
	return append(head.Bytes(), body.Bytes()...)
}
