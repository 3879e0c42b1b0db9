// Package windowtest holds the tests of the real window: bin/agentflow-desktop on a
// separate display (Xvfb), driven with WebKitWebDriver. They are built with the tag
// "window" only, because they need a display server and the built program;
// `make test-window` runs them.
package windowtest
