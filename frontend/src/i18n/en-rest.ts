import { collect } from "./collect";

export default collect(
  import.meta.glob<object>(
    [
      "./en/{agents,apply,bundle,calls,cause,chat,choose,clip,collision,compare,decide,drift,error}.json",
      "./en/{field,files,firstrun,here,history,inbox,inspector,library,lock,merge,models,opening}.json",
      "./en/{palette,picture,plan,push,reach,refused,review,routes,rooms,search,security,sessions,settings}.json",
      "./en/{gesture,grouping}.json",
      "./en/{agentSettings,everyone,problemText,schedule,signIn,step,tasks,teams,trust,workspace}.json",
    ],
    { eager: true, import: "default" },
  ),
);
