//go:build unix

package roomsapi

import (
	"errors"
	"net"
	"syscall"
)

// waiter waits until there is something to read, without a buffer to read it into.
type waiter interface{ wait() error }

// rawConn is the connection under conn, if bytes written there arrive as they are.
func rawConn(conn net.Conn) syscall.RawConn {
	tcp, ok := conn.(*net.TCPConn)
	if !ok {
		return nil
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return nil
	}
	return raw
}

// writeNow writes what the kernel takes without waiting.
func writeNow(fd uintptr, data []byte) (int, error) {
	for {
		n, err := syscall.Write(int(fd), data)
		switch {
		case err == nil:
			return n, nil
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EAGAIN):
			return 0, nil
		default:
			return 0, err
		}
	}
}

type peeker struct {
	raw  syscall.RawConn
	look func(fd uintptr) bool
	one  [1]byte
}

func newWaiter(conn net.Conn) waiter {
	raw := rawConn(conn)
	if raw == nil {
		return nil
	}
	p := &peeker{raw: raw}
	p.look = func(fd uintptr) bool {
		for {
			_, _, err := syscall.Recvfrom(int(fd), p.one[:], syscall.MSG_PEEK)
			if !errors.Is(err, syscall.EINTR) {
				return !errors.Is(err, syscall.EAGAIN) // what is wrong will show when it is read
			}
		}
	}
	return p
}

func (p *peeker) wait() error { return p.raw.Read(p.look) }
