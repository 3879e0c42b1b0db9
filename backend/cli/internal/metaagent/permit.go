package metaagent

import (
	"bytes"
	"context"
	"encoding/json"
	"sync"

	"agentflow/backend/base/errcode"
	"agentflow/backend/base/i18n"
	"agentflow/backend/base/strictjson"
	"agentflow/backend/cli/internal/shell"
	"agentflow/backend/cli/internal/term"
	"agentflow/backend/model/tool"
	"agentflow/backend/plan/codecli"
	"agentflow/backend/plan/taskfile"
)

// Permit decides what a worker may do when it asks: everything, nothing, or what the
// person at the terminal allows each time. Without a person, nothing is allowed.
func Permit(s *shell.Shell, permissions string) func(context.Context, codecli.Permission) (bool, error) {
	if permissions == taskfile.PermissionsAllow {
		return codecli.PermitAll
	}
	var one sync.Mutex
	return func(ctx context.Context, p codecli.Permission) (bool, error) {
		if permissions == taskfile.PermissionsDeny || !s.Screen.CanAsk() {
			return false, nil
		}
		one.Lock()
		defer one.Unlock()
		request, err := whole(p)
		if err != nil { // nobody is asked, and the worker can't be told why
			s.Screen.Note("%s didn't get permission: %s", string(p.Kind), err)
			return false, err
		}
		s.Screen.Note("%s asks for permission:\n%s", string(p.Kind), request)
		return s.Screen.Ask(ctx, i18n.T("Allow this?"))
	}
}

// whole returns every key of a request, with marks for what nobody sees. The title is the worker's
// own, so that it alone says nothing. What can't be shown whole is refused.
func whole(p codecli.Permission) (string, error) {
	request, err := strictjson.Encode(p)
	if err != nil {
		return "", errcode.Wrap(errcode.Validation, err, "the request can't be shown: %s", err.Error())
	}
	if err := tool.Readable(request); err != nil {
		return "", err
	}
	var lines bytes.Buffer
	if err := json.Indent(&lines, request, "", "  "); err != nil {
		return "", errcode.Wrap(errcode.Validation, err, "the request can't be shown: %s", err.Error())
	}
	return term.Marked(lines.String()), nil
}
