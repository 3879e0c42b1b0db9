package room

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// Translator tells system messages in a language that people read.
type Translator interface {
	// Text is what the message says in the language.
	Text(m Message) string
	// Causes returns the codes of causes whose messages may contain the word only in
	// translation.
	Causes(word string) []string
}

// Search returns the newest messages that contain every word of the text: as stored
// or, with a translator, as translated.
func (h *Hub) Search(ctx context.Context, q Query, tongue Translator) ([]Message, error) {
	q.Limit = limit(q.Limit)
	if strings.TrimSpace(q.Text) == "" {
		return nil, invalid("q", "there is nothing to search for")
	}
	for more := true; more; {
		var err error
		if more, err = h.store.IndexMessages(ctx); err != nil {
			return nil, err
		}
	}
	found, err := h.store.SearchMessages(ctx, q)
	if err != nil || tongue == nil {
		return found, err
	}
	also, err := h.searchTold(ctx, q, tongue, found)
	if err != nil || len(also) == 0 {
		return found, err
	}
	found = append(found, also...)
	slices.SortFunc(found, func(a, b Message) int { return cmp.Compare(b.ID, a.ID) })
	return found[:min(len(found), q.Limit)], nil
}

// searchTold finds the system messages in which some of the words stand only as they are
// told. Those that are older than all of a full page of what was found do not matter.
func (h *Hub) searchTold(ctx context.Context, q Query, tongue Translator, found []Message) ([]Message, error) {
	var words, stored []string
	for _, word := range strings.Fields(q.Text) {
		if causes := tongue.Causes(word); len(causes) > 0 {
			words = append(words, strings.ToLower(word))
			q.Causes = append(q.Causes, causes...)
		} else {
			stored = append(stored, word)
		}
	}
	if len(words) == 0 {
		return nil, nil
	}
	slices.Sort(q.Causes)
	q.Causes = slices.Compact(q.Causes)
	most, oldest := q.Limit, int64(0)
	if len(found) == most {
		oldest = found[most-1].ID
	}
	var also []Message
	for q.Text, q.Limit = strings.Join(stored, " "), pageSize; ; {
		page, err := h.store.SearchMessages(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, m := range page {
			if m.ID < oldest || len(also) == most {
				return also, nil
			}
			stands := strings.ToLower(m.Text)
			if holdsAll(stands, words) {
				continue // it was found as it is stored
			}
			if holdsAll(stands+"\n"+strings.ToLower(tongue.Text(m)), words) {
				also = append(also, m)
			}
		}
		if len(page) < q.Limit {
			return also, nil
		}
		q.Before = page[len(page)-1].ID
	}
}

func holdsAll(text string, words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}
