import { collect } from "./collect";

/** Texts of the canvas and its frame. Those of the other screens load later. */
export default collect(
  import.meta.glob<object>(
    [
      "./ja/*.json",
      "!./ja/{agents,apply,bundle,calls,cause,chat,choose,clip,collision,compare,decide,drift,error}.json",
      "!./ja/{field,files,firstrun,here,history,inbox,inspector,library,lock,merge,models,opening}.json",
      "!./ja/{palette,picture,plan,push,reach,refused,review,routes,rooms,search,security,sessions,settings}.json",
      "!./ja/{gesture,grouping}.json",
      "!./ja/{agentSettings,everyone,problemText,schedule,signIn,step,tasks,teams,trust,workspace}.json",
    ],
    { eager: true, import: "default" },
  ),
);
