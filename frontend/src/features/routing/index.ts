export { LaneToggle } from "./LaneToggle";
export { RoutesToggle, toggleRoutes } from "./RoutesToggle";
