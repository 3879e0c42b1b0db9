//go:build !windows

package proc

import (
	"os"
	"strings"
	"testing"
)

// A program that ends while somebody could still write to it has ended.
func TestInputThatStaysOpenHoldsNobody(t *testing.T) {
	in, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close() //nolint:errcheck // only read
	defer w.Close()  //nolint:errcheck // nobody reads it any more
	_, _ = w.WriteString("one\n")
	c := shell("read line; echo got $line; echo oops >&2; exit 3")
	c.Input = in
	var out, errs strings.Builder
	c.Output = func(p []byte) error { out.Write(p); return nil }
	c.Errors = func(p []byte) error { errs.Write(p); return nil }
	res, err := Run(t.Context(), c)
	if err != nil || res.Code != 3 || out.String() != "got one\n" || errs.String() != "oops\n" || res.Said != "oops\n" {
		t.Errorf("%+v, %v, %q, %q", res, err, out.String(), errs.String())
	}
}
