package store

import (
	"context"
	"time"

	"gorm.io/gorm"

	"agentflow/backend/team/library"
)

// Alarms are the snapshots whose configs lost something.
type Alarms struct{ *Store }

// unsettled selects the snapshots of a gateway whose losses nobody has settled.
const unsettled = "gateway = ? AND losses <> '' AND settled_at IS NULL"

// Alarm implements rollout.Alarms.
func (s Alarms) Alarm(ctx context.Context, gateway string) (*library.Alarm, error) {
	var lost, good []snapshotRow
	err := s.read.WithContext(ctx).Omit("config").Where(unsettled, gateway).Order("id DESC").Limit(1).Find(&lost).Error
	if err == nil && len(lost) > 0 {
		err = s.read.WithContext(ctx).Omit("config").Where("id = ?", lost[0].Good).Find(&good).Error
	}
	if err != nil || len(lost) == 0 || len(good) == 0 {
		return nil, s.classify(err) // without the config before, nothing can be compared or restored
	}
	return &library.Alarm{Snapshot: lost[0].snapshot(), Before: good[0].snapshot()}, nil
}

// SettleAlarms implements rollout.Alarms.
func (s Alarms) SettleAlarms(ctx context.Context, gateway string, at time.Time) error {
	return s.write(ctx, func(tx *gorm.DB) error {
		return tx.Model(&snapshotRow{}).Where(unsettled, gateway).
			Update("settled_at", at).Error
	})
}

// TrimSnapshots implements rollout.Alarms.
func (s Alarms) TrimSnapshots(ctx context.Context, gateway, cause string, newest int) error {
	return s.write(ctx, func(tx *gorm.DB) error {
		stay := tx.Model(&snapshotRow{}).Select("id").Where("gateway = ? AND cause = ?", gateway, cause).
			Order("id DESC").Limit(newest)
		needed := tx.Model(&snapshotRow{}).Select("good").
			Where(unsettled, gateway)
		return tx.Where("gateway = ? AND cause = ? AND id NOT IN (?) AND id NOT IN (?)", gateway, cause, stay, needed).
			Delete(&snapshotRow{}).Error
	})
}
