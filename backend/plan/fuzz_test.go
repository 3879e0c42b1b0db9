package plan

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// dice generates a patch, mostly valid, sometimes with unknown IDs.
type dice struct {
	*rand.Rand
	ids   []ID
	temps int
}

func (d *dice) id() *ID {
	id := ID("nobody")
	if d.IntN(60) > 0 {
		id = d.ids[d.IntN(len(d.ids))]
	}
	return &id
}

func (d *dice) position() *Position {
	switch d.IntN(24) {
	case 0, 1, 2, 3:
		i := d.IntN(3)
		return &Position{Index: &i}
	case 4:
		return &Position{Before: d.id()}
	case 5:
		return &Position{After: d.id()}
	}
	return nil
}

func (d *dice) dependencies() *[]ID {
	if d.IntN(2) == 0 {
		return nil
	}
	list := []ID{}
	for range d.IntN(3) {
		if id := *d.id(); !slices.Contains(list, id) {
			list = append(list, id)
		}
	}
	return &list
}

func (d *dice) operation() Operation {
	title := fmt.Sprint(d.IntN(100))
	switch d.IntN(5) {
	case 0, 1:
		d.temps++
		temp := ID(fmt.Sprintf("temp-%d", d.temps))
		op := Operation{
			Op:           Create,
			TempID:       temp,
			Title:        &title,
			ParentID:     d.id(),
			Position:     d.position(),
			Dependencies: d.dependencies(),
		}
		d.ids = append(d.ids, temp)
		return op
	case 2:
		return Operation{Op: Update, TaskID: *d.id(), Title: &title, Dependencies: d.dependencies()}
	case 3:
		return Operation{Op: Move, TaskID: *d.id(), ParentID: d.id(), Position: d.position()}
	}
	cascade := d.IntN(2) == 0
	return Operation{Op: Delete, TaskID: *d.id(), Cascade: &cascade}
}

func (d *dice) patch() *Patch {
	p := &Patch{Type: PatchType, Version: Version}
	for range 1 + d.IntN(4) {
		p.Payload.Operations = append(p.Payload.Operations, d.operation())
	}
	return p
}

// TestME9_NoPatchLeavesAnythingBehind applies random patches, one after another. A valid one results in a valid plan
// with all tasks that weren't deleted, and no references to deleted ones. An invalid one leaves the plan unchanged.
func TestME9_NoPatchLeavesAnythingBehind(t *testing.T) {
	good, bad := 0, 0
	for seed := range uint64(300) {
		d := &dice{Rand: rand.New(rand.NewPCG(seed, 7))}
		p := New()
		ids := counter()
		for range 30 {
			d.ids = []ID{p.RootNodeID}
			for i := range p.Tasks {
				d.ids = append(d.ids, p.Tasks[i].ID)
			}
			patch, before := d.patch(), p.JSON()
			got, err := p.Apply(patch, ids)
			if !bytes.Equal(before, p.JSON()) {
				t.Fatalf("seed %d: the plan that was patched has changed", seed)
			}
			if err != nil {
				bad++
				continue
			}
			good++
			if err := got.Plan.Validate(); err != nil {
				t.Fatalf("seed %d: %v\n%+v", seed, err, patch)
			}
			want := len(p.Tasks) + len(got.Created) - len(got.Deleted)
			if len(got.Plan.Tasks) != want {
				t.Fatalf("seed %d: %d tasks, want %d", seed, len(got.Plan.Tasks), want)
			}
			if again, err := Read(got.Plan.JSON(), "again"); err != nil || !bytes.Equal(again.JSON(), got.Plan.JSON()) {
				t.Fatalf("seed %d: does not survive being written: %v", seed, err)
			}
			p = got.Plan
		}
	}
	if good < 1000 || bad < 1000 {
		t.Errorf("the dice are loaded: %d good, %d bad", good, bad)
	}
}

// FuzzPatch calls ReadPatch and Apply with arbitrary bytes.
func FuzzPatch(f *testing.F) {
	f.Add([]byte(`{"type":"plan_patch","version":1,"payload":{"understanding":"","operations":[{"op":"create","temp_id":"t","parent_id":"a","position":{"index":0}},{"op":"delete","task_id":"a"}]}}`))
	f.Add([]byte(`{"type":"plan_patch","version":1,"payload":{"understanding":"","operations":[{"op":"move","task_id":"b","parent_id":"c"},{"op":"update","task_id":"c","dependencies":["a"]}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		p := grow(t, "a node-root", "b a", "c a a", "d node-root b")
		before := p.JSON()
		patch, err := ReadPatch(data, "f")
		if err != nil {
			return
		}
		got, err := p.Apply(patch, counter())
		if !bytes.Equal(before, p.JSON()) {
			t.Fatal("the plan that was patched has changed")
		}
		if err == nil && got.Plan.Validate() != nil {
			t.Fatal(got.Plan.Validate())
		}
	})
}

// FuzzRead calls Read with arbitrary bytes: what it accepts, it can write and read again.
func FuzzRead(f *testing.F) {
	f.Add(New().JSON())
	f.Add(grow(f, "a node-root", "b a a").JSON())
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Read(data, "f")
		if err != nil {
			return
		}
		if again, err := Read(p.JSON(), "f"); err != nil || !bytes.Equal(again.JSON(), p.JSON()) {
			t.Fatalf("written and read again: %v", err)
		}
	})
}

// BenchmarkPatch applies ten operations to a plan of 5,000 tasks.
func BenchmarkPatch(b *testing.B) {
	lines := make([]string, 0, 5000)
	for i := range 5000 {
		parent, dep := "node-root", ""
		if i >= 50 {
			parent, dep = fmt.Sprintf("t%d", i/50), fmt.Sprintf("t%d", i-50)
		}
		lines = append(lines, fmt.Sprintf("t%d %s %s", i, parent, dep))
	}
	p := grow(b, lines...)
	patch := patchOf(
		b,
		`{"op":"create","temp_id":"x","parent_id":"t7","position":{"index":3},"dependencies":["t9"]},{"op":"update","task_id":"t100","title":"n"},
		{"op":"move","task_id":"t60","parent_id":"t8"},{"op":"delete","task_id":"t20"},{"op":"delete","task_id":"t30","cascade":true},
		{"op":"create","temp_id":"y","parent_id":"x"},{"op":"update","task_id":"t4000","dependencies":["x","y"]},{"op":"move","task_id":"t5","position":{"index":0}},
		{"op":"delete","task_id":"t77"},{"op":"update","task_id":"t4999","acceptance_criteria":["a"]}`,
	)
	for b.Loop() {
		if _, err := p.Apply(patch, counter()); err != nil {
			b.Fatal(err)
		}
	}
}
