import { vi } from "vitest";

// The files of a worker run in one process: a process for each took three times as long. What one file leaves behind,
// the next one doesn't find.
vi.resetModules();
vi.restoreAllMocks();
vi.unstubAllGlobals();
vi.unstubAllEnvs();
vi.useRealTimers();
