// Package questions is the inbox as rows of the database.
package questions

import (
	"context"
	"encoding/json"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"agentflow/backend/base/errcode"
	"agentflow/backend/work/inbox"
)

type questionRow struct {
	ID      string `gorm:"primaryKey"`
	Agent   string `gorm:"index:question_once,unique,where:ask_key <> ''"`
	AskKey  string `gorm:"index:question_once,unique,where:ask_key <> ''"`
	Waiting bool   `gorm:"index"`
	Body    string // the entry as JSON
}

func (questionRow) TableName() string { return "questions" }

type ruleRow struct {
	ID   string `gorm:"primaryKey"` // in the order in which they were given
	Body string // the rule as JSON
}

func (ruleRow) TableName() string { return "standing_permissions" }

// OldRules returns how many permissions there are of a schema before 2, which named no more than an agent and a tool.
// Its migration drops them.
func OldRules(db *gorm.DB) (n int, err error) {
	if !db.Migrator().HasTable("tool_rules") {
		return 0, nil
	}
	return n, db.Raw("SELECT COUNT(*) FROM tool_rules").Scan(&n).Error
}

// DropAllRules drops every standing permission, of a database that is to be restored, and returns
// how many there were.
func DropAllRules(tx *gorm.DB) (int, error) {
	gone := tx.Where("id <> ''").Delete(&ruleRow{})
	return int(gone.RowsAffected), gone.Error
}

// Tables are those of the inbox.
func Tables() []any { return []any{&questionRow{}, &ruleRow{}} }

// Inbox is the Store of the inbox, over what the database lends it.
type Inbox struct {
	Read     *gorm.DB
	Write    func(ctx context.Context, change func(tx *gorm.DB) error) error
	Found    func(err error, what string, id any) error // words an error of a read for one row
	Classify func(error) error                          // and of any other
}

var _ inbox.Store = Inbox{}

// PutEntry implements inbox.Store.
func (s Inbox) PutEntry(ctx context.Context, e inbox.Entry) error { return s.PutAnswer(ctx, e, nil) }

// PutAnswer implements inbox.Store.
func (s Inbox) PutAnswer(ctx context.Context, e inbox.Entry, rule *inbox.Rule) error {
	body, err := json.Marshal(e)
	if err != nil {
		return errcode.Wrap(errcode.Internal, err, "the question cannot be written")
	}
	given, err := json.Marshal(rule)
	if err != nil {
		return errcode.Wrap(errcode.Internal, err, "the standing permission cannot be written")
	}
	row := questionRow{
		ID:      string(e.ID),
		Agent:   e.Agent,
		AskKey:  e.Key,
		Waiting: e.State == inbox.Waiting,
		Body:    string(body),
	}
	return s.Write(ctx, func(tx *gorm.DB) error {
		if err := tx.Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "id"}}, DoUpdates: clause.AssignmentColumns([]string{"waiting", "body"})}).Create(&row).Error; err != nil {
			return err
		}
		if rule == nil {
			return nil
		}
		return tx.Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "id"}}, DoUpdates: clause.AssignmentColumns([]string{"body"})}).
			Create(&ruleRow{ID: rule.ID, Body: string(given)}).
			Error
	})
}

// WaitingEntries implements inbox.Store.
func (s Inbox) WaitingEntries(ctx context.Context) ([]inbox.Entry, error) {
	return s.entries(s.Read.WithContext(ctx).Where("waiting = ?", true).Order("id"))
}

// EndedEntries implements inbox.Store.
func (s Inbox) EndedEntries(ctx context.Context, q inbox.Query) ([]inbox.Entry, error) {
	tx := s.Read.WithContext(ctx).Where("waiting = ?", false).Order("id DESC").Limit(q.Limit)
	if q.Before != "" {
		tx = tx.Where("id < ?", string(q.Before))
	}
	return s.entries(tx)
}

func (s Inbox) entries(tx *gorm.DB) ([]inbox.Entry, error) {
	var rows []questionRow
	if err := tx.Find(&rows).Error; err != nil {
		return nil, s.Classify(err)
	}
	out := make([]inbox.Entry, 0, len(rows))
	for _, r := range rows {
		e, err := r.entry()
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

func (r questionRow) entry() (inbox.Entry, error) {
	e := inbox.Entry{Key: r.AskKey}
	if err := json.Unmarshal([]byte(r.Body), &e); err != nil {
		return e, errcode.Wrap(errcode.Internal, err, "the question %s cannot be read", r.ID)
	}
	return e, nil
}

// EntryByKey implements inbox.Store.
func (s Inbox) EntryByKey(ctx context.Context, agent, key string) (inbox.Entry, error) {
	var row questionRow
	if err := s.Read.WithContext(ctx).Take(&row, "agent = ? AND ask_key = ? AND ask_key <> ''", agent, key).Error; err != nil {
		return inbox.Entry{}, s.Found(err, "question", key)
	}
	return row.entry()
}

// Entry implements inbox.Store.
func (s Inbox) Entry(ctx context.Context, id inbox.ID) (inbox.Entry, error) {
	var row questionRow
	if err := s.Read.WithContext(ctx).Take(&row, "id = ?", string(id)).Error; err != nil {
		return inbox.Entry{}, s.Found(err, "question", id)
	}
	return row.entry()
}

// Rules implements inbox.Store.
func (s Inbox) Rules(ctx context.Context) ([]inbox.Rule, error) {
	var rows []ruleRow
	if err := s.Read.WithContext(ctx).Order("id").Find(&rows).Error; err != nil {
		return nil, s.Classify(err)
	}
	out := make([]inbox.Rule, 0, len(rows))
	for _, r := range rows {
		var rule inbox.Rule
		if err := json.Unmarshal([]byte(r.Body), &rule); err != nil {
			return nil, errcode.Wrap(errcode.Internal, err, "the standing permission %s cannot be read", r.ID)
		}
		out = append(out, rule)
	}
	return out, nil
}

// DropRules implements inbox.Store.
func (s Inbox) DropRules(ctx context.Context, ids []string) error {
	return s.Write(ctx, func(tx *gorm.DB) error { return tx.Where("id IN ?", ids).Delete(&ruleRow{}).Error })
}
