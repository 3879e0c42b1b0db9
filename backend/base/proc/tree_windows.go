package proc

import (
	"context"
	"os/exec"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Shim is needed on Linux only: here a job object holds a program's tree.
func Shim() (code int, is bool) { return 0, false }

// Sweep has nothing to do: a job's processes end with the program that made it.
func Sweep(context.Context, string) (int, error) { return 0, nil }

// job is a program in a job object, which no process of the tree can leave, and which the
// system ends with this program.
type job struct {
	cmd    *exec.Cmd
	c      Command
	handle windows.Handle
	kills  *time.Timer
}

func hold(cmd *exec.Cmd, c Command) *job { return &job{cmd: cmd, c: c} }

func (j *job) start() error {
	j.cmd.WaitDelay = 2 * time.Second // who is left may hold the output open: it is ended only then
	handle, err := newJob(j.c.Restricted, !j.c.Jobs)
	if err != nil {
		return err
	}
	// It waits until it is in the job: what it started before would be outside.
	j.cmd.SysProcAttr = &syscall.SysProcAttr{
		CreationFlags: windows.CREATE_SUSPENDED | windows.CREATE_NEW_PROCESS_GROUP,
	}
	if err := j.cmd.Start(); err != nil {
		_ = windows.CloseHandle(handle)
		return err
	}
	j.handle = handle
	if err := j.enter(uint32(j.cmd.Process.Pid)); err != nil {
		_ = j.cmd.Process.Kill()
		_ = j.cmd.Wait()
		_ = windows.CloseHandle(handle)
		return err
	}
	return nil
}

func (j *job) enter(pid uint32) error {
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, pid)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(process) //nolint:errcheck // only used here
	if err := windows.AssignProcessToJobObject(j.handle, process); err != nil {
		return err
	}
	return resume(pid)
}

// resume lets a suspended process run. Its one thread is found in the list of all.
func resume(pid uint32) error {
	all, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPTHREAD, 0)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(all) //nolint:errcheck // only read
	entry := windows.ThreadEntry32{Size: uint32(unsafe.Sizeof(windows.ThreadEntry32{}))}
	for err = windows.Thread32First(all, &entry); err == nil; err = windows.Thread32Next(all, &entry) {
		if entry.OwnerProcessID != pid {
			continue
		}
		thread, err := windows.OpenThread(windows.THREAD_SUSPEND_RESUME, false, entry.ThreadID)
		if err != nil {
			return err
		}
		_, err = windows.ResumeThread(thread)
		_ = windows.CloseHandle(thread)
		return err
	}
	return err
}

func (j *job) end() {
	_ = windows.GenerateConsoleCtrlEvent(windows.CTRL_BREAK_EVENT, uint32(j.cmd.Process.Pid))
	j.kills = time.AfterFunc(j.c.Grace, func() { _ = windows.TerminateJobObject(j.handle, 1) })
}

func (j *job) waitGone() (Result, error) {
	if j.kills != nil {
		j.kills.Stop()
	}
	_ = windows.TerminateJobObject(j.handle, 1)
	_ = windows.CloseHandle(j.handle)
	return Result{Code: j.cmd.ProcessState.ExitCode()}, nil
}
