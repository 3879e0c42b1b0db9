import { listen, type Scope } from "./app/pushWorker";

listen(globalThis as unknown as Scope);
