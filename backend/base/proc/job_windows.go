package proc

import (
	"sync"
	"unsafe"

	"golang.org/x/sys/windows"
)

var (
	kernel32             = windows.NewLazySystemDLL("kernel32.dll")
	isProcessInJob       = kernel32.NewProc("IsProcessInJob")
	globalMemoryStatusEx = kernel32.NewProc("GlobalMemoryStatusEx")
)

// maxJobProcesses is how many processes a restricted job can have at once.
const maxJobProcesses = 512

// allUI are the restrictions of the user interface: windows, clipboard, settings and atoms of other
// programs, other desktops, and the end of the session.
const allUI = windows.JOB_OBJECT_UILIMIT_HANDLES |
	windows.JOB_OBJECT_UILIMIT_READCLIPBOARD | windows.JOB_OBJECT_UILIMIT_WRITECLIPBOARD |
	windows.JOB_OBJECT_UILIMIT_SYSTEMPARAMETERS | windows.JOB_OBJECT_UILIMIT_DISPLAYSETTINGS |
	windows.JOB_OBJECT_UILIMIT_GLOBALATOMS | windows.JOB_OBJECT_UILIMIT_DESKTOP |
	windows.JOB_OBJECT_UILIMIT_EXITWINDOWS

// RestrictsUI reports whether a restricted job also restricts the user interface. Windows doesn't allow that
// for a job within another one, so it depends on whether this program itself runs in a job.
var RestrictsUI = sync.OnceValue(func() bool {
	var in int32
	ok, _, _ := isProcessInJob.Call(uintptr(windows.CurrentProcess()), 0, uintptr(unsafe.Pointer(&in)))
	return ok != 0 && in == 0
})

// newJob creates a job object that ends its processes when its last handle is closed. With ui, a restricted one
// also restricts the user interface.
func newJob(restricted, ui bool) (windows.Handle, error) {
	handle, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, err
	}
	limits := limitsOf(restricted)
	err = set(handle, windows.JobObjectExtendedLimitInformation, unsafe.Pointer(&limits), unsafe.Sizeof(limits))
	if err == nil && restricted && ui && RestrictsUI() {
		all := windows.JOBOBJECT_BASIC_UI_RESTRICTIONS{UIRestrictionsClass: allUI}
		err = set(handle, windows.JobObjectBasicUIRestrictions, unsafe.Pointer(&all), unsafe.Sizeof(all))
	}
	if err != nil {
		_ = windows.CloseHandle(handle)
		return 0, err
	}
	return handle, nil
}

func limitsOf(restricted bool) windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION {
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	basic := &limits.BasicLimitInformation
	basic.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	if restricted {
		basic.LimitFlags |= windows.JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION |
			windows.JOB_OBJECT_LIMIT_ACTIVE_PROCESS | windows.JOB_OBJECT_LIMIT_JOB_MEMORY
		basic.ActiveProcessLimit = maxJobProcesses
		limits.JobMemoryLimit = uintptr(min(jobMemory(totalMemory()), uint64(^uintptr(0))))
	}
	return limits
}

func set(job windows.Handle, class uint32, value unsafe.Pointer, size uintptr) error {
	_, err := windows.SetInformationJobObject(job, class, uintptr(value), uint32(size))
	return err
}

// totalMemory returns the computer's memory in bytes, or 0 if Windows doesn't tell.
func totalMemory() uint64 {
	var status struct { // MEMORYSTATUSEX
		length, load          uint32
		total, available      uint64
		pages, availablePages uint64
		space, availableSpace uint64
		extended              uint64
	}
	status.length = uint32(unsafe.Sizeof(status))
	if ok, _, _ := globalMemoryStatusEx.Call(uintptr(unsafe.Pointer(&status))); ok == 0 {
		return 0
	}
	return status.total
}
