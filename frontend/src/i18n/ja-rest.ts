import { collect } from "./collect";

export default collect(import.meta.glob<object>("./ja/{agents,apply,bundle,choose,collision,compare,decide,drawings,drift,firstrun,history,inspector,merge,models,opening,palette,picture,reach,review,settings}.json", { eager: true, import: "default" }));
