package store

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"agentflow/backend/store/internal/roomturns"
	"agentflow/backend/talk/room"
)

const (
	deletedAtOnce = 1000
	indexedAtOnce = 64 << 10 // bytes of text: a writer that waits must not wait long
	indexedRows   = 200
	trigram       = 3 // characters; the index knows no shorter texts
)

// IndexMessages implements room.Store.
func (s *Rooms) IndexMessages(ctx context.Context) (more bool, err error) {
	if s.postgres {
		return false, nil
	}
	indexed, last := int64(0), int64(0)
	if last, err = s.LastMessageID(ctx); err != nil || last == 0 {
		return false, err
	}
	if err := s.read.WithContext(ctx).Raw("SELECT COALESCE(MAX(value), 0) FROM room_marks WHERE name = ?", markIndexed).Scan(&indexed).Error; err != nil {
		return false, s.classify(err)
	}
	if indexed >= last {
		return false, nil
	}
	err = s.write(ctx, func(tx *gorm.DB) error {
		if err := tx.Raw("SELECT COALESCE(MAX(value), 0) FROM room_marks WHERE name = ?", markIndexed).Scan(&indexed).Error; err != nil {
			return err
		}
		var sizes []struct{ ID, Size int64 }
		if err := tx.Raw("SELECT id, OCTET_LENGTH(message_content) AS size FROM messages WHERE id > ? ORDER BY id LIMIT ?", indexed, indexedRows).Scan(&sizes).Error; err != nil {
			return err
		}
		upTo, bytes := last, int64(0)
		for i, r := range sizes {
			if bytes += r.Size; i > 0 && bytes > indexedAtOnce {
				break
			}
			upTo = r.ID
		}
		more = len(sizes) > 0 && (upTo < sizes[len(sizes)-1].ID || len(sizes) == indexedRows)
		if err := tx.Exec("INSERT INTO messages_search (rowid, message_content) SELECT id, message_content FROM messages WHERE id > ? AND id <= ?", indexed, upTo).Error; err != nil {
			return err
		}
		return putMark(tx, markIndexed, upTo)
	})
	return more, err
}

func putMark(tx *gorm.DB, name string, value int64) error {
	return tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&roomMarkRow{Name: name, Value: value}).Error
}

// SearchMessages implements room.Store. Every word must be in the message.
func (s *Rooms) SearchMessages(ctx context.Context, q room.Query) ([]room.Message, error) {
	db := s.read.WithContext(ctx).Table("messages AS m").Select("m.*")
	like := "m.message_content LIKE ? ESCAPE '!'"
	if s.postgres {
		like = "m.message_content ILIKE ? ESCAPE '!'"
	}
	var phrases []string
	for _, word := range strings.Fields(q.Text) {
		if !s.postgres && utf8.RuneCountInString(word) >= trigram {
			phrases = append(phrases, `"`+strings.ReplaceAll(word, `"`, `""`)+`"`)
			continue
		}
		db = db.Where(like, "%"+escaped(word)+"%")
	}
	if len(phrases) > 0 {
		db = db.Joins("JOIN messages_search AS f ON f.rowid = m.id").
			Where("messages_search MATCH ?", strings.Join(phrases, " AND ")).
			Order("f.rowid DESC")
	} else {
		db = db.Order("m.id DESC")
	}
	if q.Room != "" {
		db = db.Where("m.room_name = ?", q.Room)
	}
	if q.Before > 0 {
		db = db.Where("m.id < ?", q.Before)
	}
	if len(q.Causes) > 0 {
		db = db.Where("m.cause IS NOT NULL").Where(causedBy(s.read, q.Causes))
	}
	var rows []chatRow
	if err := db.Limit(q.Limit).Find(&rows).Error; err != nil {
		return nil, s.classify(err)
	}
	return roomMessages(rows), nil
}

// escaped is a text that LIKE takes as it is, with ! as its ESCAPE.
func escaped(text string) string {
	return strings.NewReplacer("!", "!!", "%", "!%", "_", "!_").Replace(text)
}

// causedBy is the condition that a message has one of these causes, by how causeText begins.
func causedBy(db *gorm.DB, codes []string) *gorm.DB {
	for i, code := range codes {
		begins := escaped(`{"code":"`+code+`"`) + "%"
		if i == 0 {
			db = db.Where("m.cause LIKE ? ESCAPE '!'", begins)
		} else {
			db = db.Or("m.cause LIKE ? ESCAPE '!'", begins)
		}
	}
	return db
}

// Prunable implements room.Store.
func (s *Rooms) Prunable(ctx context.Context, p room.Pruning) ([]room.Cut, error) {
	db := s.read.WithContext(ctx)
	names := []string{p.Room}
	if p.Room == "" {
		if err := db.Model(&roomRow{}).Order("name").Pluck("name", &names).Error; err != nil {
			return nil, s.classify(err)
		}
	}
	whole := int64(0)
	if p.MaxBytes > 0 {
		sums := db.Model(&chatRow{}).Select("id, SUM(OCTET_LENGTH(message_content)) OVER (ORDER BY id DESC) AS total")
		if p.Room != "" {
			sums = sums.Where("room_name = ?", p.Room)
		}
		if err := db.Table("(?) AS sums", sums).Select("COALESCE(MAX(id), 0)").Where("total > ?", p.MaxBytes).Scan(&whole).Error; err != nil {
			return nil, s.classify(err)
		}
	}
	var cuts []room.Cut
	for _, name := range names {
		cut, err := roomCut(db, name, p)
		if err != nil {
			return nil, s.classify(err)
		}
		if cut = max(cut, whole); cut > 0 {
			cuts = append(cuts, room.Cut{Room: name, ID: cut})
		}
	}
	return cuts, nil
}

// roomCut is the highest id that goes by age or number.
func roomCut(db *gorm.DB, name string, p room.Pruning) (int64, error) {
	first := func(q *gorm.DB) (int64, error) {
		var ids []int64
		err := q.Model(&chatRow{}).Where("room_name = ?", name).Limit(1).Pluck("id", &ids).Error
		if err != nil || len(ids) == 0 {
			return 0, err
		}
		return ids[0], nil
	}
	cut := int64(0)
	if p.Keep > 0 {
		var err error
		if cut, err = first(db.Order("id DESC").Offset(p.Keep)); err != nil {
			return 0, err
		}
	}
	if p.Before.IsZero() {
		return cut, nil
	}
	// Only what comes before the first message that is young enough: if the clock was
	// wrong for a while, more stays, never less.
	stays, err := first(db.Where("stored_at >= ?", p.Before.UnixMilli()).Order("id"))
	if err != nil {
		return 0, err
	}
	if stays > 0 {
		return max(cut, stays-1), nil
	}
	newest, err := first(db.Order("id DESC"))
	return max(cut, newest), err
}

// DeleteMessages implements room.Store.
func (s *Rooms) DeleteMessages(ctx context.Context, c room.Cut) (int, error) {
	n := 0
	err := s.write(ctx, func(tx *gorm.DB) (err error) {
		n, err = s.deleteMessages(tx, c)
		return err
	})
	return n, err
}

func (s *Rooms) deleteMessages(tx *gorm.DB, c room.Cut) (int, error) {
	var ids []int64
	err := tx.Model(&chatRow{}).Where("room_name = ? AND id <= ?", c.Room, c.ID).Order("id").Limit(deletedAtOnce).Pluck("id", &ids).Error
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	if err := putMark(tx, markLast, s.last.Load()); err != nil {
		return 0, err
	}
	if !s.postgres {
		if err := tx.Exec("DELETE FROM messages_search WHERE rowid IN ?", ids).Error; err != nil {
			return 0, err
		}
	}
	return len(ids), tx.Where("id IN ?", ids).Delete(&chatRow{}).Error
}

// DeleteRoom implements room.Store.
func (s *Rooms) DeleteRoom(ctx context.Context, name string) error {
	last, err := s.LastMessageID(ctx)
	if err != nil {
		return err
	}
	for n := 1; n > 0; {
		if n, err = s.DeleteMessages(ctx, room.Cut{Room: name, ID: last}); err != nil {
			return err
		}
	}
	delete(s.known, name)
	return s.write(ctx, func(tx *gorm.DB) error {
		return errors.Join(roomturns.Delete(tx, name), tx.Where("name = ?", name).Delete(&roomRow{}).Error)
	})
}

// Turns returns what is kept of the turns in rooms.
func (s *Rooms) Turns() roomturns.Rows {
	return roomturns.Rows{Read: s.read, Write: s.write, Classify: s.classify}
}
