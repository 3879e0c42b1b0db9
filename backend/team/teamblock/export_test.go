package teamblock

// Blocks returns the blocks of the team in a text, and the text around them.
func Blocks(text string) (blocks []string, around string) {
	at := 0
	for _, s := range kinds[1].find(text) {
		blocks = append(blocks, text[s.from:s.to])
		around += text[at:s.from] + "|"
		at = s.to
	}
	return blocks, around + text[at:]
}
