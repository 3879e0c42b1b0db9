import { beforeAll, describe, expect, it } from "vitest";
import { createInstance, type TFunction } from "i18next";
import enFirst from "@/i18n/en";
import enRest from "@/i18n/en-rest";
import jaFirst from "@/i18n/ja";
import jaRest from "@/i18n/ja-rest";
import type { Lost, Snapshot, Version } from "@/topology";
import { beforeEntry, beforeKept, foldSnapshots, foldVersions, groupByDay, newest, oldest } from "./fold";
import { lostWords } from "./lost";
import { entryCaption, entryTitle, versionTitle } from "./words";

const enWords = { ...enFirst, ...enRest },
  jaWords = { ...jaFirst, ...jaRest };

let serial = 100;
const v = (at: string, patch: Partial<Version> = {}): Version => {
  const id = `v${serial--}`;
  return {
    id,
    parentId: `v${serial}`,
    at,
    cause: "edit",
    label: "edit.move|Lead",
    author: "",
    agents: 2,
    connections: 1,
    added: 0,
    removed: 0,
    changed: 0,
    moved: 1,
    current: false,
    ...patch,
  };
};
const at = (day: number, h: number, m = 0) => new Date(2026, 10, day, h, m).toISOString();
const shape = (versions: Version[]) => foldVersions(versions).map((e) => `${newest(e).cause}${e.versions.length}`);

it("B28 names going back at a gateway so, and not as what was read for it", () => {
  const t = ((k: string) => k) as unknown as TFunction;
  expect(versionTitle(t, v(at(19, 9), { cause: "rollback", label: "seen|local" }))).toBe("step.rollback");
  expect(versionTitle(t, v(at(19, 9), { cause: "import", label: "seen|local" }))).toBe("step.seen");
});

describe("folding", () => {
  it("joins edits that follow each other, and nothing else", () => {
    expect(
      shape([
        v(at(19, 9, 12), { cause: "apply" }),
        v(at(19, 9, 11)),
        v(at(19, 9, 10), { cause: "layout" }),
        v(at(19, 9)),
        v(at(19, 8), { cause: "import" }),
      ]),
    ).toEqual(["apply1", "edit3", "import1"]);
  });
  it("does not reach over midnight, over authors or over names", () => {
    expect(shape([v(at(19, 0, 5)), v(at(18, 23, 55))])).toEqual(["edit1", "edit1"]);
    expect(shape([v(at(19, 9)), v(at(19, 8), { author: "Mika" })])).toEqual(["edit1", "edit1"]);
    expect(shape([v(at(19, 9)), v(at(19, 8), { name: "Before the release" }), v(at(19, 7))])).toEqual([
      "edit1",
      "edit1",
      "edit1",
    ]);
  });
  it("keeps what stands now apart from what was undone", () => {
    expect(
      foldVersions([v(at(19, 9, 3)), v(at(19, 9, 2)), v(at(19, 9, 1), { current: true }), v(at(19, 9))]).map((e) => [
        e.versions.length,
        newest(e).current,
      ]),
    ).toEqual([
      [2, false],
      [2, true],
    ]);
  });
  it("compares a folded line with what stood before all of it", () => {
    const all = [v(at(19, 9, 2)), v(at(19, 9, 1)), v(at(19, 9))],
      [e] = foldVersions(all);
    expect(beforeEntry(all, e!)).toBe(oldest(e!).parentId);
    expect(beforeEntry(all, { key: all[0]!.id, versions: [all[0]!] })).toBe(all[1]!.id);
  });
  it("compares an apply with the last time both were the same", () => {
    const all = [v(at(19, 9, 2), { cause: "apply" }), v(at(19, 9, 1)), v(at(19, 9)), v(at(18, 9), { cause: "import" })],
      [e] = foldVersions(all);
    expect(beforeEntry(all, e!)).toBe(all[3]!.id);
    expect(beforeEntry(all.slice(0, 2), e!)).toBe(all[1]!.id);
  });
  it("groups by the person's own day", () => {
    const days = groupByDay([v(at(19, 0, 1)), v(at(18, 23, 59)), v(at(18, 0, 0))], (x) => x.at);
    expect(days.map((d) => d.items.length)).toEqual([1, 2]);
  });
  it("tells the same config once", () => {
    const s = (id: string, hash: string): Snapshot => ({
      id,
      hash,
      gateway: "local",
      at: at(19, 9),
      cause: "read",
      agents: 1,
    });
    expect(
      foldSnapshots([s("d", "2"), s("c", "1"), s("b", "1"), s("a", "2")]).map((k) =>
        k.snapshots.map((x) => x.id).join(""),
      ),
    ).toEqual(["d", "cb", "a"]);
  });
  it("OC-2 keeps the config before a change in a line: the change may have replaced workspace files only", () => {
    const s = (id: string, cause: string) => ({ id, hash: "1", cause }) as Snapshot;
    const lines = foldSnapshots([s("d", "read"), s("c", "after_apply"), s("b", "before_apply"), s("a", "read")]);
    expect(lines.map((k) => k.snapshots.map((x) => x.id).join(""))).toEqual(["dc", "ba"]);
  });
  it("OC-4 compares a snapshot with the line before its own, wherever in its line it is", () => {
    const s = (id: string, hash: string, cause = "read") => ({ id, hash, cause }) as Snapshot;
    const all = [s("e", "3"), s("d", "2"), s("c", "2", "before_apply"), s("b", "2"), s("a", "1")];
    expect(["e", "d", "c", "b", "a", "none"].map((id) => beforeKept(all, id))).toEqual([
      "d",
      "c",
      "a",
      "a",
      undefined,
      undefined,
    ]);
  });
});

describe("words", () => {
  let en: TFunction, ja: TFunction;
  beforeAll(async () => {
    const i = createInstance();
    await i.init({
      resources: { en: { translation: enWords }, ja: { translation: jaWords } },
      lng: "en",
      interpolation: { escapeValue: false },
    });
    en = i.getFixedT("en");
    ja = i.getFixedT("ja");
  });
  it("translate what the hub calls a step", () => {
    expect(versionTitle(en, v(at(19, 9)))).toBe("Moved Lead");
    expect(versionTitle(ja, v(at(19, 9), { label: "import|Studio" }))).toBe("Studioから取り込み");
    expect(versionTitle(en, v(at(19, 9), { label: "apply|local" }))).toBe("Applied to Built-in gateway");
    expect(versionTitle(en, v(at(19, 9), { label: "restore|2026-11-18T16:20:00Z" }))).toMatch(
      /^Restored the version from (1[789] Nov|Nov 1[789])/,
    );
    const named = v(at(19, 9), { label: "restore|2026-11-18T16:20:00Z|v1|b" });
    expect(versionTitle(en, named)).toMatch(/^Restored v1\|b, the version from (1[789] Nov|Nov 1[789])/);
    expect(versionTitle(ja, named)).toMatch(/^「v1\|b」（.+のバージョン）を復元$/);
    expect(versionTitle(en, v(at(19, 9), { label: "edit.move|A|B" }))).toBe("Moved A|B");
    expect(versionTitle(en, v(at(19, 9), { label: "unheard.of|Lead" }))).toBe("Lead");
  });
  it("know every cause of the hub", () => {
    for (const label of [
      "create",
      "import|x",
      "import-file|x",
      "apply|x",
      "merge|x",
      "discard",
      "restore|x",
      "rollback|x",
      "layout",
      "edit.rename|x",
    ]) {
      for (const t of [en, ja])
        expect(versionTitle(t, v(at(19, 9), { label }))).not.toMatch(/^(x|[a-z-]+|edit\.rename)$/);
    }
  });
  it("tell a folded line by its number and hours", () => {
    const [e] = foldVersions([v(at(19, 9, 11)), v(at(19, 8, 55))]);
    expect(entryTitle(en, e!)).toBe("Edited 2 times");
    expect(entryCaption(en, e!)).toBe("You · 08:55 to 09:11");
    expect(entryTitle(ja, e!)).toBe("2回の編集");
  });
  it("say on the line of now what is not applied yet", () => {
    const [e] = foldVersions([v(at(19, 9, 11), { current: true }), v(at(19, 8, 55))]);
    expect(entryTitle(en, e!, 2)).toBe("2 unapplied changes");
    expect(entryCaption(en, e!, 2)).toBe("You · Edited 2 times");
    expect(entryTitle(en, foldVersions([v(at(19, 9), { current: true, name: "Release" })])[0]!, 2)).toBe("Release");
    const loaded = v(at(19, 9), { current: true, cause: "import", label: "import-file|shop.yaml" });
    expect(entryTitle(en, foldVersions([loaded])[0]!, 2)).toContain("shop.yaml");
  });
});

it("OC-4 what a config lost reads as a person would write it", async () => {
  const words = async (lng: "en" | "ja", losses: Lost[]) => {
    const i = createInstance();
    await i.init({ lng, resources: { [lng]: { translation: lng === "en" ? enWords : jaWords } } });
    return lostWords(i.t, losses);
  };
  const lost = (kind: Lost["kind"], before: number, after: number): Lost => ({ kind, before, after });
  const all = [lost("agents", 5, 2), lost("replaced", 5, 2), lost("bindings", 2, 0), lost("channels", 1, 0)];
  expect(await words("en", all)).toBe("all 5 agents (it now has others), all 2 bindings, and its channel");
  expect(await words("ja", all)).toContain("エージェント5体すべて（別のものに置き換え）");
  expect(await words("ja", all)).toContain("バインディング2件すべて");
  expect(await words("en", [lost("agents", 7, 1)])).toBe("6 of 7 agents");
  expect(await words("en", [lost("agents", 1, 0), lost("bindings", 3, 2)])).toBe("its agent and 1 of 3 bindings");
});
