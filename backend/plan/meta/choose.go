package meta

import (
	"context"
	"strconv"
	"time"

	"agentflow/backend/base/errcode"
	"agentflow/backend/model/llm"
)

// Environment variables of the planner.
const (
	EnvModel   = "AGENTFLOW_META_MODEL"
	EnvTimeout = "META_TIMEOUT_SEC"
)

// ReasonNoModel marks that no model is available for the planner.
const ReasonNoModel = "no_model"

// Offers lists the providers' models. *llm.Registry implements it.
type Offers interface {
	Offers(ctx context.Context) []llm.Offer
}

// Choose returns the planner's model: the wanted one, or else the one in the environment, or else the first of the
// default provider. It never chooses the demo.
func Choose(ctx context.Context, offers Offers, wanted string, getenv func(string) string) (llm.Model, error) {
	if wanted != "" {
		return llm.Model(wanted), nil
	}
	if named := getenv(EnvModel); named != "" {
		return llm.Model(named), nil
	}
	for _, o := range offers.Offers(ctx) {
		if o.Default && o.Kind != llm.KindDemo && len(o.Models) > 0 {
			return o.Models[0], nil
		}
		if o.Default && o.Error != nil {
			return "", o.Error
		}
	}
	return "", errcode.New(errcode.Validation, "no model for the planner. Name one with --model or in %s.", EnvModel).
		With(errcode.KeyField, "model").With(errcode.KeyReason, ReasonNoModel)
}

// Timeout returns the timeout of one model call from the environment (ME-6).
func Timeout(getenv func(string) string) (time.Duration, error) {
	text := getenv(EnvTimeout)
	if text == "" {
		return DefaultTimeout, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n <= 0 {
		return 0, errcode.New(errcode.Validation, "%s must be a number of seconds, not %q", EnvTimeout, text)
	}
	return time.Duration(n) * time.Second, nil
}
