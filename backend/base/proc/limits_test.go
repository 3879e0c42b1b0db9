package proc

import "testing"

// A restricted job leaves a quarter of the memory to the person, but a small computer can still compile.
func TestTR3_ARestrictedJobLeavesMemoryToThePerson(t *testing.T) {
	for total, want := range map[uint64]uint64{64 << 30: 48 << 30, 2 << 30: 2 << 30, 0: 2 << 30} {
		if got := jobMemory(total); got != want {
			t.Errorf("of %d bytes a job gets %d, want %d", total, got, want)
		}
	}
}
