package main

import (
	"os"
	"os/exec"
	"testing"
)

func TestMemory(t *testing.T) {
	m, err := processMemory(os.Getpid())
	if err != nil || m.now <= 0 || m.peak < m.now {
		t.Errorf("%+v, %v", m, err)
	}
	if got, err := kilobytes("VmPeak:  1 kB\nVmRSS:\t  1000 kB\n", "VmRSS:"); err != nil || got != 1.024 {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := kilobytes("VmRSS: 1 kB\n", "Pss:"); err == nil {
		t.Error("a line that is not there was found")
	}
	if treeTime(os.Getpid()) < 0 || treeTime(-1) != 0 {
		t.Error("the time of this process, or of none")
	}
	child := exec.Command("cat")
	in, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	sum, n, err := treeMemory(os.Getpid())
	if err != nil || n < 2 || sum <= 0 {
		t.Errorf("%v MB in %d processes, %v", sum, n, err)
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := child.Wait(); err != nil {
		t.Fatal(err)
	}
}
