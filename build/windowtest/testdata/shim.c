/* Loaded into the window under test only, with LD_PRELOAD, so that WebKitWebDriver can
 * drive it. A program that is to be driven has to allow automation on its web context,
 * to build its view as a controlled one, and to hand that view out when the driver asks
 * for a window. Wails does none of it, so its call for a view is answered here instead. */
#include <webkit2/webkit2.h>

static WebKitWebView *view;

static WebKitWebView *hand_out_view(WebKitAutomationSession *session, gpointer nothing)
{
    (void)session;
    (void)nothing;
    return view;
}

static void automation_started(WebKitWebContext *context, WebKitAutomationSession *session, gpointer nothing)
{
    (void)context;
    (void)nothing;
    WebKitApplicationInfo *info = webkit_application_info_new();
    webkit_application_info_set_name(info, "agentflow");
    webkit_automation_session_set_application_info(session, info);
    webkit_application_info_unref(info);
    g_signal_connect(session, "create-web-view", G_CALLBACK(hand_out_view), NULL);
}

GtkWidget *webkit_web_view_new_with_user_content_manager(WebKitUserContentManager *manager)
{
    WebKitWebContext *context = webkit_web_context_get_default();
    webkit_web_context_set_automation_allowed(context, TRUE);
    g_signal_connect(context, "automation-started", G_CALLBACK(automation_started), NULL);
    view = WEBKIT_WEB_VIEW(g_object_new(WEBKIT_TYPE_WEB_VIEW,
                                        "web-context", context,
                                        "user-content-manager", manager,
                                        "is-controlled-by-automation", TRUE,
                                        NULL));
    return GTK_WIDGET(view);
}
