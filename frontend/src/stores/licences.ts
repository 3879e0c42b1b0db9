export { licences, type Licence } from "../api/licences";
