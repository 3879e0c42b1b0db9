// Package plans keeps plans, their versions and what was proposed for them in the
// database's tables.
package plans

import (
	"context"
	"encoding/json"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"agentflow/backend/base/errcode"
	"agentflow/backend/plan"
	"agentflow/backend/plan/meta"
	"agentflow/backend/plan/planner"
)

type planRow struct {
	ID   string `gorm:"primaryKey"`
	Body string `gorm:"not null"` // a kept record as JSON
}

func (planRow) TableName() string { return "plans" }

type versionRow struct {
	PlanID string `gorm:"primaryKey"`
	Number int64  `gorm:"primaryKey;autoIncrement:false"`
	Body   string `gorm:"not null"` // the version as JSON, without its plan
	Plan   string `gorm:"not null"` // the plan file
}

func (versionRow) TableName() string { return "plan_versions" }

type proposalRow struct {
	PlanID string `gorm:"primaryKey"`
	ID     string `gorm:"primaryKey"`
	Body   string `gorm:"not null"`
}

func (proposalRow) TableName() string { return "plan_proposals" }

type callRow struct {
	ID         int64  `gorm:"primaryKey"`
	PlanID     string `gorm:"index:plan_calls_of"`
	ProposalID string `gorm:"index:plan_calls_of"`
	At         time.Time
	Body       string `gorm:"not null"`
}

func (callRow) TableName() string { return "plan_calls" }

type progressRow struct {
	PlanID string `gorm:"primaryKey"`
	TaskID string `gorm:"primaryKey"`
	Body   string `gorm:"not null"`
}

func (progressRow) TableName() string { return "plan_progress" }

// Tables are those of the plans.
func Tables() []any {
	return []any{&planRow{}, &versionRow{}, &proposalRow{}, &callRow{}, &progressRow{}}
}

// keptRecord and keptProposal add fields for the machine alone to those that windows get.
type keptRecord struct {
	planner.Record
	Last int64   `json:"last"`
	Redo []int64 `json:"redo,omitempty"`
}

type keptProposal struct {
	planner.Proposal
	IDs []plan.ID `json:"ids,omitempty"`
}

// Plans is the Store of the planner, over what the database lends it.
type Plans struct {
	Read     *gorm.DB
	Write    func(ctx context.Context, change func(tx *gorm.DB) error) error
	Found    func(err error, what string, id any) error // words an error of a read for one row
	Classify func(error) error                          // and of any other
}

var _ planner.Store = Plans{}

// PutPlan implements planner.Store.
func (s Plans) PutPlan(ctx context.Context, w planner.Written) error {
	rows, err := rowsOf(w)
	if err != nil {
		return errcode.Wrap(errcode.Internal, err, "the plan cannot be written")
	}
	return s.Write(ctx, func(tx *gorm.DB) error {
		for _, row := range rows {
			if err := tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(row).Error; err != nil {
				return err
			}
		}
		if w.Drop == 0 {
			return nil
		}
		return tx.Where("plan_id = ? AND number < ?", string(w.Record.ID), w.Drop).Delete(&versionRow{}).Error
	})
}

func rowsOf(w planner.Written) ([]any, error) {
	id := string(w.Record.ID)
	body, err := json.Marshal(keptRecord{w.Record, w.Record.Last, w.Record.Redo})
	if err != nil {
		return nil, err
	}
	rows := []any{&planRow{ID: id, Body: string(body)}}
	if v := w.Version; v != nil {
		head, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		whole, err := json.Marshal(v.Plan)
		if err != nil {
			return nil, err
		}
		rows = append(rows, &versionRow{PlanID: id, Number: v.Number, Body: string(head), Plan: string(whole)})
	}
	if p := w.Proposal; p != nil {
		body, err := json.Marshal(keptProposal{*p, p.IDs})
		if err != nil {
			return nil, err
		}
		rows = append(rows, &proposalRow{PlanID: id, ID: string(p.ID), Body: string(body)})
	}
	if c := w.Call; c != nil {
		body, err := json.Marshal(c)
		if err != nil {
			return nil, err
		}
		rows = append(rows, &callRow{PlanID: id, ProposalID: string(w.CallOf), At: c.At, Body: string(body)})
	}
	if w.Progress != nil {
		body, err := json.Marshal(w.Progress)
		if err != nil {
			return nil, err
		}
		rows = append(rows, &progressRow{PlanID: id, TaskID: string(w.Task), Body: string(body)})
	}
	return rows, nil
}

// PlanRecords implements planner.Store.
func (s Plans) PlanRecords(ctx context.Context) ([]planner.Record, error) {
	var rows []planRow
	if err := s.Read.WithContext(ctx).Order("id").Find(&rows).Error; err != nil {
		return nil, s.Classify(err)
	}
	return each(rows, func(r planRow) (planner.Record, error) {
		var k keptRecord
		err := json.Unmarshal([]byte(r.Body), &k)
		k.Record.Last, k.Record.Redo = k.Last, k.Redo
		return k.Record, unreadable(err, "plan", r.ID)
	})
}

func each[R, T any](rows []R, read func(R) (T, error)) ([]T, error) {
	out := make([]T, 0, len(rows))
	for _, r := range rows {
		v, err := read(r)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

func unreadable(err error, what string, id any) error {
	if err == nil {
		return nil
	}
	return errcode.Wrap(errcode.Internal, err, "the %s %v cannot be read", what, id)
}

func version(r versionRow) (planner.Version, error) {
	var v planner.Version
	err := json.Unmarshal([]byte(r.Body), &v)
	return v, unreadable(err, "version", r.Number)
}

// PlanVersion implements planner.Store.
func (s Plans) PlanVersion(ctx context.Context, id planner.ID, n int64) (planner.Version, error) {
	var row versionRow
	if err := s.Read.WithContext(ctx).Take(&row, "plan_id = ? AND number = ?", string(id), n).Error; err != nil {
		return planner.Version{}, s.Found(err, "version", n)
	}
	v, err := version(row)
	if err != nil {
		return v, err
	}
	v.Plan = &plan.Plan{}
	err = json.Unmarshal([]byte(row.Plan), v.Plan)
	return v, unreadable(err, "version", n)
}

// PlanVersions implements planner.Store.
func (s Plans) PlanVersions(ctx context.Context, id planner.ID) ([]planner.Version, error) {
	var rows []versionRow
	if err := s.Read.WithContext(ctx).Omit("plan").Where("plan_id = ?", string(id)).Order("number DESC").Find(&rows).Error; err != nil {
		return nil, s.Classify(err)
	}
	return each(rows, version)
}

// Proposals implements planner.Store.
func (s Plans) Proposals(ctx context.Context, id planner.ID) ([]planner.Proposal, error) {
	var rows []proposalRow
	if err := s.Read.WithContext(ctx).Where("plan_id = ?", string(id)).Order("id").Find(&rows).Error; err != nil {
		return nil, s.Classify(err)
	}
	return each(rows, func(r proposalRow) (planner.Proposal, error) {
		var k keptProposal
		err := json.Unmarshal([]byte(r.Body), &k)
		k.Proposal.IDs = k.IDs
		return k.Proposal, unreadable(err, "proposal", r.ID)
	})
}

// PlanProgress implements planner.Store.
func (s Plans) PlanProgress(ctx context.Context, id planner.ID) (map[plan.ID]planner.Progress, error) {
	var rows []progressRow
	if err := s.Read.WithContext(ctx).Where("plan_id = ?", string(id)).Find(&rows).Error; err != nil {
		return nil, s.Classify(err)
	}
	out := make(map[plan.ID]planner.Progress, len(rows))
	for _, r := range rows {
		var p planner.Progress
		if err := json.Unmarshal([]byte(r.Body), &p); err != nil {
			return nil, unreadable(err, "progress of", r.TaskID)
		}
		out[plan.ID(r.TaskID)] = p
	}
	return out, nil
}

// PlanCalls implements planner.Store.
func (s Plans) PlanCalls(ctx context.Context, id planner.ID, of planner.ProposalID) ([]meta.Call, error) {
	found := s.Read.WithContext(ctx).Where("plan_id = ?", string(id)).Order("id")
	if of != "" {
		found = found.Where("proposal_id = ?", string(of))
	}
	var rows []callRow
	if err := found.Find(&rows).Error; err != nil {
		return nil, s.Classify(err)
	}
	return each(rows, func(r callRow) (meta.Call, error) {
		var c meta.Call
		err := json.Unmarshal([]byte(r.Body), &c)
		return c, unreadable(err, "call", r.ID)
	})
}

// Hold holds the orders of all runs in a database that is to be restored, until a person has seen them: they name
// programs, and a backup may come from somebody else. It returns how many plans are running; a hub pauses them when it
// starts.
func Hold(tx *gorm.DB) (n int, err error) {
	var rows []planRow
	if err := tx.Find(&rows).Error; err != nil {
		return 0, err
	}
	for _, r := range rows {
		var kept keptRecord
		if err := json.Unmarshal([]byte(r.Body), &kept); err != nil {
			return n, err
		}
		if kept.Work == nil {
			continue
		}
		kept.Work.Held = true
		if kept.Work.State == planner.Working {
			n++
		}
		body, err := json.Marshal(kept)
		if err != nil {
			return n, err
		}
		if err := tx.Model(&planRow{}).Where("id = ?", r.ID).Update("body", string(body)).Error; err != nil {
			return n, err
		}
	}
	return n, nil
}
