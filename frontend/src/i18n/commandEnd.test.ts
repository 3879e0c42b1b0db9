import { createInstance } from "i18next";
import { expect, it } from "vitest";
import { commandEnd } from "./commandEnd";
import en from "./en/chat.json";
import ja from "./ja/chat.json";

it("CH-6 GW-9 a command that an agent ran shows that it failed, and nothing else does", async () => {
  for (const [lng, chat, code, late] of [
    ["en", en, "Exit code 3", "Timed out"],
    ["ja", ja, "終了コード：3", "時間切れ"],
  ] as const) {
    const i18n = createInstance();
    await i18n.init({ lng, resources: { [lng]: { translation: { chat } } } });
    const { t } = i18n;
    const end = (tool: string | undefined, output: string | undefined) => commandEnd(t, tool, output);
    expect(end("shell_exec", "exit code 3\nstderr:\nno")).toBe(code);
    expect(end("shell_shell_exec", "exit code 3\n")).toBe(code);
    expect(end("shell_exec", "it took too long and was ended\n")).toBe(late);
    expect(end("exec", "no such file\n\n(Command exited with code 3)")).toBe(code);
    expect(end("exec", "no such file\n\nCommand exited with code 3")).toBe(code);
    expect(
      [
        end("shell_exec", "exit code 0\nstdout:\nexit code 3"),
        end("exec", "done\n(Command exited with code 0)"),
        end("exec", "done"),
        end("file_read", "exit code 3\n"),
        end(undefined, "exit code 3\n"),
        end("shell_exec", undefined),
      ].filter(Boolean),
    ).toEqual([]);
  }
});
