export { ListToggle, toggleList } from "./ListToggle";
