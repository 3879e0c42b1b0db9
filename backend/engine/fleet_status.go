package engine

import (
	"agentflow/backend/gateway/client"
	"agentflow/backend/server/httpapi"
	"agentflow/backend/team/library"
)

// alarmView is the alarm as the API shows it; nil: there is none.
func alarmView(a *library.Alarm) *httpapi.GatewayAlarm {
	if a == nil {
		return nil
	}
	return &httpapi.GatewayAlarm{SnapshotID: a.ID, Before: httpapi.SnapshotView(a.Before), At: a.At, Losses: a.Losses}
}

func statusView(s client.Status) httpapi.Gateway {
	return httpapi.Gateway{
		URL: s.URL, State: string(s.State), Dialect: string(s.Dialect), ServerVersion: s.ServerVersion,
		LatencyMs: s.LatencyMs,
		Insecure:  s.Insecure, PairingRequestID: s.PairingRequestID, NextRetryAt: s.NextRetry, Error: s.Error,
		SessionActs:   client.SessionActs(s.Features),
		OptInMessages: s.Protocol > 0 && s.Protocol < 4, ListsRuns: s.Protocol >= 4,
	}
}
