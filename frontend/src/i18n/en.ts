import { collect } from "./collect";

export default collect(import.meta.glob<object>("./en/*.json", { eager: true, import: "default" }));
