import { collect } from "./collect";

export default collect(
  import.meta.glob<object>(
    "./en/{agents,apply,bundle,calls,cause,chat,choose,clip,collision,compare,decide,teams,drift,error,field,files,firstrun,here,history,inbox,inspector,library,lock,merge,models,opening,palette,picture,plan,reach,refused,review,rooms,search,security,sessions,settings,signIn,step,tasks,trust}.json",
    { eager: true, import: "default" },
  ),
);
