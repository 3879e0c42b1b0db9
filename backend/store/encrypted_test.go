package store

import (
	"net/url"
	"strings"
	"testing"
)

// A password goes unencrypted to a database elsewhere only if that is explicitly allowed.
func TestTR4_F16_ADatabaseElsewhereIsReachedByTLS(t *testing.T) {
	t.Setenv("PGSSLMODE", "")
	for dsn, required := range map[string]bool{
		"postgres://me:secret@db.example/agentflow":                true,
		"postgres://me@192.0.2.7:5433/agentflow?connect_timeout=5": true,
		"postgres://me@db.example/agentflow?sslmode=disable":       false,
		"postgres://me@db.example/agentflow?sslmode=verify-full":   false,
		"postgres://me@127.0.0.1/agentflow":                        false,
		"postgres://me@localhost/agentflow":                        false,
		"postgres:///agentflow?host=/run/postgresql":               false,
	} {
		u, err := url.Parse(dsn)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(encrypted(u), "sslmode=require"); got != required {
			t.Errorf("%s: TLS is required: %v", dsn, got)
		}
	}
	t.Setenv("PGSSLMODE", "prefer")
	if u, err := url.Parse("postgres://me@db.example/agentflow"); err != nil || strings.Contains(encrypted(u), "require") {
		t.Errorf("what PGSSLMODE says is passed over: %v", err)
	}
}
