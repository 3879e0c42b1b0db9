package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
)

// grow builds a plan from lines "id parent deps…"; the root is node-root.
func grow(t testing.TB, lines ...string) *Plan {
	t.Helper()
	p := New()
	for _, l := range lines {
		f := strings.Fields(l)
		id, parent := ID(f[0]), ID(f[1])
		task := Task{ID: id, Title: strings.ToUpper(f[0]), Status: Pending, WBSLevel: 3}
		for _, d := range f[2:] {
			task.Dependencies = append(task.Dependencies, ID(d))
		}
		p.Tasks = append(p.Tasks, task)
		p.NodeIndex = append(p.NodeIndex, Node{NodeID: id, ParentID: parent})
		for i := range p.NodeIndex {
			if p.NodeIndex[i].NodeID == parent {
				p.NodeIndex[i].Children = append(p.NodeIndex[i].Children, id)
			}
		}
	}
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	return p
}

// shape formats the tree as root(a(b c) d).
func shape(p *Plan) string {
	nodes := map[ID]Node{}
	for _, n := range p.NodeIndex {
		nodes[n.NodeID] = n
	}
	var write func(ID) string
	write = func(id ID) string {
		kids := make([]string, 0, len(nodes[id].Children))
		for _, c := range nodes[id].Children {
			kids = append(kids, write(c))
		}
		if len(kids) == 0 {
			return string(id)
		}
		return string(id) + "(" + strings.Join(kids, " ") + ")"
	}
	return strings.TrimPrefix(write(p.RootNodeID), "node-root")
}

func deps(p *Plan) string {
	out := []string{}
	for _, t := range p.Tasks {
		if len(t.Dependencies) > 0 {
			out = append(out, fmt.Sprintf("%s%v", t.ID, t.Dependencies))
		}
	}
	return strings.Join(out, " ")
}

func counter() func() ID {
	n := 0
	return func() ID { n++; return ID(fmt.Sprintf("n%d", n)) }
}

func patchOf(t testing.TB, operations string) *Patch {
	t.Helper()
	p, err := ReadPatch(
		fmt.Appendf(
			nil,
			`{"type":"plan_patch","version":1,"payload":{"understanding":"x","operations":[%s]}}`,
			operations,
		),
		"p.json",
	)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestME9_OperationsDoWhatTheProtocolSays(t *testing.T) {
	base := []string{"a node-root", "b a", "c a", "d node-root b", "e d a b"}
	for _, c := range []struct{ name, ops, shape, deps string }{
		{"nothing", ``, "(a(b c) d(e))", "d[b] e[a b]"},
		{"create below the root, last", `{"op":"create","temp_id":"t","title":"T"}`, "(a(b c) d(e) n1)", "d[b] e[a b]"},
		{"create at an index", `{"op":"create","temp_id":"t","parent_id":"a","position":{"index":1}}`, "(a(b n1 c) d(e))", "d[b] e[a b]"},
		{"create before and after", `{"op":"create","temp_id":"t","parent_id":"a","position":{"before":"b"}},{"op":"create","temp_id":"u","parent_id":"a","position":{"after":"b"}}`, "(a(n1 b n2 c) d(e))", "d[b] e[a b]"},
		{"create below one just created", `{"op":"create","temp_id":"t","parent_id":"node-root","position":{"after":"a"}},{"op":"create","temp_id":"u","parent_id":"t","dependencies":["t"]}`, "(a(b c) n1(n2) d(e))", "d[b] e[a b] n2[n1]"},
		{"a temp id is known ahead in dependencies", `{"op":"update","task_id":"b","dependencies":["t"]},{"op":"create","temp_id":"t"}`, "(a(b c) d(e) n1)", "b[n1] d[b] e[a b]"},
		{"lists are replaced whole, and cleared", `{"op":"update","task_id":"e","dependencies":["c"]},{"op":"update","task_id":"d","dependencies":[]}`, "(a(b c) d(e))", "e[c]"},
		{"null and absent leave a list", `{"op":"update","task_id":"e","dependencies":null},{"op":"update","task_id":"d","title":"x"}`, "(a(b c) d(e))", "d[b] e[a b]"},
		{"move to another parent", `{"op":"move","task_id":"c","parent_id":"d","position":{"index":0}}`, "(a(b) d(c e))", "d[b] e[a b]"},
		{"move without a place goes last", `{"op":"move","task_id":"a","parent_id":"node-root"}`, "(d(e) a(b c))", "d[b] e[a b]"},
		{"move within the parent counts the others", `{"op":"move","task_id":"b","position":{"index":1}}`, "(a(c b) d(e))", "d[b] e[a b]"},
		{"move takes the branch along", `{"op":"move","task_id":"a","parent_id":"e"}`, "(d(e(a(b c))))", "d[b] e[a b]"},
		{"delete splices the children in", `{"op":"delete","task_id":"a"}`, "(b c d(e))", "d[b] e[b]"},
		{"delete splices in the middle", `{"op":"create","temp_id":"t","parent_id":"a","position":{"index":1}},{"op":"move","task_id":"d","parent_id":"t"},{"op":"delete","task_id":"t","cascade":false}`, "(a(b d(e) c))", "d[b] e[a b]"},
		{"delete with all below", `{"op":"delete","task_id":"a","cascade":true}`, "(d(e))", ""},
		{"a reference that comes before the delete goes with it", `{"op":"update","task_id":"c","dependencies":["b","d"]},{"op":"delete","task_id":"b"}`, "(a(c) d(e))", "c[d] e[a]"},
		{"created and deleted again", `{"op":"create","temp_id":"t"},{"op":"update","task_id":"c","dependencies":["t"]},{"op":"delete","task_id":"t"}`, "(a(b c) d(e))", "d[b] e[a b]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := grow(t, base...)
			before := p.JSON()
			got, err := p.Apply(patchOf(t, c.ops), counter())
			if err != nil {
				t.Fatal(err)
			}
			if shape(got.Plan) != c.shape || deps(got.Plan) != c.deps {
				t.Errorf("got %s %s, want %s %s", shape(got.Plan), deps(got.Plan), c.shape, c.deps)
			}
			if !bytes.Equal(before, p.JSON()) {
				t.Error("the plan that was patched has changed")
			}
		})
	}
}

func TestME9_UpdateIsPartial(t *testing.T) {
	p := grow(t, "a node-root")
	p.Tasks[0].Description, p.Tasks[0].AcceptanceCriteria, p.Tasks[0].Status = "old", []string{"x", "y"}, Running
	got, err := p.Apply(patchOf(t, `{"op":"update","task_id":"a","title":"新しい題","acceptance_criteria":["z"],"phase_name":"設計","milestone":"M1","wbs_level":2,"suggested_impl":{"language":"go","file_paths":["a.go"]}}`), counter())
	if err != nil {
		t.Fatal(err)
	}
	task := got.Plan.Tasks[0]
	if task.Title != "新しい題" || task.Description != "old" || task.Status != Running || strings.Join(task.AcceptanceCriteria, ",") != "z" ||
		task.PhaseName != "設計" ||
		task.Milestone != "M1" ||
		task.WBSLevel != 2 ||
		task.SuggestedImpl.FilePaths[0] != "a.go" {
		t.Errorf("%+v", task)
	}
	if fmt.Sprint(got.Changed) != "[a]" || len(got.Created)+len(got.Deleted) != 0 {
		t.Errorf("reported as changed %v, created %v, deleted %v", got.Changed, got.Created, got.Deleted)
	}
}

func TestME9_WrongPatchesNameTheOperationAndWriteNothing(t *testing.T) {
	good := `{"op":"update","task_id":"a","title":"changed"},`
	for _, c := range []struct{ name, op, says string }{
		{"unknown task", `{"op":"update","task_id":"x"}`, "no task"},
		{"unknown parent", `{"op":"create","temp_id":"t","parent_id":"x"}`, "parent_id"},
		{"unknown dependency", `{"op":"update","task_id":"a","dependencies":["x"]}`, "dependencies"},
		{"dependency twice", `{"op":"update","task_id":"a","dependencies":["d","d"]}`, "twice"},
		{"dependency on itself", `{"op":"update","task_id":"a","dependencies":["a"]}`, "itself"},
		{"dependencies in a circle", `{"op":"update","task_id":"b","dependencies":["d"]}`, "b → d → b"},
		{"the root", `{"op":"delete","task_id":"node-root"}`, "root"},
		{"below itself", `{"op":"move","task_id":"a","parent_id":"b"}`, "below itself"},
		{"its own child", `{"op":"move","task_id":"a","parent_id":"a"}`, "below itself"},
		{"index too far", `{"op":"move","task_id":"b","parent_id":"node-root","position":{"index":3}}`, "within 0 to 2"},
		{"index below 0", `{"op":"move","task_id":"b","parent_id":"node-root","position":{"index":-1}}`, "within"},
		{"not a sibling", `{"op":"create","temp_id":"t","parent_id":"node-root","position":{"after":"b"}}`, "not among"},
		{"beside itself", `{"op":"move","task_id":"b","position":{"before":"b"}}`, "not among"},
		{"parent created later", `{"op":"create","temp_id":"t","parent_id":"u"},{"op":"create","temp_id":"u"}`, "only by an operation after"},
		{"temp id twice", `{"op":"create","temp_id":"t"},{"op":"create","temp_id":"t"}`, "twice"},
		{"temp id taken", `{"op":"create","temp_id":"a"}`, "is the id of a task"},
		{"deleted before", `{"op":"delete","task_id":"b"},{"op":"update","task_id":"c","dependencies":["b"]}`, "deleted"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := grow(t, "a node-root", "b a", "c a", "d node-root b")
			before := p.JSON()
			_, err := p.Apply(patchOf(t, good+c.op), counter())
			e, ok := errors.AsType[*errcode.Error](err)
			if !ok || e.Code != errcode.Validation || !strings.Contains(e.Message, c.says) {
				t.Fatalf("got %v, want %q", err, c.says)
			}
			index, ok := e.Details["operation"].(int)
			if want := 1 + strings.Count(c.op, `"op":`) - 1; !ok || (index != want && c.name != "parent created later") {
				t.Errorf("names operation %d, want %d: %s", index, want, e.Message)
			}
			if !bytes.Equal(before, p.JSON()) {
				t.Error("the plan has changed")
			}
		})
	}
}

func TestME9_PatchDocumentsThatAreNone(t *testing.T) {
	wrap := func(op string) string {
		return `{"type":"plan_patch","version":1,"payload":{"understanding":"","operations":[` + op + `]}}`
	}
	for _, c := range []struct{ doc, says string }{
		{``, "empty"},
		{`null`, "type"},
		{`Sure! {"type":"plan_patch"}`, "one JSON document"},
		{wrap(``) + wrap(``), "follows"},
		{`{"type":"decompose","version":1}`, "type"},
		{`{"type":"plan_patch","version":2,"payload":{}}`, "version"},
		{`{"type":"plan_patch","version":1}`, "payload is missing"},
		{`{"type":"plan_patch","version":1,"payload":{"operations":[]}}`, "understanding"},
		{`{"type":"plan_patch","version":1,"payload":{"understanding":"x"}}`, "operations"},
		{wrap(`null`), "operations[0]"},
		{wrap(`{"op":"rename","task_id":"a"}`), "create, update, delete or move"},
		{wrap(`{"op":"create","title":"x"}`), "temp_id"},
		{wrap(`{"op":"update","title":"x"}`), "task_id"},
		{wrap(`{"op":"update","task_id":"a","parent_id":"b"}`), "update has no parent_id"},
		{wrap(`{"op":"delete","task_id":"a","title":"b"}`), "delete has no title"},
		{wrap(`{"op":"update","task_id":"a","priority":1}`), "priority"},
		{wrap(`{"op":"update","task_id":"a","dependencies":"b"}`), "dependencies must be a list"},
		{wrap(`{"op":"update","task_id":"a","wbs_level":"3"}`), "wbs_level must be a whole number"},
		{wrap(`{"op":"update","task_id":"a","wbs_level":0}`), "1 or more"},
		{wrap(`{"op":"move","task_id":"a"}`), "neither"},
		{wrap(`{"op":"move","task_id":"a","position":{}}`), "exactly one"},
		{wrap(`{"op":"move","task_id":"a","position":{"index":0,"after":"b"}}`), "exactly one"},
		{wrap(`{"op":"move","task_id":"a","position":{"first":true}}`), "first"},
	} {
		if _, err := ReadPatch([]byte(c.doc), "p.json"); !errcode.Is(err, errcode.Validation) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s\n  got %v, want %q", c.doc, err, c.says)
		}
	}
}

func TestReadNamesThePlace(t *testing.T) {
	for _, c := range []struct{ doc, says string }{
		{"{\n\"version\": 1,\n}", "one JSON document"},
		{`{"version":2}`, "version must be 1"},
		{`{"version":1,"root_node_id":"r","node_index":[]}`, "root"},
		{`{"version":1,"root_node_id":"r","node_index":[{"node_id":"r"},{"node_id":"a","parent_id":"r"}],"tasks":[{"id":"a"}]}`, "hangs nowhere"},
		{`{"version":1,"root_node_id":"r","node_index":[{"node_id":"r","children":["a"]},{"node_id":"a","parent_id":"r"}],"tasks":[]}`, "no task"},
		{`{"version":1,"root_node_id":"r","node_index":[{"node_id":"r","children":["a","a"]},{"node_id":"a","parent_id":"r"}],"tasks":[{"id":"a"}]}`, "twice"},
		{`{"version":1,"root_node_id":"r","node_index":[{"node_id":"r"}],"tasks":[{"id":"a"}]}`, "no node"},
		{`{"version":1,"root_node_id":"r","node_index":[{"node_id":"r","children":["a"]},{"node_id":"a","parent_id":"r"}],"tasks":[{"id":"a","dependencies":["z"]}]}`, `depends on "z"`},
		{`{"version":1,"root_node_id":"r","node_index":[{"node_id":"r","children":["a"]},{"node_id":"a","parent_id":"r","children":["r"]}],"tasks":[{"id":"a"}]}`, "twice"},
		{`{"version":"1"}`, "version must be a whole number"},
	} {
		_, err := Read([]byte(c.doc), "plan.json")
		e, ok := errors.AsType[*errcode.Error](err)
		if !ok || !strings.Contains(e.Message, c.says) || e.Details[errcode.KeyFile] != "plan.json" {
			t.Errorf("%s\n  got %v, want %q", c.doc, err, c.says)
		}
	}
	_, err := Read([]byte("{\n\"version\": 1,\n}"), "plan.json")
	if e, _ := errors.AsType[*errcode.Error](err); e.Details[errcode.KeyLine] != 3 {
		t.Errorf("line %v, want 3", e.Details[errcode.KeyLine])
	}
}

func TestUnknownKeysSurviveAPatch(t *testing.T) {
	doc := `{"version":1,"root_node_id":"r","owner":{"a":[1]},"node_index":[{"node_id":"r","parent_id":"","children":["a"],"x":1},{"node_id":"a","parent_id":"r","children":[]}],"tasks":[{"id":"a","title":"","description":"","status":"DONE?","acceptance_criteria":[],"dependencies":[],"phase_name":"","milestone":"","wbs_level":3,"suggested_impl":{"language":"go"},"estimate":1.50}]}`
	p, err := Read([]byte(doc), "plan.json")
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.Apply(patchOf(t, `{"op":"update","task_id":"a","title":"T"}`), counter())
	if err != nil {
		t.Fatal(err)
	}
	var flat bytes.Buffer
	if err := json.Compact(&flat, got.Plan.JSON()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"owner":{"a":[1]}`, `"x":1`, `"estimate":1.50`, `"status":"DONE?"`, `"title":"T"`, `"suggested_impl":{"language":"go"}`} {
		if !strings.Contains(flat.String(), want) {
			t.Errorf("%s is missing in %s", want, flat.String())
		}
	}
}

func TestME10_TheBriefIsTrimmedTheSameWayEveryTime(t *testing.T) {
	lines := []string{}
	for i := range 250 {
		parent := "node-root"
		if i > 0 {
			parent = fmt.Sprintf("t%03d", (i-1)/3)
		}
		lines = append(lines, fmt.Sprintf("t%03d %s", i, parent))
	}
	p := grow(t, lines...)
	p.Tasks[240].Status, p.Tasks[245].Status, p.Tasks[3].Status, p.Tasks[9].Status = Running, Blocked, Complete, "SOMETHING"
	talk := []Message{}
	for i := range 14 {
		talk = append(talk, Message{Role: "user", Content: fmt.Sprintf("%02d", i) + strings.Repeat("あ", 400)})
	}
	b := p.Brief(talk)
	if len(b.Tasks) != 200 || b.Tasks[0].ID != "t240" || b.Tasks[1].ID != "t245" || b.Tasks[2].ID != "t000" || b.Tasks[199].ID != "t199" {
		t.Errorf("%d tasks: %s %s %s … %s", len(b.Tasks), b.Tasks[0].ID, b.Tasks[1].ID, b.Tasks[2].ID, b.Tasks[199].ID)
	}
	if b.Tasks[0].ParentID != "t079" {
		t.Errorf("parent of t240: %s", b.Tasks[0].ParentID)
	}
	if n := b.WBS.NodeIndex; len(n) != 200 || n[0].NodeID != "node-root" || n[1].NodeID != "t000" || n[199].NodeID != "t198" {
		t.Errorf("%d nodes, the last is %s", len(n), n[len(n)-1].NodeID)
	}
	for _, n := range b.WBS.NodeIndex {
		for _, c := range n.Children {
			if c > "t198" {
				t.Errorf("%s names the child %s, which was left out", n.NodeID, c)
			}
		}
	}
	if len(b.Messages) != 10 || !strings.HasPrefix(b.Messages[0].Content, "04") || len([]rune(b.Messages[0].Content)) != 300 {
		t.Errorf("%d messages, the first %.8s of %d characters", len(b.Messages), b.Messages[0].Content, len([]rune(b.Messages[0].Content)))
	}
	one, _ := json.Marshal(b)
	two, _ := json.Marshal(p.Brief(talk))
	if !bytes.Equal(one, two) {
		t.Error("the same plan gave two briefs")
	}
}
