package meta

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"agentflow/backend/base/errcode"
	"agentflow/backend/plan"
)

// maxAnswer limits an answer, in bytes.
const maxAnswer = 1 << 20

// document reads the single document of an answer. JSON is converted to YAML and then decoded into the struct (ME-4).
// YAML is accepted too, because the protocol's system prompt asks for it, and one code fence around everything is
// removed. Prose, a second document, another type and unknown keys are rejected.
func document(text string, protocol Protocol, into any) error {
	if len(text) > maxAnswer {
		return fmt.Errorf("it is longer than %d bytes", maxAnswer)
	}
	if !utf8.ValidString(text) {
		return errors.New("it is not UTF-8")
	}
	text, err := peel(text)
	if err != nil {
		return err
	}
	if text == "" {
		return errors.New("it is empty")
	}
	asYAML, err := toYAML(text)
	if err != nil {
		return err
	}
	if err := typeOf(asYAML, protocol); err != nil {
		return err
	}
	dec := yaml.NewDecoder(bytes.NewReader(asYAML))
	dec.KnownFields(true)
	if err := dec.Decode(into); err != nil {
		return plainly(err)
	}
	return nil
}

// plainly is a decoder's error in one line, without what only this program knows.
func plainly(err error) error {
	said := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "yaml: "), "unmarshal errors:\n")
	return errors.New(strings.TrimSpace(goType.ReplaceAllString(strings.ReplaceAll(said, "\n", ";"), "$1")))
}

// goType is how the decoder names a type of this program, which means nothing to the reader of the error.
var goType = regexp.MustCompile(`(not found|cannot unmarshal .*?) (?:in type|into) (?:\[\])?[a-z]+\.\w+`)

const fence = "```"

// peel removes a code fence around the whole text.
func peel(text string) (string, error) {
	text = strings.TrimSpace(strings.TrimPrefix(text, "\ufeff"))
	if !strings.HasPrefix(text, fence) {
		return text, nil
	}
	head, rest, ok := strings.Cut(text, "\n")
	if body, closed := strings.CutSuffix(rest, fence); ok && closed && !strings.Contains(strings.TrimPrefix(head, fence), "`") {
		return strings.TrimSpace(body), nil
	}
	return "", errors.New("its code fence is not closed, or something stands behind it")
}

// toYAML returns the document as YAML. What starts like JSON must be JSON.
func toYAML(text string) ([]byte, error) {
	if text[0] != '{' && text[0] != '[' {
		return oneYAML(text)
	}
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, fmt.Errorf("it is not JSON: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the end of the document")
	}
	return yaml.Marshal(numbers(v))
}

// numbers converts JSON numbers to YAML numbers.
func numbers(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = numbers(v[k])
		}
	case []any:
		for i := range v {
			v[i] = numbers(v[i])
		}
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		if f, err := v.Float64(); err == nil {
			return f
		}
		return v.String()
	}
	return v
}

func oneYAML(text string) ([]byte, error) {
	dec := yaml.NewDecoder(strings.NewReader(text))
	var first, second yaml.Node
	if err := dec.Decode(&first); err != nil {
		return nil, fmt.Errorf("it is neither JSON nor YAML: %s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if err := dec.Decode(&second); !errors.Is(err, io.EOF) {
		return nil, errors.New("it holds more than one document")
	}
	if len(first.Content) != 1 || first.Content[0].Kind != yaml.MappingNode {
		return nil, errors.New("it is prose, not a document")
	}
	return []byte(text), nil
}

func typeOf(asYAML []byte, want Protocol) error {
	var answer any
	if err := yaml.Unmarshal(asYAML, &answer); err != nil {
		return plainly(err)
	}
	keys, is := answer.(map[string]any)
	if !is {
		return errors.New("it is not an object with keys")
	}
	if keys["type"] == nil {
		return fmt.Errorf("its type must be %q, but it has no type", want)
	}
	if keys["type"] != string(want) {
		return fmt.Errorf("its type must be %q, not %v", want, keys["type"])
	}
	return nil
}

func (a *PlanTaskAnswer) check() error {
	if len(a.AcceptanceCriteria) == 0 {
		return errors.New("acceptance_criteria is missing or empty")
	}
	taken := map[string]bool{}
	for i := range a.AcceptanceCriteria {
		c := &a.AcceptanceCriteria[i]
		if strings.TrimSpace(c.Description) == "" {
			return fmt.Errorf("acceptance_criteria[%d].description is missing", i)
		}
		if c.ID != "" && taken[c.ID] {
			return fmt.Errorf("acceptance_criteria[%d].id %q stands twice", i, c.ID)
		}
		taken[c.ID] = true
	}
	for i, n := 0, 1; i < len(a.AcceptanceCriteria); i++ {
		c := &a.AcceptanceCriteria[i]
		for ; c.ID == ""; n++ {
			if id := fmt.Sprintf("AC-%d", n); !taken[id] {
				c.ID, taken[id] = id, true
			}
		}
	}
	return nil
}

func (a *NextActionAnswer) check() error {
	w := a.WorkerCall
	switch {
	case a.Decision.Action != RunWorker && a.Decision.Action != MarkComplete:
		return fmt.Errorf("decision.action must be %q or %q, not %q", RunWorker, MarkComplete, a.Decision.Action)
	case strings.TrimSpace(a.Decision.Reason) == "":
		return errors.New("decision.reason is missing")
	case a.Decision.Action == MarkComplete && w == nil:
		return nil
	case a.Decision.Action == MarkComplete:
		return errors.New("worker_call does not go with mark_complete")
	case w == nil:
		return errors.New("worker_call is missing")
	case w.WorkerType == "" || w.Mode == "" || strings.TrimSpace(w.Prompt) == "":
		return errors.New("worker_call must hold worker_type, mode and prompt")
	}
	return nil
}

func (a *CompletionAssessmentAnswer) check() error {
	if strings.TrimSpace(a.Summary) == "" {
		return errors.New("summary is missing")
	}
	return nil
}

func (a *DecomposeAnswer) check() error {
	if strings.TrimSpace(a.Understanding) == "" {
		return errors.New("understanding is missing")
	}
	if a.Phases == nil {
		return errors.New("phases is missing")
	}
	seen := map[plan.ID]bool{}
	for i := range a.Phases {
		p := &a.Phases[i]
		if p.Name == "" || p.Milestone == "" || p.Tasks == nil {
			return fmt.Errorf("phases[%d] must hold name, milestone and tasks", i)
		}
		for j := range p.Tasks {
			if err := p.Tasks[j].check(seen); err != nil {
				return fmt.Errorf("phases[%d].tasks[%d]: %w", i, j, err)
			}
		}
	}
	return nil
}

func (t *DecomposedTask) check(seen map[plan.ID]bool) error {
	switch {
	case t.ID == "" || t.Title == "" || t.Description == "":
		return errors.New("it must hold id, title and description")
	case seen[t.ID]:
		return fmt.Errorf("the id %q stands twice", t.ID)
	case t.WBSLevel < 1 || t.WBSLevel > 3:
		return fmt.Errorf("wbs_level must be 1, 2 or 3, not %d", t.WBSLevel)
	case t.EstimatedEffort != "small" && t.EstimatedEffort != "medium" && t.EstimatedEffort != "large":
		return fmt.Errorf("estimated_effort must be small, medium or large, not %q", t.EstimatedEffort)
	}
	seen[t.ID] = true
	return nil
}

// patchDocument reads a plan_patch answer. The patch's own, stricter reader decides.
func patchDocument(text string) (*plan.Patch, error) {
	var open map[string]any
	if err := document(text, PlanPatch, &open); err != nil {
		return nil, err
	}
	data, err := json.Marshal(open)
	if err != nil {
		return nil, err
	}
	p, err := plan.ReadPatch(data, "the answer")
	if err != nil {
		return nil, errors.New(errcode.From(err).Message)
	}
	return p, nil
}
