package cli

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A wallClock is the calendar of one process, which it reads in the page that the kernel lends to
// each: what is set there nobody else sees, and the clock that only runs on stays as it is.
type wallClock struct {
	t   *testing.T
	pid int
	mem *os.File
	at  int64 // of the function in the process's memory
	len int64
}

// clock_gettime(id in edi, *timespec in rsi): the system's own answer, and for the calendar
// (id 0) so many seconds more.
var (
	beforeSeconds = []byte{0xb8, 228, 0, 0, 0, 0x0f, 0x05, 0x85, 0xff, 0x75, 13, 0x48, 0xb9} // mov eax, 228; syscall; test edi, edi; jne ret; mov rcx,
	afterSeconds  = []byte{0x48, 0x01, 0x0e, 0xc3}                                           // add [rsi], rcx; ret
)

// clockOf takes a process's calendar in hand.
func clockOf(t *testing.T, pid int) *wallClock {
	t.Helper()
	c := &wallClock{t: t, pid: pid}
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		t.Fatal(err)
	}
	var from, to int64
	for line := range strings.Lines(string(maps)) {
		if strings.HasSuffix(strings.TrimSpace(line), "[vdso]") {
			if _, err := fmt.Sscanf(line, "%x-%x", &from, &to); err != nil {
				t.Fatal(err)
			}
		}
	}
	if from == 0 {
		t.Skip("NOT RUN: this kernel lends processes no clock")
	}
	if c.mem, err = os.OpenFile(fmt.Sprintf("/proc/%d/mem", pid), os.O_RDWR, 0); err != nil {
		t.Skipf("NOT RUN: this test changes the clock of a process, and may not trace it: %v", err)
	}
	t.Cleanup(func() { _ = c.mem.Close() })
	page := make([]byte, to-from)
	if _, err := c.mem.ReadAt(page, from); err != nil {
		t.Fatal(err)
	}
	image, err := elf.NewFile(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	symbols, err := image.DynamicSymbols()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range symbols {
		if s.Name == "__vdso_clock_gettime" {
			c.at, c.len = from+int64(s.Value), int64(s.Size) //nolint:gosec // it lies within a page or two
		}
	}
	code := append(binary.LittleEndian.AppendUint64(bytes.Clone(beforeSeconds), 0), afterSeconds...)
	if c.at == 0 || c.len < int64(len(code)) {
		t.Skip("NOT RUN: this kernel lends processes another clock")
	}
	c.write(code, 0)
	return c
}

// set puts the calendar so far from the true one.
func (c *wallClock) set(off time.Duration) {
	c.t.Helper()
	seconds := binary.LittleEndian.AppendUint64(nil, uint64(int64(off.Seconds()))) //nolint:gosec // negative is as the processor adds it
	c.write(seconds, int64(len(beforeSeconds)))
}

// write changes the function while no thread is within it.
func (c *wallClock) write(code []byte, at int64) {
	c.t.Helper()
	deadline := time.Now().Add(time.Minute)
	for {
		if err := syscall.Kill(c.pid, syscall.SIGSTOP); err != nil {
			c.t.Fatal(err)
		}
		still := c.outside()
		if still {
			if _, err := c.mem.WriteAt(code, c.at+at); err != nil {
				_ = syscall.Kill(c.pid, syscall.SIGCONT)
				c.t.Skipf("NOT RUN: this test changes the clock of a process, and may not trace it: %v", err)
			}
		}
		if err := syscall.Kill(c.pid, syscall.SIGCONT); err != nil {
			c.t.Fatal(err)
		}
		if still {
			return
		}
		if time.Now().After(deadline) {
			c.t.Fatal("the process does not stand still")
		}
	}
}

// outside reports whether every thread stands still, and none in the function.
func (c *wallClock) outside() bool {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/syscall", c.pid))
	for _, path := range threads {
		text, err := os.ReadFile(path)
		words := strings.Fields(string(text))
		if err != nil || len(words) < 2 { // "running"
			return false
		}
		at, err := strconv.ParseInt(words[len(words)-1], 0, 64)
		if err != nil || at >= c.at && at < c.at+c.len {
			return false
		}
	}
	return len(threads) > 0
}
