package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"agentflow/backend/base/config"
	"agentflow/backend/base/event"
)

type settingsTopic = event.Topic[config.UI]

type uiBody struct{ Body config.UI }

type aboutBody struct{ Body About }

func (s *Server) settingsRoutes() {
	const tag = "settings"
	huma.Register(s.api, op(http.MethodGet, "/api/settings", "getSettings", "Get settings\n"+
		"Returns the language, theme and other settings of the page.", tag), handler(s, func(context.Context, *struct{}) (*uiBody, error) {
		return &uiBody{Body: s.Settings.UI()}, nil
	}))
	huma.Register(s.api, op(http.MethodPut, "/api/settings", "putSettings", "Update settings\n"+
		"Replaces all of them and tells every open page.", tag), handler(s, func(_ context.Context, in *uiBody) (*uiBody, error) {
		if err := s.Settings.SetUI(in.Body); err != nil {
			return nil, err
		}
		ui := s.Settings.UI()
		s.ui.Publish(ui)
		return &uiBody{Body: ui}, nil
	}))
	huma.Register(s.api, op(http.MethodGet, "/api/about", "getAbout", "Get version information\n"+
		"Returns the version and build of AgentFlow, the computer it runs on, and where it stores its data.", tag),
		handler(s, func(context.Context, *struct{}) (*aboutBody, error) {
			about := s.About
			about.SecretsIn = config.SecretsNowhere
			if s.Secrets != nil {
				about.SecretsIn, about.Secrets = s.Secrets()
			}
			return &aboutBody{Body: about}, nil
		}))
}
