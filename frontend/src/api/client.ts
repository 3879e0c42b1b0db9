import createClient from "openapi-fetch";
import { endpoint, forgetEndpoint } from "./endpoint";
import { ApiError, asApiError } from "./error";
import { pageKey, pageKeyHeader, setSignedOut } from "./login";
import type { paths } from "./schema";
import type { ApiErrorBody } from "./types";

/** Sends a request with this browser's login, and hears when there is none any more. */
async function asPage(prepared: Request): Promise<Response> {
  const key = pageKey();
  if (key) prepared.headers.set(pageKeyHeader, key);
  const answer = await fetch(prepared, { credentials: "same-origin" });
  if (answer.status === 401 && !prepared.url.endsWith("/api/login")) setSignedOut(true);
  return answer;
}

/** Sends what openapi-fetch prepared to where the hub is, with what opens it. */
async function send(prepared: Request): Promise<Response> {
  try {
    const { url, token } = await endpoint();
    const at = new URL(prepared.url);
    if (!token && url === at.origin) return await asPage(prepared);
    const { method, headers, signal, keepalive } = prepared;
    if (token) headers.set("Authorization", `Bearer ${token}`);
    // The text, not the Request: a copied Request streams its body, which browsers allow over HTTP/2 only.
    const body =
      method === "GET" || method === "DELETE"
        ? undefined
        : await (headers.get("Content-Type") === "application/octet-stream" ? prepared.blob() : prepared.text());
    return await fetch(url + at.pathname + at.search, {
      method,
      headers,
      signal,
      keepalive,
      credentials: "omit",
      body: body || undefined,
    });
  } catch (err) {
    if (!prepared.signal.aborted) forgetEndpoint();
    throw err;
  }
}

export const client = createClient<paths>({
  baseUrl: globalThis.location?.origin ?? "http://hub.invalid",
  fetch: send,
});

const usual = 20_000;
/** Gives up a request that takes too long; joins the caller's own signal. */
export function within(ms = usual, signal?: AbortSignal): AbortSignal {
  const late = AbortSignal.timeout(ms);
  return signal ? AbortSignal.any([signal, late]) : late;
}

type Answer<T> = { data?: T; error?: unknown; response: Response };

/** The result of a request. Every failure is an ApiError. */
export async function take<T>(answer: Promise<Answer<T>>): Promise<T> {
  let got: Answer<T>;
  try {
    got = await answer;
  } catch (err) {
    if (err instanceof SyntaxError) throw new ApiError({ code: "BAD_ANSWER", message: err.message }, 200);
    throw asApiError(err);
  }
  const { response, error, data } = got;
  if (response.ok) return data as T;
  const said = (error as { error?: ApiErrorBody } | undefined)?.error;
  throw new ApiError(
    said?.code
      ? said
      : {
          code: response.status === 401 ? "UNAUTHORIZED" : "BAD_ANSWER",
          message: `${response.status} ${response.statusText}`.trim(),
        },
    response.status,
  );
}
