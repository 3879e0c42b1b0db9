export { RoutesToggle, toggleRoutes } from "./RoutesToggle";
