package a2aserver

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"agentflow/backend/base/errcode"
	"agentflow/backend/work/task"
	"agentflow/backend/work/worker"
)

// maxID limits IDs chosen by clients.
const maxID = 200

// wishes are a message's options besides its text, under the key agentflow of its metadata or the request's.
type wishes struct {
	TaskType   task.Type                  `json:"taskType"`
	Agent      string                     `json:"agent"`
	Priority   int                        `json:"priority"`
	TimeoutSec int                        `json:"timeoutSec"`
	Budget     *task.Budget               `json:"budget"`
	Context    map[string]json.RawMessage `json:"context"` // for the agent
}

// check rejects what isn't a message to an agent.
func check(req *a2a.SendMessageRequest) error {
	bad := func(format string, a ...any) error { return errcode.New(errcode.Validation, format, a...) }
	switch {
	case req == nil || req.Message == nil:
		return bad("there is no message")
	case req.Message.ID == "" || len(req.Message.ID) > maxID:
		return bad("messageId must be 1 to %d bytes long", maxID)
	case len(req.Message.ContextID) > maxID:
		return bad("contextId must be at most %d bytes long", maxID)
	case req.Message.Role != a2a.MessageRoleUser:
		return bad("the role of a message to an agent is user, not %s", req.Message.Role)
	case req.Config != nil && req.Config.PushConfig != nil:
		return a2a.ErrPushNotificationNotSupported
	}
	return nil
}

// read converts a message to a task and its idempotency key.
func read(req *a2a.SendMessageRequest) (task.Task, string, error) {
	m := req.Message
	t := task.Task{SessionID: m.ContextID, Type: task.Chat}
	w, err := said(m.Metadata, req.Metadata)
	if err != nil {
		return t, "", err
	}
	if w.TaskType != "" {
		t.Type = w.TaskType
	}
	if t.SessionID == "" {
		t.SessionID = a2a.NewContextID()
	}
	text, data, err := content(m.Parts)
	if err != nil {
		return t, "", err
	}
	t.Prompt = text
	t.Context, err = w.context(data)
	sum := sha256.Sum256([]byte(m.ContextID + "\x00" + m.ID))
	return t, "a2a:" + hex.EncodeToString(sum[:]), err
}

// said reads the options of the first metadata that has some.
func said(all ...map[string]any) (wishes, error) {
	var w wishes
	for _, meta := range all {
		is, ok := meta[worker.EnvelopeKey]
		if !ok {
			continue
		}
		raw, err := json.Marshal(is)
		if err != nil {
			return w, errcode.Wrap(errcode.Validation, err, "the metadata cannot be read")
		}
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&w); err != nil {
			return w, errcode.Wrap(errcode.Validation, err, "metadata.agentflow holds taskType, agent, priority, timeoutSec, budget {tokens, usd, seconds} and context, nothing else").
				With(errcode.KeyField, "metadata.agentflow")
		}
		return w, nil
	}
	return w, nil
}

// context returns the task's context: the part for the agent and the part for the coordinator.
func (w *wishes) context(data []any) (json.RawMessage, error) {
	fields := map[string]any{}
	for key, value := range w.Context {
		fields[key] = value
	}
	if w.Agent != "" {
		fields["agent"] = w.Agent
	}
	if w.Priority != 0 {
		fields["priority"] = w.Priority
	}
	if w.TimeoutSec != 0 {
		fields["timeoutSec"] = w.TimeoutSec
	}
	if w.Budget != nil {
		fields["budget"] = w.Budget
	}
	switch len(data) {
	case 0:
	case 1:
		fields["data"] = data[0]
	default:
		fields["data"] = data
	}
	if len(fields) == 0 {
		return nil, nil
	}
	return json.Marshal(fields)
}

// content returns the text and data of a message. A text file becomes part of the text.
func content(parts a2a.ContentParts) (text string, data []any, err error) {
	var texts []string
	for _, p := range parts {
		switch c := partContent(p).(type) {
		case a2a.Text:
			texts = append(texts, string(c))
		case a2a.Data:
			data = append(data, c.Value)
		case a2a.Raw:
			if !utf8.Valid(c) || bytes.IndexByte(c, 0) >= 0 {
				return "", nil, a2a.NewError(
					a2a.ErrUnsupportedContentType,
					"a file of a message must be UTF-8 text; put any other where the agent can read it, and send its path",
				)
			}
			texts = append(texts, strings.TrimSpace(p.Filename+"\n"+string(c)))
		case a2a.URL:
			return "", nil, a2a.NewError(a2a.ErrUnsupportedContentType,
				"a file of a message is not fetched from an address: send what it holds, or the address as text")
		default:
			return "", nil, a2a.NewError(a2a.ErrUnsupportedContentType, "a message holds text, data and files of text")
		}
	}
	if text = strings.TrimSpace(strings.Join(texts, "\n\n")); text == "" {
		return "", nil, errcode.New(errcode.Validation, "the message holds no text")
	}
	return text, data, nil
}

func partContent(p *a2a.Part) a2a.PartContent {
	if p == nil {
		return nil
	}
	return p.Content
}
