//go:build desktop

package main

/*
#cgo !webkit2_41 pkg-config: webkit2gtk-4.0
#cgo webkit2_41 pkg-config: webkit2gtk-4.1
#include <webkit2/webkit2.h>

// own tells whether an address is of the program's own page.
static gboolean own(const char *uri) {
	return g_str_has_prefix(uri, "wails://") || g_str_has_prefix(uri, "about:");
}

static gboolean decide(WebKitWebView *view, WebKitPolicyDecision *decision, WebKitPolicyDecisionType type, gpointer data) {
	if (type == WEBKIT_POLICY_DECISION_TYPE_RESPONSE)
		return FALSE;
	WebKitNavigationAction *action = webkit_navigation_policy_decision_get_navigation_action(WEBKIT_NAVIGATION_POLICY_DECISION(decision));
	if (type == WEBKIT_POLICY_DECISION_TYPE_NAVIGATION_ACTION && own(webkit_uri_request_get_uri(webkit_navigation_action_get_request(action))))
		return FALSE;
	webkit_policy_decision_ignore(decision);
	return TRUE;
}

static void guard(GtkWidget *widget, gpointer data) {
	if (WEBKIT_IS_WEB_VIEW(widget))
		g_signal_connect(widget, "decide-policy", G_CALLBACK(decide), NULL);
	else if (GTK_IS_CONTAINER(widget))
		gtk_container_forall(GTK_CONTAINER(widget), guard, NULL);
}

static gboolean guard_windows(gpointer data) {
	GList *windows = gtk_window_list_toplevels();
	g_list_foreach(windows, (GFunc)guard, NULL);
	g_list_free(windows);
	return G_SOURCE_REMOVE;
}

// GTK is only called on its own thread.
static void guard_navigation(void) { g_idle_add(guard_windows, NULL); }
*/
import "C"

// guardNavigation keeps the web view at the program's own page: Wails binds the methods of App,
// the owner's token among them, into whatever page is open.
func guardNavigation() { C.guard_navigation() }
