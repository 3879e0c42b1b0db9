import { collect } from "./collect";

export default collect(import.meta.glob<object>("./ja/{apply,bundle,choose,collision,compare,decide,drift,history,merge,opening,palette,picture,reach,review,settings}.json", { eager: true, import: "default" }));
