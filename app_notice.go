//go:build desktop

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	wailsruntime "github.com/wailsapp/wails/v2/pkg/runtime"
)

// maxNotice limits each text of a notification, in bytes.
const maxNotice = 1000

// noticePlace is the part of an address that names a screen of the page, such as #/inbox.
var noticePlace = regexp.MustCompile(`^#/[\w/%.!~*'()-]{0,300}$`)

// notices are the notifications of the desktop. The first one connects to what shows them.
type notices struct {
	sending sync.Mutex
	ready   bool
}

// Notify shows a notification of the desktop. Clicking it brings the window to the front and shows a place of the page.
// It fails where the desktop shows none, or while it hasn't taken the one before.
func (a *App) Notify(id, title, body, place string) error {
	switch {
	case title == "" || max(len(id), len(title), len(body)) > maxNotice || !utf8.ValidString(id+title+body):
		return errors.New("a notification has a title, and texts of at most 1,000 bytes")
	case !noticePlace.MatchString(place):
		return fmt.Errorf("%q is no place of the page", place)
	case !a.notices.sending.TryLock():
		return errors.New("the desktop hasn't taken the last notification yet")
	}
	defer a.notices.sending.Unlock()
	if err := a.prepareNotices(); err != nil {
		return fmt.Errorf("the desktop shows no notifications: %w", err)
	}
	// Some desktops read the body as markup.
	body = strings.NewReplacer("<", "‹", ">", "›").Replace(body)
	return wailsruntime.SendNotification(a.ctx, wailsruntime.NotificationOptions{
		ID: id, Title: title, Body: body, Data: map[string]any{"place": place},
	})
}

// prepareNotices connects to the desktop, and asks the person where the system wants that. notices.sending is locked.
func (a *App) prepareNotices() error {
	if a.notices.ready {
		return nil
	}
	if err := wailsruntime.InitializeNotifications(a.ctx); err != nil {
		return err
	}
	if ok, err := wailsruntime.RequestNotificationAuthorization(a.ctx); err != nil || !ok {
		return errors.Join(errors.New("they aren't allowed for AgentFlow"), err)
	}
	wailsruntime.OnNotificationResponse(a.ctx, func(r wailsruntime.NotificationResult) {
		if place, ok := r.Response.UserInfo["place"].(string); ok && r.Error == nil {
			a.showPlace(place)
		}
	})
	a.notices.ready = true
	return nil
}

// end disconnects from the desktop, unless a call to it is under way: the program's end does it then.
func (n *notices) end(ctx context.Context) {
	if !n.sending.TryLock() {
		return
	}
	defer n.sending.Unlock()
	if n.ready {
		wailsruntime.CleanupNotifications(ctx)
		n.ready = false
	}
}

// showPlace brings the window to the front, with a place of the page.
func (a *App) showPlace(place string) {
	a.show()
	script, err := json.Marshal(place)
	if err != nil || !noticePlace.MatchString(place) {
		return
	}
	wailsruntime.WindowExecJS(a.ctx, "location.hash = "+string(script))
}
