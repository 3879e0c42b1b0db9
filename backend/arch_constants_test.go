package backend

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"agentflow/backend/talk/room"
	"agentflow/backend/team/lint"
	"agentflow/backend/team/topology"
	"agentflow/backend/work/task"
)

const updateConstants = "go test ./backend -run PageConstants -update"

// pageConstants returns the page's file of the values that Go and the page share.
func pageConstants() string {
	var kinds, mutual []string
	for _, k := range topology.Kinds() {
		kinds = append(kinds, string(k.Kind))
		if !k.Directed {
			mutual = append(mutual, string(k.Kind))
		}
	}
	return fmt.Sprintf(`// Made from the Go code: %s

/** The size of an agent on the canvas, in pixels. */
export const NODE_W = %d;
export const NODE_H = %d;
/** How far the frame of a group reaches beyond its members: aside, above for its name, below. */
export const FRAME = { side: %d, head: %d, foot: %d };
/** What the id of an agent looks like. */
export const ID_SHAPE = /%s/;
/** The kinds of connections, in the order of the keys 1 2 3. */
export const KINDS = [%s] as const;
/** The kinds that join two agents alike. Any other leads from its source to its target. */
export const MUTUAL: readonly string[] = [%s];
/** The types of tasks, in the order in which people see them. */
export const TASK_TYPES = [%s] as const;
/** The fields of an agent, each with the type of its value. */
export const AGENT_FIELDS = {
%s} as const;
/** How many bytes the text of a field of an agent can have. */
export const FIELD_BYTES = {
%s} as const;
/** What one team can hold: numbers of things, bytes of texts, and the largest number. */
export const LIMITS = {
%s} as const;
/** The sender of what the hub itself says in a room. */
export const HUB_NAME = %q;
`, updateConstants, topology.NodeWidth, topology.NodeHeight, topology.FrameSide, topology.FrameHead,
		topology.FrameFoot, lint.NewestIDs, listed(kinds), listed(mutual), listed(task.TypeList()), agentFieldTypes(),
		agentFieldBytes(), limits(), room.HubName)
}

func agentFieldTypes() string {
	var out strings.Builder
	for _, f := range topology.Fields() {
		name := map[reflect.Type]string{
			reflect.TypeFor[*string]():          "text",
			reflect.TypeFor[*[]string]():        "texts",
			reflect.TypeFor[*bool]():            "flag",
			reflect.TypeFor[**float64]():        "number",
			reflect.TypeFor[**int]():            "whole",
			reflect.TypeFor[**topology.Tools](): "tools",
			reflect.TypeFor[*topology.Files]():  "files",
		}[reflect.TypeOf(f.At(&topology.Agent{}))]
		fmt.Fprintf(&out, "  %s: %q,\n", f.Name, name)
	}
	return out.String()
}

func agentFieldBytes() string {
	var out strings.Builder
	for _, f := range topology.Fields() {
		if _, isText := f.Text(&topology.Agent{}); isText {
			fmt.Fprintf(&out, "  %s: %d,\n", f.Name, f.MaxBytes())
		}
	}
	return out.String()
}

func limits() string {
	var out strings.Builder
	for _, l := range []struct {
		name string
		most int
	}{
		{"agents", topology.MaxAgents}, {"connections", topology.MaxConnections}, {"items", topology.MaxItems},
		{"listed", topology.MaxListed}, {"extra", topology.MaxExtra}, {"id", topology.MaxID},
		{"text", topology.MaxText}, {"persona", topology.MaxPersona}, {"file", topology.MaxFile},
		{"total", topology.MaxTotal}, {"number", topology.MaxNumber},
	} {
		fmt.Fprintf(&out, "  %s: %d,\n", l.name, l.most)
	}
	return out.String()
}

func listed(names []string) string { return `"` + strings.Join(names, `", "`) + `"` }

// TestPageConstants compares the page's copy of shared values with the Go code. With -update, it writes the copy.
func TestPageConstants(t *testing.T) {
	at := filepath.Join(root, "frontend/src/api/constants.ts")
	want := pageConstants()
	if *update {
		if err := os.WriteFile(at, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if now, err := os.ReadFile(at); err != nil || string(now) != want {
		t.Errorf("%s has other values than the Go code: run `%s`", at, updateConstants)
	}
}
