export { addProvider, editGateway, followSection, openSettings, openTrust } from "./section";
