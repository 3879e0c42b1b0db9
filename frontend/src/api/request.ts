import { endpoint, forgetEndpoint } from "./endpoint";
import { ApiError, asApiError } from "./error";
import type { ApiErrorBody } from "./types";

export type RequestOptions = { body?: unknown; keepalive?: boolean; signal?: AbortSignal; timeoutMs?: number };

/** One request to the hub. Every failure is an ApiError. */
export async function request<T>(method: string, path: string, { body, keepalive, signal, timeoutMs = 20_000 }: RequestOptions = {}): Promise<T> {
  const late = AbortSignal.timeout(timeoutMs);
  let res: Response;
  try {
    const { url, token } = await endpoint();
    const headers: Record<string, string> = {};
    if (body !== undefined) headers["Content-Type"] = "application/json";
    if (token) headers.Authorization = `Bearer ${token}`;
    res = await fetch(url + path, {
      method, headers, keepalive, signal: signal ? AbortSignal.any([signal, late]) : late,
      credentials: token ? "omit" : "same-origin", body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (err) {
    if (signal?.aborted) throw err;
    forgetEndpoint();
    throw asApiError(err);
  }
  if (res.status === 204) return undefined as T;
  const text = await res.text().catch(() => "");
  if (res.ok) {
    try { return JSON.parse(text) as T; } catch { throw new ApiError({ code: "BAD_ANSWER", message: `${path}: the answer is not JSON` }, res.status); }
  }
  throw new ApiError(errorBody(text, res), res.status);
}

function errorBody(text: string, res: Response): ApiErrorBody {
  try {
    const got = (JSON.parse(text) as { error?: ApiErrorBody }).error;
    if (got?.code) return got;
  } catch { /* not ours: a proxy, or nothing at all */ }
  return { code: res.status === 401 ? "UNAUTHORIZED" : "BAD_ANSWER", message: `${res.status} ${res.statusText}`.trim() };
}
