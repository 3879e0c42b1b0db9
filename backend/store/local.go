package store

import (
	"context"
	"slices"
	"time"

	"gorm.io/gorm"

	"agentflow/backend/base/errcode"
	"agentflow/backend/gateway/builtin"
	"agentflow/backend/team/topology"
)

// localConfigRow is the one config of the local gateway.
type localConfigRow struct {
	ID   int `gorm:"primaryKey"`
	Text string
	Hash string
	At   time.Time
}

func (localConfigRow) TableName() string { return "local_config" }

type localMessageRow struct {
	Seq            int64  `gorm:"primaryKey;autoIncrement"`
	ID             string `gorm:"uniqueIndex"`
	SessionKey     string `gorm:"index:local_by_session,priority:1;index:local_once,unique,priority:1,where:idempotency_key <> ''"`
	AgentID        string
	Role           string
	Text           string
	RunID          string `gorm:"index:local_by_session,priority:2"`
	IdempotencyKey string `gorm:"index:local_once,unique,priority:2,where:idempotency_key <> ''"`
	State          string
	Model          string
	Cause          *string
	At             time.Time
}

func (localMessageRow) TableName() string { return "local_messages" }

var _ builtin.Store = (*Store)(nil)

// LoadConfig implements builtin.ConfigStore.
func (s *Store) LoadConfig(ctx context.Context) (string, bool, error) {
	var rows []localConfigRow
	if err := s.read.WithContext(ctx).Limit(1).Find(&rows).Error; err != nil {
		return "", false, s.classify(err)
	}
	if len(rows) == 0 {
		return "", false, nil
	}
	return rows[0].Text, true, nil
}

// SaveConfig implements builtin.ConfigStore.
func (s *Store) SaveConfig(ctx context.Context, text, hash, baseHash string, at time.Time) error {
	return s.write(ctx, func(tx *gorm.DB) error {
		var rows []localConfigRow
		if err := tx.Limit(1).Find(&rows).Error; err != nil {
			return err
		}
		stored := ""
		if len(rows) > 0 {
			stored = rows[0].Hash
		}
		if stored != baseHash {
			return errcode.New(errcode.Conflict, "the config has changed since it was read").
				With(errcode.KeyReason, errcode.ReasonStaleBase)
		}
		return tx.Save(&localConfigRow{ID: 1, Text: text, Hash: hash, At: at}).Error
	})
}

// AppendMessage implements builtin.SessionStore.
func (s *Store) AppendMessage(ctx context.Context, m builtin.Message) (builtin.Message, bool, error) {
	stored, fresh := m, true
	err := s.write(ctx, func(tx *gorm.DB) error {
		if m.IdempotencyKey != "" {
			var rows []localMessageRow
			if err := tx.Where("session_key = ? AND idempotency_key = ?", m.SessionKey, m.IdempotencyKey).Limit(1).Find(&rows).Error; err != nil {
				return err
			}
			if len(rows) > 0 {
				stored, fresh = rows[0].message(), false
				return nil
			}
		}
		row := messageRow(m)
		return tx.Create(&row).Error
	})
	return stored, fresh, err
}

// Messages implements builtin.SessionStore.
func (s *Store) Messages(ctx context.Context, sessionKey string, limit, skip int) ([]builtin.Message, error) {
	var rows []localMessageRow
	if err := s.read.WithContext(ctx).Where("session_key = ?", sessionKey).Order("seq DESC").Limit(limit).Offset(skip).Find(&rows).Error; err != nil {
		return nil, s.classify(err)
	}
	slices.Reverse(rows)
	return messages(rows), nil
}

// Sessions implements builtin.SessionStore.
func (s *Store) Sessions(ctx context.Context, limit int) ([]builtin.SessionRow, error) {
	var rows []localMessageRow
	last := s.read.Model(&localMessageRow{}).Select("MAX(seq)").Group("session_key")
	if err := s.read.WithContext(ctx).Where("seq IN (?)", last).Order("seq DESC").Limit(limit).Find(&rows).Error; err != nil {
		return nil, s.classify(err)
	}
	out := make([]builtin.SessionRow, 0, len(rows))
	for _, r := range rows {
		m := r.message()
		out = append(out, builtin.SessionRow{SessionKey: m.SessionKey, AgentID: m.AgentID, ActiveAt: m.At, Last: m})
	}
	return out, nil
}

// Unanswered implements builtin.SessionStore.
func (s *Store) Unanswered(ctx context.Context) ([]builtin.Message, error) {
	var rows []localMessageRow
	err := s.read.WithContext(ctx).
		Where("role = ? AND NOT EXISTS (SELECT 1 FROM local_messages a WHERE a.session_key = local_messages.session_key AND a.run_id = local_messages.run_id AND a.role = ?)",
			builtin.RoleUser, builtin.RoleAssistant).
		Order("seq").Find(&rows).Error
	if err != nil {
		return nil, s.classify(err)
	}
	return messages(rows), nil
}

func messageRow(m builtin.Message) localMessageRow {
	return localMessageRow{
		ID: m.ID, SessionKey: m.SessionKey, AgentID: string(m.AgentID), Role: m.Role, Text: m.Text, RunID: m.RunID,
		IdempotencyKey: m.IdempotencyKey, State: string(m.State), Model: m.Model, At: m.At,
		Cause: causeText(m.Cause),
	}
}

func (r localMessageRow) message() builtin.Message {
	return builtin.Message{
		ID: r.ID, SessionKey: r.SessionKey, AgentID: topology.AgentID(r.AgentID), Role: r.Role, Text: r.Text, RunID: r.RunID,
		IdempotencyKey: r.IdempotencyKey, State: builtin.MessageState(r.State), Model: r.Model, At: r.At,
		Cause: causeOf(r.Cause),
	}
}

func messages(rows []localMessageRow) []builtin.Message {
	out := make([]builtin.Message, 0, len(rows))
	for _, r := range rows {
		out = append(out, r.message())
	}
	return out
}
