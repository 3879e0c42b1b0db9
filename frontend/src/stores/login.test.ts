import { expect, it } from "vitest";
import { loginCommand } from "./login";

it("names the hub in the login command where the browser is on its computer", () => {
  const at = (url: string) => loginCommand(new URL(url));
  expect([
    at("http://127.0.0.1:18800/"),
    at("http://127.0.0.1:19500/"),
    at("https://flow.example/"),
    at("http://10.0.0.2:19500/"),
  ]).toEqual(["agentflow login", "agentflow login --url http://127.0.0.1:19500", "agentflow login", "agentflow login"]);
});
