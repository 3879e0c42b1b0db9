package main

import "time"

// cpuTime is not measured here; the table leaves its columns empty.
func cpuTime() time.Duration { return 0 }
