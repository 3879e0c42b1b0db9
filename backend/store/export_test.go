package store

// SetDurability lets a test show what less than FULL would lose.
func SetDurability(level string) { durability = level }
