package engine_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"agentflow/backend/engine"
	"agentflow/backend/gateway/gatewaytest"
	"agentflow/backend/gateway/rollout"
	"agentflow/backend/server/httpapi"
	"agentflow/backend/team/topology"
)

// fileHistory lists the kept files of a gateway as agent/name cause, the oldest first.
func (h *hub) fileHistory(gateway string) (out []string, all []rollout.FileSnapshot) {
	h.t.Helper()
	var got struct{ Files []rollout.FileSnapshot }
	h.must("GET", "/api/gateways/"+gateway+"/file-snapshots", nil, &got)
	for _, f := range slices.Backward(got.Files) {
		out = append(out, string(f.Agent)+"/"+f.Name+" "+f.Cause)
	}
	return out, got.Files
}

// keepsFiles waits until the newest kept file of a gateway has the text, and returns what it is compared with.
func (h *hub) keepsFile(gateway, text string) (pair rollout.FilePair) {
	h.t.Helper()
	poll(h.t, func() bool {
		newest := h.gateway(gateway).KeptFile
		if newest == "" {
			return false
		}
		pair = rollout.FilePair{}
		h.must("GET", "/api/gateways/"+gateway+"/file-snapshots/"+string(newest), nil, &pair)
		return pair.B.Content == text
	})
	return pair
}

// OC-4: a file that an agent or an editor changed behind everybody's back is found, and kept beside those that the hub
// wrote. No one has to open it.
func TestOC4_AFileThatChangedBehindTheHubIsKept(t *testing.T) {
	t.Parallel()
	for name, generation := range map[string]gatewaytest.Generation{
		"newest": gatewaytest.Newest, "february": gatewaytest.February,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			peer := gatewaytest.Start(t, gatewaytest.Options{Generation: generation})
			peer.Disk.Set("main", "SOUL.md", "Be kind.\n")
			h := watching(t, peer)
			if pair := h.keepsFile("studio", "Be kind.\n"); pair.A != nil || pair.B.Cause != "read" {
				t.Errorf("first: %+v", pair)
			}
			peer.Disk.Set("main", "SOUL.md", "Be quick.\n")
			if pair := h.keepsFile("studio", "Be quick.\n"); pair.A == nil || pair.A.Content != "Be kind.\n" ||
				pair.B.Cause != "elsewhere" || pair.B.Before == nil || pair.B.Before.Size != 9 {
				t.Errorf("changed: %+v", pair)
			}
			var d httpapi.Team
			h.must("POST", "/api/teams", map[string]any{"import": "studio", "name": "Theirs"}, &d)
			h.edit(string(d.ID), func(team *topology.Topology) {
				a, _ := team.Agent("main")
				a.Files = topology.Files{"SOUL.md": {Content: "Be both.\n", BasedOn: topology.HashFile("Be quick.\n")}}
			})
			h.apply(string(d.ID), h.preview(string(d.ID), nil), nil, false)
			if pair := h.keepsFile("studio", "Be both.\n"); pair.B.Cause != "after_apply" || pair.B.Team != d.ID {
				t.Errorf("applied: %+v", pair)
			}
			got, all := h.fileHistory("studio")
			want := []string{"main/SOUL.md read", "main/SOUL.md elsewhere", "main/SOUL.md after_apply"}
			if !slices.Equal(got, want) {
				t.Fatalf("kept %v, want %v", got, want)
			}
			var pair rollout.FilePair
			last, first := string(all[0].ID), string(all[2].ID)
			h.must("GET", "/api/gateways/studio/file-snapshots/"+last+"?with="+first, nil, &pair)
			if pair.A == nil || pair.A.Content != "Be kind.\n" || pair.B.Content != "Be both.\n" {
				t.Errorf("the last beside the first: %+v", pair)
			}
			if _, err := h.call("GET", "/api/gateways/local/file-snapshots/"+last, nil, nil); err == nil {
				t.Error("another gateway has it")
			}
		})
	}
}

// TestOC4_RealGatewayFilesAreKept does the same on a real OpenClaw gateway, whose templates are the first texts.
func TestOC4_RealGatewayFilesAreKept(t *testing.T) {
	t.Parallel()
	for _, version := range gatewaytest.RealVersions {
		t.Run(version, func(t *testing.T) {
			peer := gatewaytest.ShareReal(t, version)
			h := startHubWith(t, engine.Options{
				DataDir: withGateway(t, peer.URL, peer.Token), DriftEvery: 200 * time.Millisecond,
			})
			h.connected("studio")
			link := dialReal(t, peer)
			was, err := link.ReadFile(t.Context(), "main", "SOUL.md")
			if err != nil {
				t.Fatal(err)
			}
			if !was.Missing { // nothing is kept of a file that was never there
				poll(t, func() bool { return kept(h, "studio", "main", "SOUL.md", was.Content) })
			}
			text := fmt.Sprintf("Written at %d.\n", time.Now().UnixNano())
			if err := link.WriteFile(t.Context(), "main", "SOUL.md", text, was.Hash); err != nil {
				t.Fatal(err)
			}
			poll(t, func() bool { return kept(h, "studio", "main", "SOUL.md", text) })
			_, all := h.fileHistory("studio")
			at := slices.IndexFunc(all, func(f rollout.FileSnapshot) bool { return f.Name == "SOUL.md" })
			if f := all[at]; was.Missing != (f.Cause == "read") || was.Missing != (f.Before == nil) ||
				f.Before != nil && f.Before.Size != len(was.Content) {
				t.Errorf("%+v after %+v", f, was)
			}
			writeAgain(t, h, link)
		})
	}
}

// writeAgain changes the file once more.
func writeAgain(t *testing.T, h *hub, link *engine.Link) {
	t.Helper()
	was, err := link.ReadFile(t.Context(), "main", "SOUL.md")
	if err != nil {
		t.Fatal(err)
	}
	if err := link.WriteFile(t.Context(), "main", "SOUL.md", "Once more.\n", was.Hash); err != nil {
		t.Fatal(err)
	}
	poll(t, func() bool { return kept(h, "studio", "main", "SOUL.md", "Once more.\n") })
	_, all := h.fileHistory("studio")
	if f := all[0]; f.Cause != "elsewhere" || f.Before == nil || f.Before.Size != len(was.Content) {
		t.Errorf("%+v after %+v", f, was)
	}
}

// kept reports whether the newest content that is kept of a file is the text.
func kept(h *hub, gateway string, agent topology.AgentID, name, text string) bool {
	_, all := h.fileHistory(gateway)
	at := slices.IndexFunc(all, func(f rollout.FileSnapshot) bool { return f.Agent == agent && f.Name == name })
	return at >= 0 && all[at].Hash == topology.HashFile(text)
}
