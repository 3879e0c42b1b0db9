package gatewayguard_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"agentflow/backend/team/gatewayguard"
)

type object = map[string]any

// whole is a config with 7 agents, 7 bindings and 3 channels.
func whole() object {
	agents, bindings := object{}, []any{}
	for i := range 7 {
		id := fmt.Sprintf("agent-%d", i)
		agents[id] = object{"name": "Agent " + id, "model": "anthropic/claude", "workspace": "/home/w/" + id}
		bindings = append(bindings, object{"type": "route", "agentId": id, "match": object{"channel": "telegram"}})
	}
	return object{
		"agents":   object{"entries": agents, "defaults": object{"model": "anthropic/claude"}},
		"bindings": bindings,
		"channels": object{
			"defaults": object{}, "telegram": object{"token": "x"}, "discord": object{"token": "y"}, "slack": object{},
		},
		"gateway": object{"mode": "local", "auth": object{"token": "z"}},
		"models":  object{"providers": object{"anthropic": object{"apiKey": strings.Repeat("k", 60)}}},
	}
}

func size(t *testing.T, config object) gatewayguard.Size {
	t.Helper()
	raw, err := json.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	return gatewayguard.Measure(raw, ids(config))
}

func ids(config object) []string {
	agents, _ := config["agents"].(object)
	entries, _ := agents["entries"].(object)
	out := []string{}
	for id := range entries {
		out = append(out, id)
	}
	return out
}

func kinds(losses []gatewayguard.Lost) (out []gatewayguard.Kind) {
	for _, l := range losses {
		out = append(out, l.Kind)
	}
	return out
}

// OC-4: the losses that people reported are found.
func TestOC4_LossesOfTheThreadsAreFound(t *testing.T) {
	keep := func(n int) func(object) {
		return func(c object) {
			entries := c["agents"].(object)["entries"].(object)
			for i := n; i < 7; i++ {
				delete(entries, fmt.Sprintf("agent-%d", i))
			}
		}
	}
	for name, tt := range map[string]struct {
		change func(object)
		want   []gatewayguard.Kind
	}{
		"91148: 43 bytes are left": {func(c object) {
			clear(c)
			c["gateway"] = object{"mode": "local"}
		}, []gatewayguard.Kind{gatewayguard.Agents, gatewayguard.Bindings, gatewayguard.Channels, gatewayguard.Bytes}},
		"84692: onboarding drops agents and bindings": {func(c object) {
			delete(c["agents"].(object), "entries")
			delete(c, "bindings")
		}, []gatewayguard.Kind{gatewayguard.Agents, gatewayguard.Bindings, gatewayguard.Bytes}},
		"34381: bindings are gone after a restart": {
			func(c object) { delete(c, "bindings") }, []gatewayguard.Kind{gatewayguard.Bindings},
		},
		"23237: a dashboard writes 3 of 7 agents": {keep(3), []gatewayguard.Kind{gatewayguard.Agents}},
		"65105: an update drops the channels": {
			func(c object) { delete(c, "channels") }, []gatewayguard.Kind{gatewayguard.Channels},
		},
		"other agents": {func(c object) {
			c["agents"].(object)["entries"] = object{"main": object{}, "b": object{}, "c": object{}, "d": object{}}
		}, []gatewayguard.Kind{gatewayguard.Replaced}},
	} {
		t.Run(name, func(t *testing.T) {
			after := whole()
			tt.change(after)
			if got := kinds(gatewayguard.Compare(size(t, whole()), size(t, after))); !slices.Equal(got, tt.want) {
				t.Errorf("losses %v, want %v", got, tt.want)
			}
		})
	}
	for _, broken := range []string{"", "null", "[]", `{"agents"`, "not JSON"} {
		after := gatewayguard.Measure(json.RawMessage(broken), nil)
		got := kinds(gatewayguard.Compare(size(t, whole()), after))
		if !slices.Equal(got, []gatewayguard.Kind{gatewayguard.Unreadable}) {
			t.Errorf("%q: losses %v", broken, got)
		}
		if got := gatewayguard.Compare(after, size(t, whole())); got != nil {
			t.Errorf("a config that came back lost %v", got)
		}
	}
}

// OC-4: 1,000 ordinary edits raise no alarm.
func TestOC4_OrdinaryEditsLoseNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 2026))
	config := whole()
	for i := range 1000 {
		before := size(t, config)
		what := edit(random, config, i)
		if losses := gatewayguard.Compare(before, size(t, config)); losses != nil {
			t.Fatalf("edit %d, %s: %v", i, what, losses)
		}
	}
}

// edit is one thing that a person does to a config by hand or by a command.
func edit(random *rand.Rand, c object, i int) string {
	entries := c["agents"].(object)["entries"].(object)
	bindings := c["bindings"].([]any)
	channels := c["channels"].(object)
	agents := ids(c)
	slices.Sort(agents)
	one := agents[random.IntN(len(agents))]
	switch random.IntN(9) {
	case 0, 1:
		entries[fmt.Sprintf("new-%d", i)] = object{"name": "New"}
		return "an agent is added"
	case 2:
		if len(agents) > 1 {
			delete(entries, one)
		}
		return "an agent is removed"
	case 3:
		entry := entries[one]
		delete(entries, one)
		entries[fmt.Sprintf("renamed-%d", i)] = entry
		return "an agent gets another ID"
	case 4:
		c["bindings"] = append(bindings, object{"agentId": one, "match": object{"channel": "slack"}})
		return "a binding is added"
	case 5:
		if len(bindings) > 0 {
			c["bindings"] = bindings[1:]
		}
		return "a binding is removed"
	case 6:
		channels[fmt.Sprintf("channel-%d", i)] = object{"token": "t"}
		return "a channel is added"
	case 7:
		for name := range channels {
			delete(channels, name)
			break
		}
		return "a channel is removed"
	default:
		entries[one] = object{"name": strings.Repeat("n", random.IntN(100)), "model": "openai/gpt"}
		return "an agent is edited"
	}
}

// OC-4: a config of any form can be measured.
func FuzzMeasure(f *testing.F) {
	for _, seed := range []string{`{}`, `{"bindings":{}}`, `{"channels":[1]}`, `[`, `{"a":1e9}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		s := gatewayguard.Measure(raw, nil)
		if losses := gatewayguard.Compare(s, s); !s.Unreadable && losses != nil {
			t.Errorf("it lost %v against itself", losses)
		}
	})
}

// OC-4: a small config has one channel with one binding. Each can be removed by hand; both together are a loss.
func TestOC4_TheOnlyOneCountsTogetherWithAnother(t *testing.T) {
	small := func(keys ...string) gatewayguard.Size {
		c := object{
			"agents":   object{"entries": object{"a": object{}, "b": object{}}},
			"bindings": []any{object{"agentId": "a"}},
			"channels": object{"telegram": object{}},
		}
		for _, key := range keys {
			delete(c, key)
		}
		return size(t, c)
	}
	for name, tt := range map[string]struct {
		without, want []string
	}{
		"nothing":     {nil, nil},
		"the binding": {[]string{"bindings"}, nil},
		"the channel": {[]string{"channels"}, nil},
		"both":        {[]string{"bindings", "channels"}, []string{"bindings", "channels"}},
		"everything":  {[]string{"bindings", "channels", "agents"}, []string{"agents", "bindings", "channels"}},
	} {
		var got []string
		for _, k := range kinds(gatewayguard.Compare(small(), small(tt.without...))) {
			got = append(got, string(k))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("without %s: %v, want %v", name, got, tt.want)
		}
	}
}
