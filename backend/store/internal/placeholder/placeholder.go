// Package placeholder writes the placeholders of SQL statements as PostgreSQL takes them.
package placeholder

import (
	"strconv"
	"strings"
)

// Numbered replaces the question marks of a statement with $1, $2 and so on. The statement has question marks for
// values only.
func Numbered(query string) string {
	var out strings.Builder
	for i, part := range strings.Split(query, "?") {
		if i > 0 {
			out.WriteString("$" + strconv.Itoa(i))
		}
		out.WriteString(part)
	}
	return out.String()
}
