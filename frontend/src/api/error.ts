import type { ApiErrorBody } from "./types";

/** What the hub answered instead of a result; code "UNREACHABLE" (status 0) when there was no answer. */
export class ApiError extends Error {
  readonly code: string;
  readonly status: number;
  readonly details: Record<string, unknown>;

  constructor(body: ApiErrorBody, status: number) {
    super(body.message);
    this.name = "ApiError";
    this.code = body.code;
    this.status = status;
    this.details = body.details ?? {};
  }

  get reason(): string {
    return typeof this.details.reason === "string" ? this.details.reason : "";
  }

  /** The same request may work later, without a change to it. */
  get temporary(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 502;
  }
}

export function asApiError(err: unknown): ApiError {
  if (err instanceof ApiError) return err;
  return new ApiError({ code: "UNREACHABLE", message: err instanceof Error ? err.message : String(err) }, 0);
}
