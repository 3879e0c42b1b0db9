//go:build !unix

package roomsapi

import (
	"net"
	"syscall"
)

type waiter interface{ wait() error }

func rawConn(net.Conn) syscall.RawConn { return nil }

func newWaiter(net.Conn) waiter { return nil }

func writeNow(uintptr, []byte) (int, error) { return 0, nil }
