package config

import (
	"os"
	"slices"
	"strings"

	"agentflow/backend/base/docedit"
	"agentflow/backend/base/errcode"
)

// Known are the names that the settings file can refer to and that this package doesn't define.
type Known struct {
	Kinds     []string // of providers
	Workers   []string // of complex tasks
	Providers []string // in the file, in the environment and built in
}

// UnknownNames are the names in a settings file that mean nothing here, each with its line. They are no errors: the hub works
// without what they name, and a provider can be in the environment of another start, or a kind in a newer version.
func UnknownNames(s *Settings, known Known) []*errcode.Error {
	doc := s.read()
	if doc == nil {
		return nil
	}
	s.mu.Lock()
	f := s.file
	s.mu.Unlock()
	var out []*errcode.Error
	for i, p := range f.Providers {
		if !slices.Contains(known.Kinds, p.Kind) {
			out = append(out, place{"providers", i, "kind"}.fail(doc,
				"providers: %s has the unknown kind %q and isn't used. Use one of: %s",
				p.Name, p.Kind, list(known.Kinds)))
		}
	}
	if d := f.DefaultProvider; d != "" && !slices.Contains(known.Providers, d) {
		out = append(out, place{"defaultProvider"}.fail(doc,
			"defaultProvider names %q, but there is no such provider. Use one of: %s", d, list(known.Providers)))
	}
	if w := f.ComplexTasks.Worker; w != "" && !slices.Contains(known.Workers, w) {
		out = append(out, place{"complexTasks", "worker"}.fail(doc,
			"complexTasks.worker is %q, so an agent does complex tasks alone. Use one of: %s", w, list(known.Workers)))
	}
	return out
}

func list(names []string) string { return strings.Join(names, ", ") }

// GatewayFault returns why a gateway of the settings file can't be used, with its line and the value. Other errors stay
// as they are, as do those of a gateway that isn't in the file.
func GatewayFault(s *Settings, name string, err error) error {
	fault := errcode.From(err)
	if fault == nil || fault.Code != errcode.Validation {
		return err
	}
	doc := s.read()
	if doc == nil {
		return err
	}
	for i, item := range docedit.Items(docedit.Get(doc.Root(), "gateways")) {
		if nameOf(item) != name {
			continue
		}
		field, _ := fault.Details[errcode.KeyField].(string)
		at := place{"gateways", i, field}
		value, _ := docedit.Scalar(docedit.Get(item, field))
		if strings.ContainsAny(value, "@?#") { // a password or a token can be in it
			return at.fail(doc, "gateways: %s of %s: %s", field, name, fault.Message)
		}
		return at.fail(doc, "gateways: %s of %s is %q: %s", field, name, value, fault.Message)
	}
	return err
}

// read returns the settings file as it is now, or nil.
func (s *Settings) read() *docedit.Document {
	data, err := os.ReadFile(s.path)
	if err != nil {
		return nil
	}
	doc, err := docedit.Parse(data, s.path)
	if err != nil {
		return nil
	}
	return doc
}
