package gatewaytest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
)

// sharedReals has, for each release, the real gateways that no test uses at the moment: the tests of a package use them
// one after the other, because each start costs up to 30 seconds of processor time. One that hasn't started yet, or was
// stopped after a failed test, is nil. Of 2026.2.26 there are two: it takes three changes of its config a minute, so
// that its tests mostly wait.
var sharedReals = map[string]chan *Real{
	RealVersions[0]: notStarted(1),
	RealVersions[1]: notStarted(2),
}

func notStarted(count int) chan *Real {
	free := make(chan *Real, count)
	for range count {
		free <- nil
	}
	return free
}

// ShareReal gives the test one of the package's real gateways of this release until the test ends. The test must
// restore the gateway's config and its list of agents, or it fails. After a failed test the next one gets a new
// gateway. Sessions of earlier tests stay, so a test uses a session key that is new. TestMain ends with
// StopSharedReals.
func ShareReal(t testing.TB, version string) *Real {
	t.Helper()
	r := <-sharedReals[version]
	t.Cleanup(func() { sharedReals[version] <- r })
	if r == nil {
		started := newReal(t, version, "")
		if err := started.start(); err != nil {
			t.Fatal(errors.Join(err, started.stop()))
		}
		r = started
	}
	before, err := r.holds()
	t.Cleanup(func() {
		after, err := r.holds()
		if err != nil {
			t.Error(err)
		} else if after != before {
			t.Errorf("the test leaves the shared gateway with\n%s\nIt had\n%s", after, before)
		}
		if t.Failed() {
			if err := r.stop(); err != nil {
				t.Error(err)
			}
			r = nil
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// StopSharedReals stops the gateways that tests of this package shared. No test may run any more.
func StopSharedReals() error {
	var failed error
	for _, free := range sharedReals {
		for range cap(free) {
			if r := <-free; r != nil {
				failed = errors.Join(failed, r.stop())
			}
		}
	}
	return failed
}

// holds describes the gateway's config by what tests change in it: the IDs of its agents, and the other keys but those
// that a gateway fills in when it writes. A config that names no agent counts as one with "main".
func (r *Real) holds() (string, error) {
	text, err := r.command("read", r.Version, r.port)
	if err != nil {
		return "", fmt.Errorf("the config of the real gateway %s: %w\n%s", r.Version, err, text)
	}
	var doc map[string]any
	var agents struct {
		Agents struct {
			List    []struct{ ID string }
			Entries map[string]any
		}
	}
	if err := errors.Join(json.Unmarshal([]byte(text), &doc), json.Unmarshal([]byte(text), &agents)); err != nil {
		return "", err
	}
	ids := slices.Sorted(maps.Keys(agents.Agents.Entries))
	for _, a := range agents.Agents.List {
		ids = append(ids, a.ID)
	}
	if len(ids) == 0 {
		ids = []string{"main"}
	}
	doc["agents"] = ids
	delete(doc, "meta")
	delete(doc, "commands")
	out, err := json.Marshal(doc)
	return string(out), err
}
