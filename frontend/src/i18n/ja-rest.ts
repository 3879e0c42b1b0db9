import { collect } from "./collect";

export default collect(import.meta.glob<object>("./ja/{apply,history,merge,palette,review,settings}.json", { eager: true, import: "default" }));
