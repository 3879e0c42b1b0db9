export { SettingsScreen } from "./SettingsScreen";
export { editGateway, openSettings } from "./section";
