package llm

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// notOptions would change what an answer is, not how it is made.
var notOptions = []string{"model", "messages", "prompt", "stream", "stream_options", "tools", "tool_choice",
	"functions", "n"}

// added puts options into a request's JSON object; what the request says itself stays.
func added(body []byte, options map[string]json.RawMessage) ([]byte, error) {
	object := map[string]json.RawMessage{}
	if err := json.Unmarshal(body, &object); err != nil {
		return nil, err
	}
	for name, value := range options {
		if _, has := object[name]; !has && !slices.Contains(notOptions, name) {
			object[name] = value
		}
	}
	return json.Marshal(object)
}

// withOptions adds options to what is about to be sent.
func withOptions(req *http.Request, options map[string]json.RawMessage) error {
	if len(options) == 0 || req.Body == nil {
		return nil
	}
	body, err := io.ReadAll(req.Body)
	if err == nil {
		body, err = added(body, options)
	}
	if err != nil {
		return err
	}
	req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	req.GetBody = nil
	return nil
}

// besideOptions are Ollama's settings that do not stand among its options.
var besideOptions = []string{"think", "keep_alive", "format"}

// nativeBody is a request to Ollama with the options where they belong.
func nativeBody(r ollamaRequest, options map[string]json.RawMessage) ([]byte, error) {
	body, err := json.Marshal(r)
	if err != nil || len(options) == 0 {
		return body, err
	}
	inside := maps.Clone(options)
	beside := map[string]json.RawMessage{}
	for _, name := range besideOptions {
		if value, has := inside[name]; has {
			beside[name] = value
			delete(inside, name)
		}
	}
	own, err := json.Marshal(r.Options)
	if err == nil {
		beside["options"], err = added(own, inside)
	}
	if err != nil {
		return nil, err
	}
	object := map[string]json.RawMessage{}
	if err := json.Unmarshal(body, &object); err != nil {
		return nil, err
	}
	delete(object, "options")
	if body, err = json.Marshal(object); err != nil {
		return nil, err
	}
	return added(body, beside)
}

// commandOptions are the arguments for the llm command, in the order of their names.
func commandOptions(options map[string]json.RawMessage) (args []string) {
	for _, name := range slices.Sorted(maps.Keys(options)) {
		if name == "" || strings.HasPrefix(name, "-") || slices.Contains(notOptions, name) {
			continue
		}
		value := string(options[name])
		var text string
		if json.Unmarshal(options[name], &text) == nil {
			value = text
		}
		args = append(args, "-o", name, value)
	}
	return args
}
