import { collect } from "./collect";

export default collect(import.meta.glob<object>("./ja/*.json", { eager: true, import: "default" }));
