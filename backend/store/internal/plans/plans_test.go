package plans

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/plan"
	"agentflow/backend/plan/planner"
	"agentflow/backend/store/internal/dbtest"
)

func open(t *testing.T) Plans {
	t.Helper()
	db := dbtest.Open(t)
	return Plans{Read: db, Write: dbtest.Write(db), Found: dbtest.Found, Classify: dbtest.Classify}
}

// put stores a version of a plan, and drops those below another.
func put(t *testing.T, s Plans, id planner.ID, number, drop int64) {
	t.Helper()
	err := s.PutPlan(t.Context(), planner.Written{
		Record:  planner.Record{ID: id, Head: number, Last: number, Redo: []int64{7}},
		Version: &planner.Version{Number: number, Plan: &plan.Plan{}},
		Drop:    drop,
	})
	if err != nil {
		t.Fatal(err)
	}
}

// What only the planner needs of a record comes back, although a window never gets it.
func TestPutPlan_KeepsWhatTheAPIDoesNotShow(t *testing.T) {
	s := open(t)
	put(t, s, "p", 3, 0)
	list, err := s.PlanRecords(t.Context())
	if err != nil || len(list) != 1 || list[0].Last != 3 || !slices.Equal(list[0].Redo, []int64{7}) {
		t.Errorf("%+v, %v", list, err)
	}
}

// A long history loses its oldest versions, and another plan loses nothing.
func TestPutPlan_DropsOldVersionsOfOnePlan(t *testing.T) {
	s := open(t)
	put(t, s, "other", 1, 0)
	for n := range int64(4) {
		put(t, s, "p", n+1, 0)
	}
	put(t, s, "p", 5, 4)
	list, err := s.PlanVersions(t.Context(), "p")
	if err != nil || len(list) != 2 || list[0].Number != 5 || list[1].Number != 4 || list[0].Plan != nil {
		t.Errorf("%+v, %v", list, err)
	}
	if v, err := s.PlanVersion(t.Context(), "p", 4); err != nil || v.Plan == nil {
		t.Errorf("the version with its plan: %+v, %v", v, err)
	}
	if _, err := s.PlanVersion(t.Context(), "p", 3); !errcode.Is(err, errcode.NotFound) {
		t.Errorf("a dropped version: %v", err)
	}
	if _, err := s.PlanVersion(t.Context(), "other", 1); err != nil {
		t.Error(err)
	}
}

// A row that can't be read is an error that names it, not an empty plan.
func TestPlanRecords_NamesADamagedRow(t *testing.T) {
	s := open(t)
	dbtest.Exec(t, s.Read, "INSERT INTO plans (id, body) VALUES ('broken', '{')")
	_, err := s.PlanRecords(t.Context())
	if !errcode.Is(err, errcode.Internal) || !strings.Contains(err.Error(), "broken") {
		t.Errorf("got %v", err)
	}
}

func TestHold_HoldsEveryOrderAndCountsWhatRuns(t *testing.T) {
	s := open(t)
	for id, work := range map[planner.ID]*planner.Work{
		"never":   nil,
		"working": {State: planner.Working},
		"paused":  {State: planner.Paused},
		"ended":   {State: planner.Ended},
	} {
		r := planner.Record{ID: id, Work: work, Last: 3, Redo: []int64{2}}
		if err := s.PutPlan(t.Context(), planner.Written{Record: r}); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := Hold(s.Read); err != nil || n != 1 {
		t.Errorf("%d, %v", n, err)
	}
	all, err := s.PlanRecords(t.Context())
	got := map[planner.ID]string{}
	for _, r := range all {
		got[r.ID] = "none"
		if r.Work != nil {
			got[r.ID] = fmt.Sprint(r.Work.State, " ", r.Work.Held)
		}
		if r.Last != 3 || len(r.Redo) != 1 {
			t.Errorf("%s lost its versions: %+v", r.ID, r)
		}
	}
	want := map[planner.ID]string{
		"never": "none", "working": "working true", "paused": "paused true", "ended": "ended true",
	}
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("%v, want %v; %v", got, want, err)
	}
}
