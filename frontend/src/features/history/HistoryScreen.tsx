import { FilePlus2 } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useTeam } from "@/stores/team";
import { usePanel, useUi } from "@/stores/ui";
import { Boundary, Button, cx, EmptyState, Panel, ScreenHead, Segmented, useMedia } from "@/ui";
import { CompareHead } from "./CompareHead";
import { FileView } from "./FileView";
import { SnapshotList, useSnapshots } from "./SnapshotList";
import { SnapshotView } from "./SnapshotView";
import { inSync, type Filter } from "./fold";
import { useHistoryPlace } from "./place";
import { useChosen, useChosenSnapshot, type Chosen } from "./useChosen";
import "./history.css";
import { useVersions } from "./useVersions";
import { VersionList } from "./VersionList";
import { VersionView } from "./VersionView";
import { itemTitle, versionTitle } from "./words";

type Tab = "team" | "gateway";

/** Every version of the team, and every config of its gateway that was kept. */
export function HistoryScreen() {
  const { t } = useTranslation();
  const status = useTeam((s) => s.status),
    name = useTeam((s) => s.name),
    id = useTeam((s) => s.id);
  const tab = useHistoryPlace((s) => s.tab),
    setTab = (to: Tab) => useHistoryPlace.setState({ tab: to });
  const go = useUi((s) => s.go);
  if (status === "none" || status === "gone") {
    return (
      <>
        <ScreenHead>
          <h1>{t("screen.history")}</h1>
        </ScreenHead>
        <div className="body">
          <div className="grid flex-1 place-items-center">
            <EmptyState
              icon={FilePlus2}
              title={t("history.noTeam")}
              action={<Button onClick={() => go("canvas")}>{t("history.toCanvas")}</Button>}
            >
              {t("history.noTeamWhy")}
            </EmptyState>
          </div>
        </div>
      </>
    );
  }
  return tab === "team" ? (
    <Versions key={id} name={name} tabs={<Which value={tab} onValue={setTab} />} />
  ) : (
    <Snapshots name={name} tabs={<Which value={tab} onValue={setTab} />} />
  );
}

function Which({ value, onValue }: { value: Tab; onValue: (t: Tab) => void }) {
  const { t } = useTranslation();
  return (
    <Segmented
      size="sm"
      label={t("history.of")}
      value={value}
      onValue={onValue}
      options={[
        { value: "team", label: t("history.team") },
        { value: "gateway", label: t("history.gateway") },
      ]}
    />
  );
}

type Part = { name: string; tabs: ReactNode };

function Versions({ name, tabs }: Part) {
  const { t } = useTranslation();
  const phone = useMedia("(max-width: 639px)");
  const [filter, setFilter] = useState<Filter>("all");
  const [gateway, setGateway] = useState("");
  const [view, setView] = useState<"canvas" | "text">("canvas");
  const all = useVersions(filter, gateway);
  const chosen = useChosen(all.versions);
  const shown = !phone || chosen.opened;
  return (
    <>
      <ScreenHead rows>
        <h1>{t("screen.history")}</h1>
        {!phone && <span className="cap cut">{name}</span>}
        {(!phone || !chosen.opened) && tabs}
        <span className="grow" />
        {shown && (
          <CompareHead
            chosen={chosen}
            title={(v) => versionTitle(t, v)}
            before={t(beforeIsSync(chosen) ? "history.beforeApply" : "history.before")}
            unpin={t("history.unpin")}
          />
        )}
        {shown && chosen.b && (
          <Segmented
            size="sm"
            label={t("review.view")}
            value={view}
            onValue={setView}
            options={(["canvas", "text"] as const).map((value) => ({ value, label: t(`review.views.${value}`) }))}
          />
        )}
      </ScreenHead>
      <div className="body">
        {(!phone || !chosen.opened) && (
          <ListPanel phone={phone}>
            <VersionList
              all={all}
              chosen={chosen}
              filter={filter}
              onFilter={setFilter}
              gateway={gateway}
              onGateway={setGateway}
            />
          </ListPanel>
        )}
        {shown && (
          <Boundary of={chosen.b}>
            <VersionView
              chosen={chosen}
              onNamed={(v) => {
                all.put(v);
                all.retry();
              }}
              phone={phone}
              text={view === "text"}
            />
          </Boundary>
        )}
      </div>
    </>
  );
}

/** A is not the version before B, but the last time that team and gateway were the same. */
const beforeIsSync = ({ b, aItem }: Chosen) => b?.cause === "apply" && !!aItem && inSync(aItem);

function Snapshots({ name, tabs }: Part) {
  const { t } = useTranslation();
  const phone = useMedia("(max-width: 639px)");
  const kept = useSnapshots();
  const chosen = useChosenSnapshot(kept.items);
  const shown = !phone || chosen.opened,
    ofFile = chosen.b?.kind === "file";
  return (
    <>
      <ScreenHead rows>
        <h1>{t("screen.history")}</h1>
        {!phone && <span className="cap cut">{name}</span>}
        {(!phone || !chosen.opened) && tabs}
        <span className="grow" />
        {shown && (
          <CompareHead
            chosen={chosen}
            title={(s) => itemTitle(t, s)}
            before={t(ofFile ? "compare.beforeFile" : "compare.beforeSnapshot")}
            unpin={t(ofFile ? "compare.unpinFile" : "compare.unpinSnapshot")}
          />
        )}
      </ScreenHead>
      <div className="body">
        {(!phone || !chosen.opened) && (
          <ListPanel phone={phone}>
            <SnapshotList kept={kept} chosen={chosen} />
          </ListPanel>
        )}
        {shown && (
          <Boundary of={chosen.b?.id}>
            {chosen.b?.kind === "file" ? (
              <FileView chosen={chosen} file={chosen.b} newest={kept.newest.has(chosen.b.id)} phone={phone} />
            ) : (
              <SnapshotView
                chosen={chosen}
                gateway={kept.gateway}
                first={kept.snapshots[0]?.id === chosen.b?.id}
                phone={phone}
                onDone={kept.reload}
              />
            )}
          </Boundary>
        )}
      </div>
    </>
  );
}

function ListPanel({ phone, children }: { phone: boolean; children: ReactNode }) {
  const { t } = useTranslation();
  const panel = usePanel("history.list"),
    setPanel = useUi((s) => s.setPanel);
  return (
    <Panel
      kind="list"
      label={t("history.list")}
      size={phone ? undefined : panel.size}
      className={cx(phone && "w-full")}
      split={
        phone
          ? undefined
          : {
              label: t("history.split"),
              edge: "right",
              size: panel.size,
              min: 260,
              max: 440,
              onSize: (n) => setPanel("history.list", { size: n }),
              onFold: () => setPanel("history.list", { size: 344 }),
            }
      }
    >
      {children}
    </Panel>
  );
}
