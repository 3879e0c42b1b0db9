export { addProvider, editGateway, openSettings, openTrust } from "./section";
