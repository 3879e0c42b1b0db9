//go:build desktop

package main

import (
	"encoding/json"
	"os"
	"path/filepath"

	"agentflow/backend/base/atomicfile"
)

// The smallest size the page is laid out for, and the one a first start gets.
const (
	minWidth, minHeight         = 390, 600
	defaultWidth, defaultHeight = 1280, 860
)

const placeFile = "window.json"

// place is where the window stood when it was closed, kept in the data folder.
type place struct {
	X         int  `json:"x"`
	Y         int  `json:"y"`
	Width     int  `json:"width"`
	Height    int  `json:"height"`
	Maximised bool `json:"maximised,omitempty"`
	known     bool // read from a file: without one the desktop chooses where it goes
}

// readPlace never fails: a window that stands at its default place is better than none.
func readPlace(dir string) place {
	p := place{Width: defaultWidth, Height: defaultHeight}
	b, err := os.ReadFile(filepath.Join(dir, placeFile))
	if err != nil {
		return p
	}
	read := place{known: true}
	if json.Unmarshal(b, &read) != nil || read.Width <= 0 || read.Height <= 0 {
		return p
	}
	read.Width, read.Height = max(read.Width, minWidth), max(read.Height, minHeight)
	return read
}

func (p place) write(dir string) error {
	b, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(dir, placeFile), b, 0o600)
}

// within moves the place into a screen of that size, which may be smaller than the one
// it was written on, or another one.
func (p place) within(width, height int) place {
	p.Width = max(min(p.Width, width), minWidth)
	p.Height = max(min(p.Height, height), minHeight)
	p.X = max(min(p.X, width-p.Width), 0)
	p.Y = max(min(p.Y, height-p.Height), 0)
	return p
}
