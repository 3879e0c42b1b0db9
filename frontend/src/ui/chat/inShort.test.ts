import { expect, it } from "vitest";
import { inShort } from "./inShort";

it("APP-4 says what went into a tool in short", () => {
  expect([inShort('{"n":1,"command":"go test"}'), inShort("{}"), inShort("ls -l"), inShort('"x"')]).toEqual([
    "go test",
    "",
    "ls -l",
    "x",
  ]);
  expect([inShort('{"path":"a.txt","text":"cut o…'), inShort('{"path":"cut o…'), inShort('{"n":1,"te…')]).toEqual([
    "a.txt",
    "cut o…",
    '{"n":1,"te…',
  ]);
});
