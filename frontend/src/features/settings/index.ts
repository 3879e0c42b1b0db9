export { addProvider, editGateway, openSettings } from "./section";
