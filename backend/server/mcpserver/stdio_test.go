package mcpserver

import (
	"bufio"
	"encoding/json"
	"io"
	"testing"
)

// A line that isn't JSON gets JSON-RPC's parse error, and the server goes on.
func TestStdio_ALineThatIsNoJSONIsAnswered(t *testing.T) {
	in, say := io.Pipe()
	hear, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- serve(t.Context(), nil, "test", in, out) }()
	answers := bufio.NewScanner(hear)
	ask := func(line string) (got struct {
		ID     any
		Result json.RawMessage
		Error  *struct{ Code int }
	}) {
		t.Helper()
		if _, err := io.WriteString(say, line+"\n"); err != nil {
			t.Fatal(err)
		}
		if !answers.Scan() || json.Unmarshal(answers.Bytes(), &got) != nil {
			t.Fatalf("%s: %q, %v", line, answers.Text(), answers.Err())
		}
		return got
	}
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",` +
		`"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	for _, line := range []string{"hello", "{", `{"jsonrpc":"2.0"} x`} {
		if got := ask(line); got.Error == nil || got.Error.Code != -32700 || got.ID != nil {
			t.Errorf("%s: %+v", line, got)
		}
	}
	if got := ask("\r\n" + hello); got.Error != nil || len(got.Result) == 0 {
		t.Errorf("after it: %+v", got)
	}
	if err := say.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
