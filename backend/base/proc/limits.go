package proc

// minJobMemory is what a restricted job on Windows can use at least, for compilers on a small computer.
const minJobMemory = 2 << 30

// jobMemory returns how much memory a restricted job can use on a computer that has total bytes. The rest is
// for the person's programs.
func jobMemory(total uint64) uint64 { return max(total/4*3, minJobMemory) }
