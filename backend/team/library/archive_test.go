package library_test

import (
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/library"
	"agentflow/backend/team/librarytest"
)

func TestAPP5_DeletedTeamsWaitUntilTheyArePurged(t *testing.T) {
	l, s, d := start(t)
	archive := library.NewArchive(l, s)
	if err := archive.Purge(t.Context(), d.ID); !errcode.HasReason(err, "in_use") {
		t.Errorf("a team in use: %v", err)
	}
	if _, err := l.SetDeleted(t.Context(), d.ID, true); err != nil {
		t.Fatal(err)
	}
	gone, err := archive.Deleted(t.Context())
	if err != nil || len(gone) != 1 || gone[0].ID != d.ID {
		t.Fatal(gone, err)
	}
	if err := archive.Purge(t.Context(), d.ID); err != nil {
		t.Fatal(err)
	}
	if gone, err := archive.Deleted(t.Context()); err != nil || len(gone) != 0 {
		t.Error(gone, err)
	}
	if _, err := l.Version(t.Context(), d.ID, d.Head); !errcode.Is(err, errcode.NotFound) {
		t.Errorf("a version of it: %v", err)
	}
	if err := archive.Purge(t.Context(), d.ID); !errcode.Is(err, errcode.NotFound) {
		t.Errorf("twice: %v", err)
	}
}

func TestTemplatesAreKeptRenamedAndBroughtBack(t *testing.T) {
	store := librarytest.NewStore()
	archive := library.NewArchive(library.New(store, "Mika"), store)
	changes := archive.Subscribe(8)
	defer changes.Close()
	kept, err := archive.KeepTemplate(t.Context(), library.Template{Name: "夜勤", Topology: team("a", "b")})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := archive.AmendTemplate(t.Context(), kept.ID, "Night", "For nights."); err != nil {
		t.Fatal(err)
	}
	all, err := archive.Templates(t.Context())
	if err != nil || len(all) != 1 || all[0].Name != "Night" || all[0].Description != "For nights." || len(all[0].Topology.Agents) != 2 {
		t.Fatal(all, err)
	}
	if _, err := archive.SetTemplateDeleted(t.Context(), kept.ID, true); err != nil {
		t.Fatal(err)
	}
	if _, err := archive.Template(t.Context(), kept.ID); !errcode.Is(err, errcode.NotFound) {
		t.Errorf("deleted: %v", err)
	}
	if _, err := archive.SetTemplateDeleted(t.Context(), kept.ID, false); err != nil {
		t.Fatal(err)
	}
	if all, err := archive.Templates(t.Context()); err != nil || len(all) != 1 {
		t.Error(all, err)
	}
	for _, bad := range []library.Template{{Topology: team("a")}, {Name: strings.Repeat("x", library.MaxName+1), Topology: team("a")}, {Name: "twice", Topology: team("a", "a")}} {
		if _, err := archive.KeepTemplate(t.Context(), bad); !errcode.Is(err, errcode.Validation) {
			t.Errorf("%.20q: %v", bad.Name, err)
		}
	}
	for range 4 {
		<-changes.C()
	}
}
