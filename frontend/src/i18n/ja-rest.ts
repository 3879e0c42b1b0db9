import { collect } from "./collect";

export default collect(import.meta.glob<object>("./ja/{apply,choose,collision,compare,decide,drift,history,merge,palette,reach,review,settings}.json", { eager: true, import: "default" }));
