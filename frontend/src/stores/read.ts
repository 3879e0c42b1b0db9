import {
  hashKey,
  type InfiniteData,
  keepPreviousData,
  QueryClient,
  useInfiniteQuery,
  useQuery,
} from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { asApiError, type ApiError } from "./faults";

// The stream tells when something has changed and when the hub is back, so the client reads nothing again unasked. It
// forgets what no part of the page shows.
const client = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      networkMode: "always",
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      gcTime: 0,
    },
  },
});

type Key = readonly (string | number | boolean | undefined)[];
type What = {
  /** Names what is read. Another key reads something else. */ key: Key;
  /** Facts that what was read rests on: it is read again when one of them changes, and stays until then. */ on?: Key;
  /** False while there is nothing to read. */ when?: boolean;
  /** Shows what the previous key brought until the answer for this one is here. */ keep?: boolean;
};

export type Read<T> = {
  data?: T;
  error?: ApiError;
  /** Whether the data belong to the key, and not to the one before. */ current: boolean;
  /** Reads again. What was read stays until the answer is here. */ again: () => void;
};

const failed = (e: unknown) => {
  throw asApiError(e);
};

/**
 * Reads again. A first read that is on its way can bring what is already old: it is shown, and then read again. A plain
 * refetch would only join it.
 */
async function readAgain(hash: string, refetch: () => Promise<unknown>): Promise<void> {
  const is = client.getQueryCache().get(hash)?.state;
  if (is?.fetchStatus === "fetching" && is.data === undefined) await refetch();
  await refetch();
}

/** Calls `again` when a fact changes, but not for a new key, which is read anyway, and never unless `when`. */
function useAgainWhen(key: Key, on: Key, when: boolean, again: () => Promise<unknown>): void {
  const of = hashKey(key),
    facts = JSON.stringify(on),
    latest = useRef({ of, facts });
  useEffect(() => {
    const had = latest.current;
    latest.current = { of, facts };
    if (when && had.of === of && had.facts !== facts) void readAgain(of, again);
  }, [of, facts, when, again]);
}

const numbers = new WeakMap<object, number>();
let given = 0;

/** A number that stands for an object in a key, where its content is too large for one. */
export function keyOf(o: object): number {
  const n = numbers.get(o) ?? ++given;
  numbers.set(o, n);
  return n;
}

type ReadOne<T> = What & {
  /** Rejects with whatever went wrong. The signal is aborted when nobody waits for the answer any more. */
  read: (signal: AbortSignal) => Promise<T>;
  /** What the key names never changes, so it is read once and remembered for a while. */ fixed?: boolean;
};

/** Reads something from the hub while a component shows it. */
export function useRead<T>({ key, on = [], when = true, keep, fixed, read }: ReadOne<T>): Read<T> {
  const { data, error, isPlaceholderData, refetch } = useQuery<T, ApiError>(
    {
      queryKey: key,
      queryFn: ({ signal }) => read(signal).catch(failed),
      enabled: when,
      placeholderData: keep ? keepPreviousData : undefined,
      ...(fixed && { staleTime: Infinity, gcTime: 300_000 }),
    },
    client,
  );
  useAgainWhen(key, on, when, refetch);
  return {
    data: when ? data : undefined,
    error: (when && error) || undefined,
    current: when && data !== undefined && !isPlaceholderData,
    again: () => void readAgain(hashKey(key), refetch),
  };
}

type Page<T> = { list: T[]; more: boolean };

export type ReadPages<T> = {
  list: T[];
  /** Whether older ones are left. */ more: boolean;
  /** False until the first page is here. */ ready: boolean;
  error?: ApiError;
  /** Whether older ones are on their way. */ busy: boolean;
  older: () => void;
  again: () => void;
  /** Changes what was read, after the hub was told so. */ change: (change: (had: T) => T) => void;
};

/** Reads a list from the hub page by page, the newest first. `read` gets the last one that is here already. */
export function useReadPages<T>({
  key,
  on = [],
  when = true,
  keep,
  read,
}: What & { read: (last: T | undefined, signal: AbortSignal) => Promise<Page<T>> }): ReadPages<T> {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery<
    Page<T>,
    ApiError,
    InfiniteData<Page<T>>,
    Key,
    T | undefined
  >(
    {
      queryKey: key,
      queryFn: ({ pageParam, signal }) => read(pageParam as T | undefined, signal).catch(failed),
      initialPageParam: undefined,
      getNextPageParam: (page) => (page.more ? page.list.at(-1) : undefined),
      enabled: when,
      placeholderData: keep ? keepPreviousData : undefined,
    },
    client,
  );
  useAgainWhen(key, on, when, refetch);
  return {
    list: (when && data?.pages.flatMap((p) => p.list)) || [],
    more: when && hasNextPage,
    ready: when && data !== undefined,
    error: (when && error) || undefined,
    busy: isFetchingNextPage,
    older: () => void fetchNextPage(),
    again: () => void readAgain(hashKey(key), refetch),
    change: (change) =>
      client.setQueryData<InfiniteData<Page<T>>>(
        key,
        (had) => had && { ...had, pages: had.pages.map((p) => ({ ...p, list: p.list.map(change) })) },
      ),
  };
}
