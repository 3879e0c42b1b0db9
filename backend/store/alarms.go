package store

import (
	"context"
	"time"

	"gorm.io/gorm"

	"agentflow/backend/team/library"
)

// Alarms are the snapshots whose configs lost something.
type Alarms struct{ *Store }

// Alarm implements rollout.Alarms.
func (s Alarms) Alarm(ctx context.Context, gateway string) (*library.Snapshot, error) {
	var rows []snapshotRow
	err := s.read.WithContext(ctx).Omit("config").
		Where("gateway = ? AND losses <> '' AND settled_at IS NULL", gateway).Order("id DESC").Limit(1).Find(&rows).Error
	if err != nil || len(rows) == 0 {
		return nil, s.classify(err)
	}
	out := rows[0].snapshot()
	return &out, nil
}

// SettleAlarms implements rollout.Alarms.
func (s Alarms) SettleAlarms(ctx context.Context, gateway string, at time.Time) error {
	return s.write(ctx, func(tx *gorm.DB) error {
		return tx.Model(&snapshotRow{}).Where("gateway = ? AND losses <> '' AND settled_at IS NULL", gateway).
			Update("settled_at", at).Error
	})
}

// TrimSnapshots implements rollout.Alarms.
func (s Alarms) TrimSnapshots(ctx context.Context, gateway, cause string, newest int) error {
	return s.write(ctx, func(tx *gorm.DB) error {
		stay := tx.Model(&snapshotRow{}).Select("id").Where("gateway = ? AND cause = ?", gateway, cause).
			Order("id DESC").Limit(newest)
		needed := tx.Model(&snapshotRow{}).Select("good").
			Where("gateway = ? AND losses <> '' AND settled_at IS NULL", gateway)
		return tx.Where("gateway = ? AND cause = ? AND id NOT IN (?) AND id NOT IN (?)", gateway, cause, stay, needed).
			Delete(&snapshotRow{}).Error
	})
}
