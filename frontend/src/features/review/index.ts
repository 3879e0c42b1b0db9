export { followChange } from "./store";
