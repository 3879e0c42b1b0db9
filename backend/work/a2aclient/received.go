package a2aclient

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"agentflow/backend/base/errcode"
)

// maxSaid limits an answer, in bytes of its text and data.
const maxSaid = 1 << 20

// pieceCost is the minimum size that an artifact counts as.
const pieceCost = 64

var errTooMuch = errors.New("the answer is too long")

func tooMuch() error {
	return errcode.Wrap(errcode.Validation, errTooMuch, "the agent said more than %d bytes", maxSaid).
		With(errcode.KeyCause, "output")
}

// received is the answer so far: artifacts in the order in which they started.
type received struct {
	pieces []*artifact
	size   int
}

type artifact struct {
	id    a2a.ArtifactID
	text  string
	data  []any
	files []file
}

type file struct {
	Name      string `json:"name,omitempty"`
	MediaType string `json:"mediaType,omitempty"`
	URL       string `json:"url,omitempty"`
	Bytes     []byte `json:"bytes,omitempty"` // base64 in JSON
}

// add adds a part of an artifact, or replaces it, and returns the new text.
func (h *received) add(a *a2a.Artifact, more bool) (string, error) {
	var is *artifact
	for _, p := range h.pieces {
		if p.id == a.ID {
			is = p
		}
	}
	before := ""
	if is == nil {
		is = &artifact{id: a.ID}
		if len(h.pieces) > 0 {
			before = "\n\n"
		}
		h.pieces = append(h.pieces, is)
		h.size += pieceCost + len(a.ID)
	}
	was := is.text
	if !more {
		h.size -= is.size()
		is.text, is.data, is.files = "", nil, nil
	}
	had := is.size()
	for _, p := range a.Parts {
		is.take(p)
	}
	if h.size += is.size() - had; h.size > maxSaid {
		return "", tooMuch()
	}
	fresh, same := strings.CutPrefix(is.text, was)
	if !same {
		fresh, before = is.text, "\n\n" // the agent has rewritten its text
	}
	if fresh == "" {
		return "", nil
	}
	if was == "" || !same {
		fresh = before + fresh
	}
	return fresh, nil
}

func (a *artifact) take(p *a2a.Part) {
	if p == nil {
		return
	}
	switch c := p.Content.(type) {
	case a2a.Text:
		a.text += string(c)
	case a2a.Data:
		a.data = append(a.data, c.Value)
	case a2a.URL:
		a.files = append(a.files, file{Name: p.Filename, MediaType: p.MediaType, URL: string(c)})
	case a2a.Raw:
		a.files = append(a.files, file{Name: p.Filename, MediaType: p.MediaType, Bytes: c})
	}
}

// size returns the approximate size of an artifact.
func (a *artifact) size() int {
	n := len(a.text)
	for _, d := range a.data {
		raw, _ := json.Marshal(d) // it was parsed from JSON
		n += len(raw)
	}
	for _, f := range a.files {
		n += len(f.Bytes) + len(f.URL) + len(f.Name)
	}
	return n
}

func (h *received) lastText() string {
	for i := len(h.pieces) - 1; i >= 0; i-- {
		if h.pieces[i].text != "" {
			return h.pieces[i].text
		}
	}
	return ""
}

// result returns the job's result: {"text","data"?,"files"?,"a2a":{"taskId","contextId"}}. word is the agent's last
// status message; it becomes the text if there is no other.
func (h *received) result(word string, id a2a.TaskID, context string) (json.RawMessage, error) {
	var out struct {
		Text  string `json:"text"`
		Data  any    `json:"data,omitempty"` // an array, if there are several
		Files []file `json:"files,omitempty"`
		A2A   struct {
			TaskID    a2a.TaskID `json:"taskId,omitempty"`
			ContextID string     `json:"contextId,omitempty"`
		} `json:"a2a"`
	}
	var texts []string
	var data []any
	for _, p := range h.pieces {
		if p.text != "" {
			texts = append(texts, p.text)
		}
		data = append(data, p.data...)
		out.Files = append(out.Files, p.files...)
	}
	if len(texts) == 0 && word != "" {
		texts = []string{word}
	}
	out.Text = strings.Join(texts, "\n\n")
	switch len(data) {
	case 0:
	case 1:
		out.Data = data[0]
	default:
		out.Data = data
	}
	out.A2A.TaskID, out.A2A.ContextID = id, context
	return json.Marshal(out)
}

// textOf returns the text of a message, one part per line.
func textOf(parts a2a.ContentParts) string {
	var texts []string
	for _, p := range parts {
		if p != nil && p.Text() != "" {
			texts = append(texts, p.Text())
		}
	}
	return strings.TrimSpace(strings.Join(texts, "\n"))
}

// maxLine limits a log line.
const maxLine = 2000

func oneLine(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
	if runes := []rune(text); len(runes) > maxLine {
		text = string(runes[:maxLine-1]) + "…"
	}
	return text
}

func orText(text, otherwise string) string {
	if strings.TrimSpace(text) == "" {
		return otherwise
	}
	return text
}
