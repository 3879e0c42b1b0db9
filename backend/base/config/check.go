package config

import (
	"fmt"
	"maps"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"agentflow/backend/base/docedit"
	"agentflow/backend/base/errcode"
	"agentflow/backend/base/sandbox"
)

// place is where a value is in the settings file: keys of maps and numbers of list items.
type place []any

// find returns the value of the place, or the nearest one around it that is in the document.
func (p place) find(doc *docedit.Document) *yaml.Node {
	n := doc.Root()
	for _, step := range p {
		next := (*yaml.Node)(nil)
		switch step := step.(type) {
		case string:
			next = docedit.Get(n, step)
		case int:
			if items := docedit.Items(n); step < len(items) {
				next = items[step]
			}
		}
		if next == nil {
			return n
		}
		n = next
	}
	return n
}

// fail returns an error of the value at the place. It names the line, if the document has the value.
func (p place) fail(doc *docedit.Document, format string, args ...any) *errcode.Error {
	return doc.Fail(p.find(doc), format, args...)
}

// checkNetworks says which value under security isn't a network. YAML's own error for it has no line.
func checkNetworks(doc *docedit.Document) error {
	for _, key := range []string{"allow", "proxies"} {
		for i, n := range docedit.Items(docedit.Get(docedit.Get(doc.Root(), "security"), key)) {
			text, _ := docedit.Scalar(n)
			if err := new(netip.Prefix).UnmarshalText([]byte(text)); err != nil {
				return place{"security", key, i}.fail(doc, "security: %q under %s isn't a network. "+
					"Use CIDR, such as 192.0.2.0/24, or 192.0.2.7/32 for a single address", text, key)
			}
		}
	}
	return nil
}

func (f File) validate(doc *docedit.Document) error {
	for _, check := range []func(*docedit.Document) error{
		f.checkGateways, f.checkBudgets, f.Sandbox.check, f.checkPrices,
	} {
		if err := check(doc); err != nil {
			return err
		}
	}
	return nil
}

func (f File) checkGateways(doc *docedit.Document) error {
	names := []string{LocalGateway}
	for i, g := range f.Gateways {
		switch at := (place{"gateways", i}); {
		case g.Name == "" || g.URL == "":
			return at.fail(doc, "gateways[%d] needs a name and a url", i)
		case slices.Contains(names, g.Name):
			return append(at, "name").fail(doc,
				"gateways[%d]: the name %q is taken. Give the gateway another name", i, g.Name)
		}
		names = append(names, g.Name)
	}
	if d := f.DefaultGateway; d != "" && d != EnvGateway && !slices.Contains(names, d) {
		return place{"defaultGateway"}.fail(doc,
			"defaultGateway names %q, which is not among the gateways. Use one of: %s", d, list(names))
	}
	return nil
}

func (f File) checkBudgets(doc *docedit.Document) error {
	if err := f.Budgets.Task.check(doc, place{"budgets", "task"}); err != nil {
		return err
	}
	for _, agent := range slices.Sorted(maps.Keys(f.Budgets.Agents)) {
		if err := f.Budgets.Agents[agent].check(doc, place{"budgets", "agents", agent}); err != nil {
			return err
		}
	}
	return nil
}

func (b Budget) check(doc *docedit.Document, at place) error {
	limits := []struct {
		key   string
		value float64
	}{{"tokens", float64(b.Tokens)}, {"usd", b.USD}, {"seconds", float64(b.Seconds)}}
	for _, limit := range limits {
		if limit.value < 0 {
			return append(at, limit.key).fail(doc, "budgets: %s is %s. Use 0 or more. 0 is no limit",
				limit.key, fmt.Sprint(limit.value))
		}
	}
	return nil
}

func (b Sandbox) check(doc *docedit.Document) error {
	modes := []string{string(sandbox.Auto), string(sandbox.Required), string(sandbox.Off)}
	if b.Mode != "" && !slices.Contains(modes, string(b.Mode)) {
		return place{"sandbox", "mode"}.fail(doc, "sandbox.mode is %q. Use one of: %s", b.Mode, list(modes))
	}
	if err := checkFolders(doc, "read", b.Read); err != nil {
		return err
	}
	return checkFolders(doc, "write", b.Write)
}

func checkFolders(doc *docedit.Document, key string, folders []string) error {
	for i, folder := range folders {
		if !filepath.IsAbs(folder) && folder != "~" && !strings.HasPrefix(folder, "~/") {
			return place{"sandbox", key, i}.fail(doc,
				"sandbox: %q is not an absolute path. Begin it with / or ~/", folder)
		}
	}
	return nil
}
