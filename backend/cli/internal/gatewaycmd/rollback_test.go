package gatewaycmd

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/cli/internal/snapshotstore"
	"agentflow/backend/cli/internal/term"
	"agentflow/backend/gateway/openclaw"
	"agentflow/backend/team/topology"
)

// OC-2: a rollback to an older snapshot restores the workspace files that later changes replaced.
func TestOC2_AnOlderSnapshotHasTheReplacedFiles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connection{url: "ws://a/", store: snapshotstore.NewStore(t.TempDir())}
		soul := func(text string) []openclaw.KeptFile {
			return []openclaw.KeptFile{{Agent: "dev", Name: "SOUL.md", Content: text}}
		}
		for _, files := range [][]openclaw.KeptFile{nil, soul("one"), soul("two")} {
			time.Sleep(time.Second) //nolint:forbidigo // no time in a bubble: an ID starts with it
			var id string
			before := openclaw.Snapshot{Hash: "h", Config: []byte("{}"), Files: files}
			if err := c.keeper("", &id)(t.Context(), before); err != nil {
				t.Fatal(err)
			}
		}
		versions, err := c.store.Versions(c.url)
		if err != nil || len(versions) != 3 {
			t.Fatalf("%+v, %v", versions, err)
		}
		for i, want := range []string{"two", "one", "one"} { // the newest first
			got, err := c.target(versions[i])
			if err != nil || !slices.Equal(got.Files, soul(want)) {
				t.Errorf("version %d: %+v, %v, not %q", i, got.Files, err, want)
			}
		}
	})
}

// APP-3: a new agent whose ID the gateway had in a kept snapshot may be a deleted one, which the gateway creates first.
func TestAPP3_AnIDOfAKeptSnapshotIsRecreated(t *testing.T) {
	c := connection{url: "ws://a/", store: snapshotstore.NewStore(t.TempDir())}
	var id string
	before := openclaw.Snapshot{Hash: "h", Config: []byte(`{"agents": {"entries": {"main": {}, "dev": {}}}}`)}
	if err := c.keeper("", &id)(t.Context(), before); err != nil {
		t.Fatal(err)
	}
	team := func(ids ...topology.AgentID) (out topology.Topology) {
		for _, id := range ids {
			out.Agents = append(out.Agents, topology.Agent{ID: id})
		}
		return out
	}
	draft := team("main", "dev", "fresh")
	q := &pending{connection: c, draft: &draft, now: openclaw.Reading{Topology: team("main")}}
	if got, err := q.recreated(); err != nil || !slices.Equal(got, []topology.AgentID{"dev"}) {
		t.Errorf("recreated: %v", got)
	}
}

// APP-3: the default of a rollback undoes the last change of the command line, or nothing.
func TestAPP3_ARollbackUndoesOnlyTheLastChange(t *testing.T) {
	type change struct{ before, after string }
	for name, tc := range map[string]struct {
		changes []change
		now     string
		want    int // index of the change, or -1
		code    errcode.Code
	}{
		"none yet":                        {nil, "h1", -1, errcode.NotFound},
		"the last one":                    {[]change{{"h1", "h2"}, {"h2", "h3"}}, "h3", 1, ""},
		"changed since":                   {[]change{{"h1", "h2"}}, "h3", -1, errcode.Conflict},
		"undone elsewhere":                {[]change{{"h0", "h1"}, {"h1", "h2"}}, "h1", -1, errcode.Conflict},
		"a record without the hash after": {[]change{{"h1", "h2"}, {"h2", ""}}, "h3", -1, errcode.Conflict},
		"the gateway rejected the last":   {[]change{{"h1", "h2"}, {"h2", ""}}, "h2", 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := connection{url: "ws://a/", store: snapshotstore.NewStore(t.TempDir())}
				ids := make([]string, len(tc.changes))
				for i, ch := range tc.changes {
					time.Sleep(time.Second) //nolint:forbidigo // no time in a bubble: an ID starts with it
					before := openclaw.Snapshot{Hash: ch.before, Config: []byte("{}")}
					if err := c.keeper("", &ids[i])(t.Context(), before); err != nil {
						t.Fatal(err)
					}
					if err := c.changed(ids[i], openclaw.Result{Hash: ch.after}); err != nil {
						t.Fatal(err)
					}
				}
				got, err := c.choose("", tc.now)
				switch {
				case tc.want < 0 && !errcode.Is(err, tc.code):
					t.Errorf("chose %+v, %v", got, err)
				case tc.want >= 0 && (err != nil || got.ID != ids[tc.want]):
					t.Errorf("chose %+v of %v, %v", got, ids, err)
				}
			})
		})
	}
}

// APP-3: a change that failed on its way names the snapshot from before, if the gateway may have changed.
func TestAPP3_AFailedChangeNamesTheWayBack(t *testing.T) {
	lost := errcode.New(errcode.Gateway, "lost").With(errcode.KeyReason, errcode.ReasonUnknown)
	for name, tc := range map[string]struct {
		version string
		result  openclaw.Result
		err     error
		told    bool
	}{
		"nothing was saved": {"", openclaw.Result{}, lost, false},
		"rejected":          {"v1", openclaw.Result{}, errcode.New(errcode.Gateway, "no"), false},
		"lost":              {"v1", openclaw.Result{}, lost, true},
		"after a deletion": {"v1", openclaw.Result{Deleted: []topology.AgentID{"dev"}},
			errcode.New(errcode.Gateway, "no"), true},
	} {
		var errs bytes.Buffer
		p := program{&shell.Shell{Screen: term.NewScreen(term.Stdio{Err: &errs}, func(string) string { return "" })}}
		p.tellWayBack(connection{}, tc.version, tc.result, tc.err)
		if told := strings.Contains(errs.String(), "rollback --to v1"); told != tc.told {
			t.Errorf("%s: %q", name, errs.String())
		}
	}
}
