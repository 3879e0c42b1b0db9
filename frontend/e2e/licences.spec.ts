import { expect } from "vitest";
import { test } from "./app.ts";

// Settings → Licences: what is in the program and in the page, each with its text.

test("APP-2 the licences of everything that is built in can be read", async ({ open }) => {
  const app = await open();
  await app.go("settings");
  await app.page.getByRole("button", { name: "Licenses" }).click();
  const program = app.page.getByRole("region", { name: "In the program" }),
    page = app.page.getByRole("region", { name: "In the interface" });
  for (const name of ["Go", "github.com/wailsapp/wails/v2", "gorm.io/gorm", "github.com/gorilla/websocket"])
    await program.getByText(name, { exact: true }).waitFor();
  for (const name of ["react", "@xyflow/react", "@codemirror/merge"])
    await page.getByText(name, { exact: true }).first().waitFor();
  await app.page.getByRole("textbox", { name: "Find a part" }).fill("gorm");
  expect(await page.count()).toBe(0);
  await program.getByText("gorm.io/gorm", { exact: true }).click();
  expect(await program.getByLabel("gorm.io/gorm").innerText()).toContain("Permission is hereby granted");
  await app.page.getByRole("textbox", { name: "Find a part" }).fill("no such thing");
  await app.page.getByText("No matching parts").waitFor();
});
