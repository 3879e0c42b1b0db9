import { expect, it } from "vitest";
import { withScheme } from "./withScheme";

it("an address without its scheme gets the one that its host speaks", () => {
  for (const [typed, url] of [
    ["127.0.0.1:18990", "http://127.0.0.1:18990"],
    [" localhost:11434/v1 ", "http://localhost:11434/v1"],
    ["studio:8080", "http://studio:8080"],
    ["192.168.1.7:1234", "http://192.168.1.7:1234"],
    ["mac.local:1234", "http://mac.local:1234"],
    ["api.example.com/v1", "https://api.example.com/v1"],
    ["http://a.b/v1", "http://a.b/v1"],
    ["", ""],
  ] as const)
    expect(withScheme(typed)).toBe(url);
});
