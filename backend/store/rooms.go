package store

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"agentflow/backend/base/errcode"
	"agentflow/backend/talk/room"
)

// chatRow is a line of a room; the first six columns are the seed's.
type chatRow struct {
	ID              int64   `gorm:"primaryKey;autoIncrement;index:messages_by_room,priority:2;index:messages_told,where:cause IS NOT NULL"`
	RoomName        string  `gorm:"not null;index:messages_by_room,priority:1;index:messages_once,unique,priority:1,where:client_message_id <> ''"`
	Sender          string  `gorm:"not null;index:messages_once,unique,priority:2,where:client_message_id <> ''"`
	MessageContent  string  `gorm:"not null"`
	Timestamp       string  `gorm:"not null;index:messages_by_timestamp"`
	MessageType     string  `gorm:"not null"`
	ClientMessageID string  `gorm:"not null;default:'';index:messages_once,unique,priority:3,where:client_message_id <> ''"`
	StoredAt        int64   `gorm:"not null"` // of the hub's clock, in ms since 1970
	Cause           *string // of a system message, as JSON; NULL of all others
}

func (chatRow) TableName() string { return "messages" }

type roomRow struct {
	Name      string    `gorm:"primaryKey"`
	CreatedAt time.Time `gorm:"autoCreateTime:false;not null"`
}

func (roomRow) TableName() string { return "rooms" }

// roomMarkRow remembers numbers that outlive the messages they are about.
type roomMarkRow struct {
	Name  string `gorm:"primaryKey"`
	Value int64  `gorm:"not null"`
}

func (roomMarkRow) TableName() string { return "room_marks" }

const (
	markLast    = "last"    // the highest id ever, as of the last deletion
	markIndexed = "indexed" // the highest id that can be searched for
	insertRows  = 32        // in one statement
)

// Rooms keeps the rooms of a Store.
type Rooms struct {
	*Store
	last  atomic.Int64    // the highest id of a message; 0: not read yet
	known map[string]bool // rooms in the database, for AppendMessages
}

var _ room.Store = (*Rooms)(nil)

// Rooms returns the Store's rooms. It is for one Hub.
func (s *Store) Rooms() *Rooms { return &Rooms{Store: s, known: map[string]bool{}} }

// AppendMessages implements room.Store. It must not be called twice at once.
func (s *Rooms) AppendMessages(ctx context.Context, batch []room.Append) error {
	last, err := s.LastMessageID(ctx)
	if err != nil {
		return err
	}
	var rooms []string
	// The outcome must be known, or the next ids would be wrong.
	err = s.write(context.WithoutCancel(ctx), func(tx *gorm.DB) error {
		rooms = rooms[:0]
		rows := make([]chatRow, 0, len(batch))
		next, fresh := last, map[string]int{}
		for i := range batch {
			m := &batch[i]
			m.Duplicate = false
			if m.ClientID != "" {
				key := m.Room + "\x00" + m.Sender + "\x00" + m.ClientID
				if j, twice := fresh[key]; twice {
					m.Message, m.Duplicate = batch[j].Message, true
					continue
				}
				found, err := stored(tx, m)
				if err != nil {
					return err
				}
				if found {
					continue
				}
				fresh[key] = i
			}
			if !s.known[m.Room] && !slices.Contains(rooms, m.Room) {
				rooms = append(rooms, m.Room)
				if err := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&roomRow{Name: m.Room, CreatedAt: m.At}).Error; err != nil {
					return err
				}
			}
			next++
			m.ID = next
			rows = append(rows, chatRow{
				ID: m.ID, RoomName: m.Room, Sender: m.Sender, MessageContent: m.Text, Timestamp: m.Timestamp,
				MessageType: string(m.Type), ClientMessageID: m.ClientID, StoredAt: m.At.UnixMilli(), Cause: causeText(m.Cause),
			})
		}
		return insertMessages(tx, rows)
	})
	if err != nil {
		return err
	}
	for _, name := range rooms {
		s.known[name] = true
	}
	for i := range batch {
		if !batch[i].Duplicate {
			s.last.Store(batch[i].ID)
		}
	}
	return nil
}

// stored replaces m by the message that it was before.
func stored(tx *gorm.DB, m *room.Append) (bool, error) {
	var rows []chatRow
	err := tx.Raw("SELECT * FROM messages WHERE room_name = ? AND sender = ? AND client_message_id = ? AND client_message_id <> ''", m.Room, m.Sender, m.ClientID).
		Scan(&rows).
		Error
	if err != nil || len(rows) == 0 {
		return false, err
	}
	m.Message, m.Duplicate = rows[0].message(), true
	return true, nil
}

const insertColumns = "INSERT INTO messages (id, room_name, sender, message_content, timestamp, message_type, client_message_id, stored_at, cause) VALUES "

func insertMessages(tx *gorm.DB, rows []chatRow) error {
	for chunk := range slices.Chunk(rows, insertRows) {
		args := make([]any, 0, len(chunk)*9)
		for _, r := range chunk {
			args = append(args, r.ID, r.RoomName, r.Sender, r.MessageContent, r.Timestamp, r.MessageType,
				r.ClientMessageID, r.StoredAt, r.Cause)
		}
		statement := insertColumns + strings.TrimSuffix(strings.Repeat("(?,?,?,?,?,?,?,?,?),", len(chunk)), ",")
		if err := tx.Exec(statement, args...).Error; err != nil {
			return err
		}
	}
	return nil
}

func (r chatRow) message() room.Message {
	return room.Message{
		ID: r.ID, Room: r.RoomName, Sender: r.Sender, Text: r.MessageContent, Timestamp: r.Timestamp,
		Type: room.Type(r.MessageType), ClientID: r.ClientMessageID,
		Cause: causeOf(r.Cause),
	}
}

func causeText(c *errcode.Cause) *string {
	if c == nil {
		return nil
	}
	text, err := json.Marshal(c)
	if err != nil {
		return nil // strings always can be written
	}
	return new(string(text))
}

// causeOf reads what causeText wrote. What cannot be read is no cause: the text tells it.
func causeOf(text *string) *errcode.Cause {
	c := new(errcode.Cause)
	if text == nil || json.Unmarshal([]byte(*text), c) != nil {
		return nil
	}
	return c
}

func roomMessages(rows []chatRow) []room.Message {
	out := make([]room.Message, 0, len(rows))
	for _, r := range rows {
		out = append(out, r.message())
	}
	return out
}

// LastMessageID implements room.Store.
func (s *Rooms) LastMessageID(ctx context.Context) (int64, error) {
	if id := s.last.Load(); id > 0 {
		return id, nil
	}
	var id int64
	err := s.read.WithContext(ctx).Raw(
		"SELECT MAX(n) FROM (SELECT COALESCE(MAX(id), 0) AS n FROM messages UNION ALL SELECT value FROM room_marks WHERE name = ?) AS both_kinds", markLast).
		Scan(&id).Error
	if err != nil {
		return 0, s.classify(err)
	}
	s.last.Store(id)
	return id, nil
}

// RoomMessages implements room.Store.
func (s *Rooms) RoomMessages(ctx context.Context, r room.Range) ([]room.Message, error) {
	q := s.read.WithContext(ctx).Where("room_name = ?", r.Room)
	if r.Before > 0 {
		q = q.Where("id < ?", r.Before)
	}
	if r.After > 0 {
		q = q.Where("id > ?", r.After)
	}
	order := "id DESC"
	if r.Oldest {
		order = "id"
	}
	var rows []chatRow
	if err := q.Order(order).Limit(r.Limit).Find(&rows).Error; err != nil {
		return nil, s.classify(err)
	}
	if !r.Oldest {
		slices.Reverse(rows)
	}
	return roomMessages(rows), nil
}

// Rooms implements room.Store.
func (s *Rooms) Rooms(ctx context.Context) ([]room.Info, error) {
	var rows []roomRow
	if err := s.read.WithContext(ctx).Order("name").Find(&rows).Error; err != nil {
		return nil, s.classify(err)
	}
	out := make([]room.Info, 0, len(rows))
	for _, r := range rows {
		info := room.Info{Name: r.Name, CreatedAt: r.CreatedAt.UTC()}
		newest, err := s.RoomMessages(ctx, room.Range{Room: r.Name, Limit: 1})
		if err != nil {
			return nil, err
		}
		if len(newest) > 0 {
			info.Last = &newest[0]
		}
		out = append(out, info)
	}
	return out, nil
}

// CreateRoom implements room.Store.
func (s *Rooms) CreateRoom(ctx context.Context, name string, at time.Time) error {
	return s.write(ctx, func(tx *gorm.DB) error {
		done := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&roomRow{Name: name, CreatedAt: at.UTC()})
		if done.Error == nil && done.RowsAffected == 0 {
			return errcode.New(errcode.Conflict, "there is a room %s already", name).With(errcode.KeyField, "name")
		}
		return done.Error
	})
}

// Presences implements room.Store.
func (s *Rooms) Presences(ctx context.Context) ([]room.Presence, error) {
	return s.Turns().Presences(ctx)
}

// PutPresences implements room.Store.
func (s *Rooms) PutPresences(ctx context.Context, list []room.Presence) error {
	return s.Turns().PutPresences(ctx, list)
}
