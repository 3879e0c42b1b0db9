package hostile

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
)

// TestTR1_F12_AliasesMakeNoLargeTeam: a small file whose aliases repeat one text is refused.
func TestTR1_F12_AliasesMakeNoLargeTeam(t *testing.T) {
	h := start(t, "")
	var b strings.Builder
	b.WriteString("agentflow: 1\nname: bomb\nagents:\n  - {id: a0, model: demo/echo, persona: &p " + strings.Repeat("x", 250_000) + "}\n")
	for i := 1; i < 300; i++ {
		fmt.Fprintf(&b, "  - {id: a%d, model: demo/echo, persona: *p}\n", i)
	}
	for _, path := range []string{"/api/files/preview", "/api/files/open"} {
		for _, body := range []map[string]any{
			{"filename": "bomb.agentflow.yaml", "text": b.String()},
			{"filename": "bomb.agentflow.yaml", "data": base64.StdEncoding.EncodeToString([]byte(b.String()))},
		} {
			if err := h.ask(http.MethodPost, path, body, nil); !errcode.Is(err, errcode.Validation) || !strings.Contains(err.Error(), "32 MiB") {
				t.Errorf("%s: %.300v", path, err)
			}
		}
	}
	var data json.RawMessage
	h.must(http.MethodGet, "/api/teams", nil, &data)
	if len(data) > 1<<20 {
		t.Errorf("it was kept: %d bytes", len(data))
	}
}

// TestTR1_F6_ABackupBringsNoTrust: what the owner allowed ends with a restore.
func TestTR1_F6_ABackupBringsNoTrust(t *testing.T) {
	t.Setenv("AGENTFLOW_AGENT_HELPER", "secret-of-the-helper-of-24-bytes")
	dir := t.TempDir()
	h := start(t, dir)
	h.Apply(
		"agents:\n  helper: {name: Helper, role: Researcher, url: \"http://127.0.0.1:9\", secretEnv: AGENTFLOW_AGENT_HELPER}\n",
	)
	h.Trust()
	if info, err := os.Stat(filepath.Join(dir, "trust.json")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
	send := func(method, path string, body io.Reader) *http.Response {
		req, err := http.NewRequestWithContext(t.Context(), method, h.URL()+path, body)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+h.Token())
		req.Header.Set("Content-Type", "application/octet-stream")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	if err := h.ask(http.MethodPost, "/api/data/restore", nil, nil); !errcode.HasReason(err, "nothing_staged") || h.asked("local")[0].State != "allowed" {
		t.Errorf("a restore of nothing: %v, %+v", err, h.asked("local"))
	}
	backup := send(http.MethodGet, "/api/data/backup", nil)
	staged := send(http.MethodPost, "/api/data/staged", backup.Body)
	_ = backup.Body.Close()
	_ = staged.Body.Close()
	h.must(http.MethodPost, "/api/data/restore", nil, nil)
	h.until("the restored hub", func() bool {
		var got struct{ Agents []standing }
		return h.ask(http.MethodGet, "/api/trust/local", nil, &got) == nil && len(got.Agents) == 1 &&
			got.Agents[0].State == "asked"
	})
}

// TestTR1_ASavedTeamStandsAsItsGatewayChecksIt: what is revoked where the team runs is not shown
// as allowed for the saved team, and what is allowed there is not asked for again.
func TestTR1_ASavedTeamStandsAsItsGatewayChecksIt(t *testing.T) {
	h := start(t, "")
	id := h.open(
		"agentflow: 1\nname: Far\nagents:\n  - {id: far, name: Far, role: Worker, url: \"http://127.0.0.1:9\"}\n",
	)
	state := func() string { return h.asked(id)[0].State }
	h.Trust() // of the team that runs
	if got := state(); got != "allowed" {
		t.Errorf("allowed where it runs, and shown as %s", got)
	}
	h.must(http.MethodPost, "/api/trust/"+id+"/allow",
		map[string]any{"agents": []map[string]string{{"agent": "far", "hash": h.asked(id)[0].Hash}}}, nil)
	h.must(http.MethodPost, "/api/trust/local/revoke", map[string]any{}, nil)
	if got := state(); got != "asked" {
		t.Errorf("revoked where it runs, and shown as %s", got)
	}
}
