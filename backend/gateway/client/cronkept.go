package client

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
)

// KeptCronJob is a job with what adds it again.
type KeptCronJob struct {
	CronJob
	Entry json.RawMessage
}

// cronEntryKeys are the fields of a job that say what it does and when, by which it can be added.
var cronEntryKeys = []string{"name", "displayName", "agentId", "sessionKey", "description", "enabled", "deleteAfterRun",
	"schedule", "pacing", "trigger", "sessionTarget", "wakeMode", "payload", "delivery", "failureAlert"}

// Kept reads all jobs as List does, each with what adds it again.
func (j Cron) Kept(ctx context.Context) ([]KeptCronJob, error) {
	var kept []KeptCronJob
	jobs, err := j.list(ctx, func(raw json.RawMessage) {
		var fields map[string]json.RawMessage
		if json.Unmarshal(raw, &fields) != nil {
			fields = map[string]json.RawMessage{}
		}
		maps.DeleteFunc(fields, func(key string, _ json.RawMessage) bool {
			return !slices.Contains(cronEntryKeys, key)
		})
		entry, _ := json.Marshal(fields) // raw values out of JSON
		kept = append(kept, KeptCronJob{Entry: entry})
	})
	if err != nil {
		return nil, err
	}
	for i := range jobs {
		kept[i].CronJob = jobs[i]
	}
	return kept, nil
}

// AddKept adds a job by what Kept returned.
func (j Cron) AddKept(ctx context.Context, entry json.RawMessage) (CronJob, error) {
	raw, err := j.call(ctx, CronAdd, entry)
	if err != nil {
		return CronJob{}, err
	}
	return cronJobOf(CronAdd, raw)
}
