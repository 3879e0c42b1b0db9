export { editGateway, openSettings } from "./section";
