// Package roomturns keeps who is in the rooms, and what package turns keeps of them, in the
// database's tables.
package roomturns

import (
	"context"
	"encoding/json"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"agentflow/backend/base/errcode"
	"agentflow/backend/talk/room"
	"agentflow/backend/talk/turns"
)

// setupRow is how a room is set up.
type setupRow struct {
	RoomName string `gorm:"primaryKey"`
	Body     string `gorm:"not null"` // the setup as JSON
}

func (setupRow) TableName() string { return "room_setups" }

// recordRow is what an agent has heard and used in a room.
type recordRow struct {
	RoomName  string  `gorm:"primaryKey"`
	AgentName string  `gorm:"primaryKey"`
	Heard     int64   `gorm:"not null"`
	Turns     int64   `gorm:"not null"`
	TokensIn  int64   `gorm:"not null"`
	TokensOut int64   `gorm:"not null"`
	CostUSD   float64 `gorm:"column:cost_usd;not null"`
	Unpriced  int64   `gorm:"not null;default:0"`
	Removed   bool    `gorm:"not null;default:false"`
	AgentID   string
	Model     string
}

func (recordRow) TableName() string { return "room_agents" }

// agentStateRow is somebody in a room, as the seed has it.
type agentStateRow struct {
	RoomName          string `gorm:"primaryKey"`
	AgentName         string `gorm:"primaryKey"`
	LastSeenTimestamp string `gorm:"not null"`
	Status            string `gorm:"not null"`
}

func (agentStateRow) TableName() string { return "agents_state" }

// Tables are the rows that the schema needs.
func Tables() []any { return []any{&agentStateRow{}, &setupRow{}, &recordRow{}} }

// Delete deletes what is kept of a room.
func Delete(tx *gorm.DB, name string) error {
	for _, table := range Tables() {
		if err := tx.Where("room_name = ?", name).Delete(table).Error; err != nil {
			return err
		}
	}
	return nil
}

// Rows implements turns.Store with a database: Read reads, Write changes it, Classify says
// what an error means.
type Rows struct {
	Read     *gorm.DB
	Write    func(ctx context.Context, change func(tx *gorm.DB) error) error
	Classify func(error) error
}

var _ turns.Store = Rows{}

// Setups implements turns.Store.
func (r Rows) Setups(ctx context.Context) ([]turns.Setup, error) {
	var rows []setupRow
	if err := r.Read.WithContext(ctx).Order("room_name").Find(&rows).Error; err != nil {
		return nil, r.Classify(err)
	}
	out := make([]turns.Setup, 0, len(rows))
	for _, row := range rows {
		var s turns.Setup
		if err := json.Unmarshal([]byte(row.Body), &s); err != nil {
			return nil, errcode.Wrap(errcode.Internal, err, "the database holds a room's setup that cannot be read")
		}
		s.Room = row.RoomName
		out = append(out, s)
	}
	return out, nil
}

// PutSetup implements turns.Store. A room that is gone has none.
func (r Rows) PutSetup(ctx context.Context, s turns.Setup) error {
	body, err := json.Marshal(s)
	if err != nil {
		return errcode.Wrap(errcode.Internal, err, "a room's setup cannot be written")
	}
	return r.Write(ctx, func(tx *gorm.DB) error {
		return tx.Exec(
			"INSERT INTO room_setups (room_name, body) SELECT name, ? FROM rooms WHERE name = ? ON CONFLICT (room_name) DO UPDATE SET body = excluded.body",
			string(body),
			s.Room,
		).Error
	})
}

// Records implements turns.Store.
func (r Rows) Records(ctx context.Context) ([]turns.Record, error) {
	var rows []recordRow
	if err := r.Read.WithContext(ctx).Order("room_name, agent_name").Find(&rows).Error; err != nil {
		return nil, r.Classify(err)
	}
	out := make([]turns.Record, 0, len(rows))
	for _, row := range rows {
		out = append(out, turns.Record{
			Room: row.RoomName, Name: row.AgentName, Heard: row.Heard,
			Usage: turns.Usage{
				Turns:     row.Turns,
				TokensIn:  row.TokensIn,
				TokensOut: row.TokensOut,
				CostUSD:   row.CostUSD,
				Unpriced:  row.Unpriced,
			},
			Removed: row.Removed, AgentID: row.AgentID, Model: row.Model,
		})
	}
	return out, nil
}

// PutRecords implements turns.Store.
func (r Rows) PutRecords(ctx context.Context, list []turns.Record) error {
	rows := make([]recordRow, 0, len(list))
	for _, a := range list {
		rows = append(rows, recordRow{
			RoomName: a.Room, AgentName: a.Name, Heard: a.Heard,
			Turns: a.Turns, TokensIn: a.TokensIn, TokensOut: a.TokensOut, CostUSD: a.CostUSD, Unpriced: a.Unpriced,
			Removed: a.Removed, AgentID: a.AgentID, Model: a.Model,
		})
	}
	return r.Write(ctx, func(tx *gorm.DB) error {
		return tx.Clauses(clause.OnConflict{UpdateAll: true}).CreateInBatches(rows, 100).Error
	})
}

// Presences implements a part of room.Store.
func (r Rows) Presences(ctx context.Context) ([]room.Presence, error) {
	var rows []agentStateRow
	if err := r.Read.WithContext(ctx).Order("room_name, agent_name").Find(&rows).Error; err != nil {
		return nil, r.Classify(err)
	}
	out := make([]room.Presence, 0, len(rows))
	for _, row := range rows {
		at, err := time.Parse(time.RFC3339Nano, row.LastSeenTimestamp)
		if err != nil {
			return nil, errcode.Wrap(errcode.Internal, err, "the database holds a time that is none")
		}
		out = append(out,
			room.Presence{Room: row.RoomName, Name: row.AgentName, State: room.State(row.Status), LastSeen: at})
	}
	return out, nil
}

// PutPresences implements a part of room.Store.
func (r Rows) PutPresences(ctx context.Context, list []room.Presence) error {
	rows := make([]agentStateRow, 0, len(list))
	for _, p := range list {
		rows = append(
			rows,
			agentStateRow{
				RoomName:          p.Room,
				AgentName:         p.Name,
				LastSeenTimestamp: p.LastSeen.UTC().Format(time.RFC3339Nano),
				Status:            string(p.State),
			},
		)
	}
	return r.Write(ctx, func(tx *gorm.DB) error {
		return tx.Clauses(clause.OnConflict{UpdateAll: true}).CreateInBatches(rows, 100).Error
	})
}
