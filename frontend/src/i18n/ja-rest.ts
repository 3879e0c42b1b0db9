import { collect } from "./collect";

export default collect(import.meta.glob<object>("./ja/{agents,apply,bundle,calls,chat,choose,collision,compare,decide,drawings,drift,firstrun,here,history,inbox,inspector,merge,models,opening,palette,picture,plan,reach,review,rooms,sessions,settings,tasks}.json", { eager: true, import: "default" }));
