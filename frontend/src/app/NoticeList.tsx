import { AlarmBanner } from "@/features/history/AlarmBanner";
import { TargetGone } from "@/features/teams/TargetGone";

/** What stands above the screens: the alarms of gateways, and that the gateway of the team was removed. */
export const NoticeList = () => (
  <>
    <AlarmBanner />
    <TargetGone />
  </>
);
