package tasks

import (
	"gorm.io/gorm"

	"agentflow/backend/work/task"
)

// holdRows are read at once.
const holdRows = 200

// Hold marks every task that hasn't ended as held, in a database that is to be restored, and
// returns how many there are.
func Hold(tx *gorm.DB) (n int, err error) {
	var rows []taskRow
	err = tx.Where("status IN ?", []string{string(task.Pending), string(task.InProgress)}).FindInBatches(&rows, holdRows, func(_ *gorm.DB, _ int) error {
		for i := range rows {
			t, err := rows[i].task()
			if err != nil {
				return err
			}
			t.Held = true
			row, err := newTaskRow(t)
			if err != nil {
				return err
			}
			if err := tx.Model(&taskRow{}).Where("id = ?", row.ID).Update("body", row.Body).Error; err != nil {
				return err
			}
			n++
		}
		return nil
	}).Error
	return n, err
}
