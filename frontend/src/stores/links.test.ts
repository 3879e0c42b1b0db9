import { expect, it } from "vitest";
import { foreign } from "./links";

it("TR-4 F21 an address on another origin leads away from the page, on each system's own scheme", () => {
  for (const page of ["wails://wails/#/canvas", "http://wails.localhost/", "http://127.0.0.1:18989/#/tasks"]) {
    for (const own of ["#/rooms", "/api/teams", page, `blob:${page}`]) expect(foreign(own, page), own).toBe(false);
    for (const other of [
      "https://example.com/",
      "http://127.0.0.1:9/",
      "wails://other/",
      "data:text/html,hello",
      "javascript:void 0",
      "about:blank",
      "file:///etc/passwd",
    ])
      expect(foreign(other, page), `${page} ${other}`).toBe(true);
  }
});
