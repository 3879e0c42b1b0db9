package cli

import (
	"context"
	"net/http"
	"time"

	"agentflow/backend/base/config"
	"agentflow/backend/base/hubclient"
	"agentflow/backend/base/startupfiles"
)

// handOver gives a start to the hub of this data folder that runs already at address: it shows the
// file, "" is none, and its page opens. False says that there is no such hub.
func (p *program) handOver(ctx context.Context, address, file string) (bool, error) {
	dir, err := config.DataDir(p.DataDir)
	if err != nil {
		return false, err
	}
	token, err := config.OwnerToken(dir, false)
	if err != nil || token == "" {
		return false, err
	}
	hub, err := hubclient.New(address, token)
	if err != nil {
		return false, err
	}
	defer hub.Close()
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	var link struct{ Path string }
	if err := hub.Call(ctx, http.MethodPost, "/api/links", nil, &link); err != nil {
		return false, err // another program's address, or another folder's hub
	}
	if file != "" {
		given, err := startupfiles.Read(file)
		if err != nil {
			return true, err
		}
		if err := hub.Call(ctx, http.MethodPost, "/api/files/give", given, nil); err != nil {
			return true, err
		}
	}
	p.Screen.Print("the hub at %s runs already\n", hub.URL())
	p.Screen.Print("open %s\n", hub.URL()+link.Path)
	if err := p.Screen.Object(map[string]string{"url": hub.URL(), "open": hub.URL() + link.Path}); err != nil {
		return true, err
	}
	_, err = p.show(hub.URL() + link.Path) // the page that leads there stays: the browser may not have read it yet
	return true, err
}
