package bundle

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/team/example"
	"agentflow/backend/team/topology"
)

const key = "sk-abcd1234efgh5678ijkl"

func sample(lang string) Bundle {
	at := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	team := example.Team(lang)
	team.Groups = []topology.Group{{ID: "g", Name: "調査", Color: 3, Members: []topology.AgentID{"researcher"}}}
	team.Agents[1].Persona = "Be brief. The key is " + key
	older := example.Team(lang)
	older.Agents = older.Agents[:2]
	return Bundle{Name: team.Name, At: at, Teams: []Team{
		{
			Name:     team.Name,
			Topology: team,
			Versions: []Version{
				{Name: "Before: the/spring release", At: at.Add(-time.Hour), Author: "Mika", Topology: older},
			},
		},
		{Name: team.Name, Topology: example.Team(lang)},
	}}
}

// APP-1: a team travels in one file. Places, groups, notes and named versions come
// back, secrets stay out, and the README lists what was left out.
func TestAPP1_ABundleComesBackWithoutSecrets(t *testing.T) {
	for _, lang := range []string{"en", "ja"} {
		in := sample(lang)
		data, report, err := Write(in, lang)
		if err != nil {
			t.Fatal(err)
		}
		again, _, _ := Write(in, lang)
		if !bytes.Equal(data, again) {
			t.Error("the same bundle gives other bytes")
		}
		out, err := Read(data, "x.agentflow.zip")
		if err != nil {
			t.Fatal(err)
		}
		if len(out.Teams) != 2 || out.Name != in.Name || !out.At.Equal(in.At) || len(out.Teams[0].Versions) != 1 {
			t.Fatalf("came back as %+v", out)
		}
		v := out.Teams[0].Versions[0]
		if v.Name != "Before: the/spring release" || v.Author != "Mika" || len(v.Topology.Agents) != 2 || !v.At.Equal(in.At.Add(-time.Hour)) {
			t.Errorf("version %+v", v)
		}
		if !out.Teams[1].Topology.Equal(in.Teams[1].Topology) {
			t.Error("a team without secrets is not the same")
		}
		if got := out.Teams[0].Topology; len(got.Notes) != 1 || len(got.Groups) != 1 || len(got.Layout) != 5 || got.Agents[1].Persona != "Be brief. The key is [removed]" {
			t.Errorf("team %+v", got)
		}
		if len(report.Losses) != 1 || report.Losses[0].Agent != "researcher" || report.Losses[0].Field != "persona" || report.Losses[0].Reason != "secret" {
			t.Errorf("losses %+v", report.Losses)
		}
		all := unpacked(t, data)
		if !strings.Contains(all[readmeName], "`researcher` · `persona`") || all[readmeName] != report.Readme {
			t.Errorf("README: %s", all[readmeName])
		}
		for name, text := range all {
			if strings.Contains(text, key) {
				t.Errorf("%s holds the secret", name)
			}
		}
		if len(all) != len(report.Files) || len(all) != 5 {
			t.Errorf("%d files, told of %d", len(all), len(report.Files))
		}
	}
}

func unpacked(t *testing.T, data []byte) map[string]string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := b.ReadFrom(r); err != nil {
			t.Fatal(err)
		}
		out[f.Name] = b.String()
	}
	return out
}

func pack(t *testing.T, files ...[2]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		w, err := z.Create(f[0])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(f[1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const team = "agentflow: 1\nname: T\nagents:\n  - id: a\n"

func TestBundlesThatAreRefused(t *testing.T) {
	link := func() []byte {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		h := &zip.FileHeader{Name: "teams/a.agentflow.yaml"}
		h.SetMode(0o777 | 1<<27) // a symbolic link
		w, _ := z.CreateHeader(h)
		_, _ = w.Write([]byte("/etc/passwd"))
		_ = z.Close()
		return b.Bytes()
	}
	many := make([][2]string, MaxFiles+1)
	for i := range many {
		many[i] = [2]string{fmt.Sprintf("f%d", i), ""}
	}
	plan := func(file string) [2]string {
		return [2]string{manifestName, `{"agentflowBundle":1,"teams":[{"name":"T","file":"` + file + `"}]}`}
	}
	cases := map[string]struct {
		data []byte
		says string
	}{
		"up and out":  {pack(t, [2]string{"../../home/a.agentflow.yaml", team}), "leads elsewhere"},
		"absolute":    {pack(t, [2]string{"/etc/a.agentflow.yaml", team}), "leads elsewhere"},
		"other slash": {pack(t, [2]string{`..\a.agentflow.yaml`, team}), "leads elsewhere"},
		"drive":       {pack(t, [2]string{"C:/a.agentflow.yaml", team}), "leads elsewhere"},
		"link":        {link(), "no plain file"},
		"twice":       {pack(t, [2]string{"a.agentflow.yaml", team}, [2]string{"a.agentflow.yaml", team}), "twice"},
		"bomb": {
			pack(t, [2]string{"a.agentflow.yaml", strings.Repeat(" ", MaxUnpacked+1)}),
			"unpacks to more than",
		},
		"many":         {pack(t, many...), "at most"},
		"cut":          {pack(t, [2]string{"a.agentflow.yaml", team})[:60], "damaged"},
		"large":        {make([]byte, MaxBytes+1), "larger than"},
		"empty":        {pack(t), "no team"},
		"not there":    {pack(t, plan("b.agentflow.yaml")), "is not in it"},
		"newer":        {pack(t, [2]string{manifestName, `{"agentflowBundle":2}`}), "Update AgentFlow"},
		"bad manifest": {pack(t, [2]string{manifestName, `{`}), "cannot be read"},
		"bad team": {pack(t, [2]string{"x.agentflow.yaml", "agentflow: 1\nagents:\n  - id: [1]\n"}),
			"x.agentflow.yaml:3"},
	}
	for name, c := range cases {
		_, err := Read(c.data, "b.agentflow.zip")
		if !errcode.Is(err, errcode.Validation) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want a VALIDATION_ERROR that says %q", name, err, c.says)
		}
	}
}

func TestAZipPackedByHand(t *testing.T) {
	got, err := Read(
		pack(
			t,
			[2]string{"notes.txt", "hello"},
			[2]string{"b/two.agentflow.yaml", "agentflow: 1\nagents:\n  - id: a\n"},
			[2]string{"a.agentflow.yaml", team},
		),
		"x.zip",
	)
	if err != nil || len(got.Teams) != 2 || got.Name != "T" || got.Teams[1].Name != "two" {
		t.Errorf("%+v, %v", got, err)
	}
}
