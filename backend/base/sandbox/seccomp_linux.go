package sandbox

import (
	"unsafe"

	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// Places in the kernel's struct seccomp_data. Both architectures are little-endian.
const (
	atNumber = 0
	atArch   = 4
	atArg0   = 16
	atArg1   = 24
)

// x32 marks system calls of the 32-bit variant of amd64.
const x32 = 0x40000000

// denied are system calls that no command needs and that lead around the sandbox or into the
// kernel. Most are for root only, and a command of root is sandboxed as well. Debuggers are
// bound by Landlock: they reach what is in the same sandbox only.
var denied = []uint32{
	unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY,
	unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
	unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD,
	unix.SYS_REBOOT, unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_ACCT, unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_SETHOSTNAME,
	unix.SYS_SETDOMAINNAME, unix.SYS_QUOTACTL, unix.SYS_SYSLOG, unix.SYS_VHANGUP, unix.SYS_SETNS,
}

// filter applies a seccomp filter to this thread. A call that is denied fails with EPERM, a
// family of sockets with EAFNOSUPPORT, so that programs go on without.
func filter(p policy) error {
	if auditArch == 0 {
		return nil
	}
	abi, _ := ll.LandlockGetABIVersion()
	program := program(p.Network, p.Sockets || abi >= 9 && p.Bubblewrap == "")
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	f := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	return unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&f)), 0, 0)
}

// program writes the filter. Without the network only Unix sockets can be made, and without
// those none: pairs of connected sockets remain, which lead nowhere else.
func program(network, sockets bool) []unix.SockFilter {
	var out []unix.SockFilter
	load := func(at uint32) {
		out = append(out, unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at})
	}
	test := func(op uint16, k uint32, yes, no uint8) {
		out = append(out, unix.SockFilter{Code: unix.BPF_JMP | op | unix.BPF_K, Jt: yes, Jf: no, K: k})
	}
	end := func(action uint32) { out = append(out, unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: action}) }
	fail := func(errno unix.Errno) { end(unix.SECCOMP_RET_ERRNO | uint32(errno)) }

	load(atArch)
	test(unix.BPF_JEQ, auditArch, 1, 0)
	fail(unix.EPERM) // another architecture counts its calls otherwise
	load(atNumber)
	test(unix.BPF_JGE, x32, 0, 1)
	fail(unix.EPERM)
	for _, number := range denied {
		test(unix.BPF_JEQ, number, 0, 1)
		fail(unix.EPERM)
	}
	test(unix.BPF_JEQ, unix.SYS_IOCTL, 0, 4)
	load(atArg1)
	test(unix.BPF_JEQ, unix.TIOCSTI, 0, 1) // typing into the person's terminal
	fail(unix.EPERM)
	end(unix.SECCOMP_RET_ALLOW)
	if !sockets {
		// A pair of datagram sockets can still send to any address.
		test(unix.BPF_JEQ, unix.SYS_SOCKETPAIR, 0, 5)
		load(atArg1)
		out = append(out, unix.SockFilter{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: 0xf})
		test(unix.BPF_JEQ, unix.SOCK_DGRAM, 0, 1)
		fail(unix.EAFNOSUPPORT)
		end(unix.SECCOMP_RET_ALLOW)
	}
	test(unix.BPF_JEQ, unix.SYS_SOCKET, 1, 0)
	end(unix.SECCOMP_RET_ALLOW)
	load(atArg0)
	if !sockets {
		test(unix.BPF_JEQ, unix.AF_UNIX, 0, 1)
		fail(unix.EAFNOSUPPORT)
	}
	if network {
		test(unix.BPF_JEQ, unix.AF_INET, 4, 0)
		test(unix.BPF_JEQ, unix.AF_INET6, 3, 0)
		test(unix.BPF_JEQ, unix.AF_NETLINK, 2, 0) // libraries list the network's interfaces
	}
	test(unix.BPF_JEQ, unix.AF_UNIX, 1, 0)
	fail(unix.EAFNOSUPPORT)
	end(unix.SECCOMP_RET_ALLOW)
	return out
}
