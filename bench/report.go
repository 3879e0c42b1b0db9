package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"text/tabwriter"
)

// figure is one line of the report.
type figure struct {
	Group    string  `json:"group"`
	Name     string  `json:"name"`
	Unit     string  `json:"unit,omitempty"`  // ms or MB
	Value    float64 `json:"value,omitempty"` // the median
	Best     float64 `json:"best,omitempty"`  // the smallest of all
	CPU      float64 `json:"cpu,omitempty"`   // the median of the processor's time, ms
	Samples  int     `json:"samples,omitempty"`
	Peer     string  `json:"peer,omitempty"` // what Value is compared with: a peer of the same run, or a limit
	PeerIs   float64 `json:"peerValue,omitempty"`
	Ratio    float64 `json:"ratio,omitempty"` // Value to PeerIs
	CPURatio float64 `json:"cpuRatio,omitempty"`
	Goal     float64 `json:"goal,omitempty"` // of CPURatio, or of Ratio without one, at most; 0 where there is none
	Most     float64 `json:"most,omitempty"` // of Best, at most, whatever the peer needs; 0 where there is none
	Met      *bool   `json:"met,omitempty"`
	Missing  string  `json:"missing,omitempty"` // why there is no value, and what to do
	Note     string  `json:"note,omitempty"`
}

// machine is the kind of machine, and what else it had to do.
type machine struct {
	OS         string `json:"os"`
	Arch       string `json:"arch"`
	CPUs       int    `json:"cpus"`
	CPU        string `json:"cpu,omitempty"`
	Go         string `json:"go"`
	LoadBefore string `json:"loadBefore,omitempty"` // over 1, 5 and 15 minutes
	LoadAfter  string `json:"loadAfter,omitempty"`
}

type report struct {
	Machine machine  `json:"machine"`
	Figures []figure `json:"figures"`
}

// add completes a figure whose Value and peer are known. Where the processor's time is
// known of both, it decides: the clock on the wall also counts what neighbours do.
func (r *report) add(f figure) {
	if f.PeerIs > 0 {
		f.Ratio = f.Value / f.PeerIs
	}
	if f.Goal > 0 {
		decides := f.Ratio
		if f.CPURatio > 0 {
			decides = f.CPURatio
		}
		met := decides <= f.Goal
		f.Met = &met
	}
	if f.Most > 0 {
		met := f.Best <= f.Most
		f.Met = &met
	}
	r.Figures = append(r.Figures, f)
}

// limit adds a figure that may be at most so large.
func (r *report) limit(f figure, most float64) {
	f.Peer, f.PeerIs, f.Goal = "limit", most, 1
	r.add(f)
}

func (r *report) missing(group string, why error) {
	r.Figures = append(r.Figures, figure{Group: group, Name: group, Missing: why.Error()})
}

func (r *report) json(out io.Writer) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(r)
}

func (r *report) table(out io.Writer) error {
	m := r.Machine
	var b strings.Builder
	fmt.Fprintf(&b, "%s/%s, %d processors (%s), %s; load before %s, after %s\n\n", m.OS, m.Arch, m.CPUs, m.CPU, m.Go,
		m.LoadBefore, m.LoadAfter)
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(t, "FIGURE\tMEDIAN\tBEST\tCPU\tPEER OR LIMIT\tRATIO\tCPU RATIO\tGOAL\tMET")
	met, goals := 0, 0
	for _, f := range r.Figures {
		if f.Missing != "" {
			continue
		}
		verdict := ""
		if f.Met != nil {
			goals++
			if verdict = "no"; *f.Met {
				verdict = "yes"
				met++
			}
		}
		_, _ = fmt.Fprintln(t, strings.Join([]string{
			f.Name, amount(f.Value, f.Unit), amount(f.Best, f.Unit), amount(f.CPU, "ms"), strings.TrimSpace(f.Peer + " " + amount(f.PeerIs, f.Unit)),
			times("", f.Ratio), times("", f.CPURatio), goal(f), verdict,
		}, "\t"))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(&b, "\n%d of %d goals met\n", met, goals)
	for _, f := range r.Figures {
		if f.Note != "" {
			fmt.Fprintf(&b, "%s: %s\n", f.Name, f.Note)
		}
		if f.Missing != "" {
			fmt.Fprintf(&b, "not measured: %s: %s\n", f.Name, f.Missing)
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func amount(v float64, unit string) string {
	if v == 0 {
		return ""
	}
	digits := 0
	if v < 100 {
		digits = 1
	}
	if v < 10 {
		digits = 2
	}
	return strconv.FormatFloat(v, 'f', digits, 64) + " " + unit
}

func times(sign string, v float64) string {
	if v == 0 {
		return ""
	}
	return sign + strconv.FormatFloat(v, 'f', 2, 64) + "×"
}

// goal says what is wanted of a figure: against its peer, or of its best sample.
func goal(f figure) string {
	if f.Most > 0 {
		return "best ≤ " + amount(f.Most, f.Unit)
	}
	return times("≤ ", f.Goal)
}

func thisMachine() machine {
	return machine{
		OS:         runtime.GOOS,
		Arch:       runtime.GOARCH,
		CPUs:       runtime.NumCPU(),
		CPU:        processor(),
		Go:         runtime.Version(),
		LoadBefore: load(),
	}
}

func processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "kind not known"
	}
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "kind not known"
}

// load is how many processes wanted to run, as far as the system tells.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "not known"
	}
	return strings.Join(strings.Fields(string(text))[:3], " ")
}
