import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, rmdirSync, statfsSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** Why there cannot be a small disk here, if that is so. */
export const cannotMount =
  process.platform !== "linux" ? "tmpfs is Linux's" : process.getuid?.() !== 0 ? "a mount needs root" : mountFails();

function mountFails(): string | undefined {
  try {
    smallDisk().close();
    return undefined;
  } catch (e) {
    return String(e).split("\n")[0];
  }
}

/** A disk of 24 MB in memory, which a test fills and frees. */
export function smallDisk() {
  const root = mkdtempSync(path.join(tmpdir(), "agentflow-disk-")),
    ballast = path.join(root, "ballast");
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=24m", "tmpfs", root], { stdio: "pipe" });
  return {
    folder: path.join(root, "data"),
    fill: () => {
      // The hub writes meanwhile, so what is free at the end can be less than it was.
      const { bavail, bsize } = statfsSync(root),
        page = Buffer.alloc(bsize);
      const out = openSync(ballast, "w");
      try {
        for (let i = 0; i <= bavail; i++) writeSync(out, page);
      } catch (e) {
        if ((e as NodeJS.ErrnoException).code !== "ENOSPC") throw e;
      } finally {
        closeSync(out);
      }
    },
    free: () => rmSync(ballast),
    close: () => {
      execFileSync("umount", ["--lazy", root], { stdio: "pipe" }); // a hub can still be in it
      rmdirSync(root);
    },
  };
}
