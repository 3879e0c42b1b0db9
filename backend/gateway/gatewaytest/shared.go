package gatewaytest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
)

// sharedReal is a real gateway that the tests of a package use one after the other. Each start costs up to 30 seconds
// of processor time.
type sharedReal struct {
	turn sync.Mutex // held by the test that uses it
	real *Real      // nil before the first test, and after a test that failed
}

var sharedReals = func() map[string]*sharedReal {
	all := map[string]*sharedReal{}
	for _, version := range RealVersions {
		all[version] = &sharedReal{}
	}
	return all
}()

// ShareReal gives the test the package's real gateway of this release until the test ends. The test must restore the
// gateway's config and its list of agents, or it fails. After a failed test the next one gets a new gateway.
// Sessions of earlier tests stay, so a test uses a session key that is new. TestMain ends with StopSharedReals.
func ShareReal(t testing.TB, version string) *Real {
	t.Helper()
	s := sharedReals[version]
	s.turn.Lock()
	t.Cleanup(s.turn.Unlock)
	if s.real == nil {
		r := newReal(t, version, "")
		if err := r.start(); err != nil {
			t.Fatal(errors.Join(err, r.stop()))
		}
		s.real = r
	}
	before, err := s.real.holds()
	t.Cleanup(func() {
		after, err := s.real.holds()
		if err != nil {
			t.Error(err)
		} else if after != before {
			t.Errorf("the test leaves the shared gateway with\n%s\nIt had\n%s", after, before)
		}
		if t.Failed() {
			if err := s.real.stop(); err != nil {
				t.Error(err)
			}
			s.real = nil
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return s.real
}

// StopSharedReals stops the gateways that tests of this package shared.
func StopSharedReals() error {
	var failed error
	for _, s := range sharedReals {
		if s.real != nil {
			failed = errors.Join(failed, s.real.stop())
			s.real = nil
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
