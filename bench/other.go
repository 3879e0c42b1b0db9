//go:build !linux

package main

import (
	"context"
	"time"
)

type memory struct{ now, peak float64 }

func processMemory(int) (memory, error) { return memory{}, errLinux }

func windowFigures(context.Context, setup, *report) error { return errLinux }

func largeWindowFigures(context.Context, setup, *report) error { return errLinux }

func floodWindowFigures(context.Context, setup, *report) error { return errLinux }

func workerFigures(context.Context, setup, *report) error { return errLinux }

func treeTime(int) time.Duration { return 0 }
