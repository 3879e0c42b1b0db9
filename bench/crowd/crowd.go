// Package crowd is a room of many readers: it speaks to all of them, and measures how long it
// takes until everybody has heard it, of a hub and of a loop that does nothing else.
package crowd

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
)

// Readers is how many there are.
const Readers = 1000

const (
	window   = 16 // messages on their way
	warm     = 300 * time.Millisecond
	speaking = time.Second
	patience = 2 * time.Minute
	mark     = "^^" // stands once in each message, and nowhere else
	early    = 20   // of the connections: what they cost once is not that of the others
)

var text = mark + strings.Repeat(" all of us hear this", 8)

// Took is what 1,000 deliveries took: by the clock, and of the processor.
type Took struct{ Wall, CPU time.Duration }

// audience are the readers of a room, and who speaks to them.
type audience struct {
	conns     []net.Conn
	say       func() error
	delivered atomic.Int64
	free      chan struct{} // one for each message that may be sent
	reading   sync.WaitGroup
}

// read counts what arrives at one reader.
func (a *audience) read(c net.Conn) {
	buf := make([]byte, 16<<10)
	half := false // the first byte of a mark ended what was read before
	for {
		n, err := c.Read(buf)
		if err != nil {
			return
		}
		marks := bytes.Count(buf[:n], []byte(mark))
		if half && n > 0 && buf[0] == mark[1] {
			marks++
		}
		half = n > 0 && buf[n-1] == mark[0] && (n == 1 || buf[n-2] != mark[0])
		now := a.delivered.Add(int64(marks))
		for whole := (now - int64(marks)) / Readers; whole < now/Readers; whole++ {
			a.free <- struct{}{}
		}
	}
}

// perThousand speaks to all for a while; cpu is what the process that serves them has used.
func (a *audience) perThousand(ctx context.Context, cpu func() time.Duration) (Took, error) {
	a.free = make(chan struct{}, 2*window)
	for range window {
		a.free <- struct{}{}
	}
	for _, c := range a.conns {
		a.reading.Go(func() { a.read(c) })
	}
	defer a.reading.Wait()
	defer func() {
		for _, c := range a.conns {
			_ = c.Close()
		}
	}()
	var from time.Time
	var before int64
	var used time.Duration
	stuck := time.NewTimer(patience)
	defer stuck.Stop()
	for began := time.Now(); ; {
		select {
		case <-a.free:
		case <-stuck.C:
			return Took{}, errors.New("the messages do not arrive")
		case <-ctx.Done():
			return Took{}, ctx.Err()
		}
		switch now := time.Now(); {
		case from.IsZero() && now.Sub(began) > warm:
			from, before, used = now, a.delivered.Load(), cpu()
		case !from.IsZero() && now.Sub(from) > speaking:
			n := a.delivered.Load() - before
			if n == 0 {
				return Took{}, errors.New("no message arrived")
			}
			return Took{now.Sub(from) * 1000 / time.Duration(n), (cpu() - used) * 1000 / time.Duration(n)}, nil
		}
		if err := a.say(); err != nil {
			return Took{}, err
		}
	}
}

// Hub measures a room of the hub at url. Joined is called when some have joined, and again
// when all have.
func Hub(
	ctx context.Context,
	url, token string,
	cpu func() time.Duration,
	joined func(readers int) error,
) (Took, error) {
	a := new(audience)
	header := http.Header{"Authorization": {"Bearer " + token}}
	var first *websocket.Conn
	for i := range Readers {
		c, res, err := websocket.DefaultDialer.DialContext(ctx, "ws"+strings.TrimPrefix(url, "http")+"/ws?room=bench",
			header)
		if err != nil {
			return Took{}, fmt.Errorf("reader %d: %w", i, err)
		}
		_ = res.Body.Close()
		if first == nil {
			first = c
		}
		a.conns = append(a.conns, c.NetConn())
		if n := i + 1; n == early || n == Readers {
			if err := joined(n); err != nil {
				return Took{}, err
			}
		}
	}
	body := fmt.Appendf(nil, `{"room":"bench","sender":"bench","message":%q,"type":"chat"}`, text)
	a.say = func() error { return first.WriteMessage(websocket.TextMessage, body) }
	return a.perThousand(ctx, cpu)
}

// Loop measures the bare loop, in a separate process.
func Loop(ctx context.Context, cpu func(pid int) time.Duration) (Took, error) {
	self, err := os.Executable()
	if err != nil {
		return Took{}, err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	cmd := exec.CommandContext(ctx, self, LoopCommand)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return Took{}, err
	}
	if err := cmd.Start(); err != nil {
		return Took{}, err
	}
	defer func() {
		stop()
		_ = cmd.Wait() // it was killed
	}()
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return Took{}, fmt.Errorf("the bare loop did not start: %w", err)
	}
	a, err := listeners(ctx, strings.TrimSpace(address))
	if err != nil {
		return Took{}, err
	}
	return a.perThousand(ctx, func() time.Duration { return cpu(cmd.Process.Pid) })
}

// listeners are an audience of the bare loop.
func listeners(ctx context.Context, address string) (*audience, error) {
	a := new(audience)
	for range Readers {
		c, err := new(net.Dialer).DialContext(ctx, "tcp", address)
		if err != nil {
			return nil, err
		}
		a.conns = append(a.conns, c)
	}
	line := fmt.Appendf(nil,
		`{"id":%d,"room":"bench","sender":"bench","message":%q,"timestamp":"2026-11-21T09:00:00.123Z","type":"chat"}`,
		1_000_000, text)
	a.say = func() error {
		_, err := a.conns[0].Write(line)
		return err
	}
	return a, nil
}

// LoopCommand has the program be the bare loop.
const LoopCommand = "bare-loop"

// BareLoop passes what the first of many connections sends on to all of them: all that has
// come meanwhile at once, with one write for each. It prints where it listens.
func BareLoop(out io.Writer) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	if _, err := io.WriteString(out, l.Addr().String()+"\n"); err != nil {
		return err
	}
	conns := make([]net.Conn, 0, Readers)
	for len(conns) < Readers {
		c, err := l.Accept()
		if err != nil {
			return fmt.Errorf("after %d connections: %w", len(conns), err)
		}
		conns = append(conns, c)
	}
	pass(conns)
	return nil
}

// pass ends with the first connection.
func pass(conns []net.Conn) {
	buf := make([]byte, 64<<10)
	for {
		n, err := conns[0].Read(buf)
		if err != nil {
			return
		}
		for _, c := range conns {
			_, _ = c.Write(buf[:n]) // one that has gone is counted by nobody
		}
	}
}
