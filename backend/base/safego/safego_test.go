package safego_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/safego"
)

func TestTR5_APanicBecomesAnErrorAndIsLoggedWithItsStack(t *testing.T) {
	var log bytes.Buffer
	var nowhere map[string]int
	err := safego.Call(t.Context(), slog.New(slog.NewJSONHandler(&log, nil)), "a test", func() error {
		nowhere["x"] = 1
		return nil
	})
	e := errcode.From(err)
	id, _ := e.Details[safego.KeyLogID].(string)
	if e.Code != errcode.Internal || id == "" || !safego.Is(err) {
		t.Errorf("%+v", e)
	}
	for _, want := range []string{id, "a test", "assignment to entry in nil map", "safego_test.go"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log does not have %q: %s", want, log.String())
		}
	}
}

// What a program panics with may be a request with its token.
func TestTR5_TheValueOfAPanicIsNotLogged(t *testing.T) {
	var log bytes.Buffer
	for _, value := range []any{"token secret-1", errors.New("token secret-1"), struct{ Token string }{"secret-1"}} {
		err := safego.Call(t.Context(), slog.New(slog.NewTextHandler(&log, nil)), "a test",
			func() error { panic(value) })
		if strings.Contains(log.String(), "secret-1") || strings.Contains(err.Error(), "secret-1") {
			t.Errorf("%T: the value leaked: %v, %s", value, err, log.String())
		}
	}
}

func TestTR5_WhatDoesNotPanicIsPassedOn(t *testing.T) {
	want := errors.New("no")
	got, err := safego.Value(t.Context(), nil, "a test", func() (int, error) { return 3, want })
	if got != 3 || !errors.Is(err, want) || safego.Is(err) {
		t.Errorf("%d, %v", got, err)
	}
	defer func() {
		if recover() != http.ErrAbortHandler { //nolint:errorlint // it is the value itself
			t.Error("an aborted handler was kept from net/http")
		}
	}()
	_ = safego.Call(context.Background(), nil, "a test", func() error { panic(http.ErrAbortHandler) })
}
