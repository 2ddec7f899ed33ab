/**
 * Hooks for the calls of the API. A query is cached, and fetched again when the live stream says that a kind of record it
 * shows has changed. A mutation refetches the kinds that it changed. Results are rendered as interruptible work, so that a
 * long one does not block input. While there is no connection a query keeps what it has; it is fetched again when the connection
 * is back (frame/frame.tsx).
 */
import type { ObjectKind } from '@sanad/contract/dashboard/stream'
import {
  hashKey,
  keepPreviousData,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useDeferredValue, useMemo } from 'react'
import {
  type AddressInput,
  type Answer,
  type Argument,
  type CallInput,
  type CallName,
  callWith,
  ProblemAnswer,
  preloaded,
} from './call.ts'
import { isConnected } from './connection.ts'

/** A kind of record: a query is fetched again when one of its kinds changes. */
export type Kind = ObjectKind

type ListOptions<Name extends CallName> = AddressInput<Name> & {
  readonly kinds?: readonly Kind[]
  /** False: the query waits. */
  readonly when?: boolean
}

type QueryOptions<Name extends CallName> = ListOptions<Name> & {
  readonly body?: CallInput<Name>['body']
  /** Shows the last result while the next one is fetched: the page does not jump. */
  readonly keep?: boolean
  readonly every_ms?: number
}

/** Defers the rendering of a result. The result of another query (another `key`) is never shown in its place. */
const useDeferredResult = <T>(key: string, result: T): T => {
  const current = useMemo(() => ({ key, result }), [key, result])
  const deferred = useDeferredValue(current)
  return deferred.key === key ? deferred.result : result
}

type UsedField = 'data' | 'error' | 'isPending' | 'isLoading' | 'isError'
type UsedPart<T> = T extends Record<UsedField, unknown> ? Pick<T, UsedField> : never
type ApiResult<T> = UsedPart<UseQueryResult<T, ProblemAnswer>> & { readonly refetch: () => Promise<unknown> }

export const useApi = <Name extends CallName>(
  name: Name,
  ...[options = {} as QueryOptions<Name>]: Argument<QueryOptions<Name>>
): ApiResult<Answer<Name>> => {
  const { path, query, body, kinds = [], when = true, keep = false, every_ms } = options
  // A query with a body: its parameters are too long for a URL, and it changes nothing.
  const queryKey = [name, path ?? null, query ?? null, ...(body === undefined ? [] : [body])]
  const input = {
    ...(path === undefined ? {} : { path }),
    ...(query === undefined ? {} : { query }),
    ...(body === undefined ? {} : { body }),
  }
  const { data, error, isPending, isLoading, isError, refetch } = useQuery<Answer<Name>, ProblemAnswer>({
    queryKey,
    queryFn: ({ signal }) => callWith(name, { ...input, reads: true, signal }),
    initialData: () => (when ? preloaded(name, input) : undefined),
    meta: { kinds },
    enabled: when,
    ...(keep ? { placeholderData: keepPreviousData } : {}),
    // While there is no connection nothing is fetched: connection.ts checks the service, with growing delays.
    ...(every_ms === undefined ? {} : { refetchInterval: () => (isConnected() ? every_ms : false) }),
  })
  const result = useMemo(() => {
    // Known data stays on the screen; the frame shows that there is no connection.
    const isKept = data !== undefined && error?.unanswered !== undefined
    const failure = isKept ? { error: null, isError: false } : { error, isError }
    return { data, ...failure, isPending, isLoading, refetch } as ApiResult<Answer<Name>>
  }, [data, error, isPending, isLoading, isError, refetch])
  const deferred = useDeferredResult(hashKey(queryKey), result)
  // Removed data disappears at once: after a sign-out it is neither shown nor refetched.
  return data === undefined ? result : deferred
}

/** The row type of a call that answers a page with a cursor to the next one. */
type RowOf<Name extends CallName> =
  Answer<Name> extends { readonly next: string | null; readonly results: (infer Row)[] } ? Row : never

/** A list with a cursor: all rows that were fetched so far, and a function that fetches the next page. */
export const usePagedList = <Name extends CallName>(
  name: Name,
  ...[options = {} as ListOptions<Name>]: Argument<ListOptions<Name>>
) => {
  const { path, query, kinds = [], when = true } = options
  const queryKey = [name, path ?? null, query ?? null, 'rows']
  type Page = { next: string | null; results: RowOf<Name>[] }
  const input = path === undefined ? {} : { path }
  const pages = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      callWith(name, {
        ...input,
        query: { ...query, ...(pageParam === '' ? {} : { after: pageParam }) },
        signal,
      }) as Promise<Page>,
    initialData: () => {
      const first = when ? preloaded(name, { ...input, query: { ...query } }) : undefined
      return first === undefined ? undefined : { pages: [first as Page], pageParams: [''] }
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    // A refetch fetches every page again: the first pages of a very long list are dropped.
    maxPages: 20,
    meta: { kinds },
    enabled: when,
  })
  const deferred = useDeferredResult(hashKey(queryKey), pages.data)
  const data = pages.data === undefined ? undefined : deferred
  return {
    rows: data?.pages.flatMap(({ results }) => results),
    problem: pages.error as ProblemAnswer | null,
    more: pages.hasNextPage ? () => void pages.fetchNextPage() : undefined,
    busy: pages.isFetchingNextPage,
    retry: () => void pages.refetch(),
  }
}

/** The acts that have limits, each with the call that asks a manager for it: it takes the same body. */
const askCalls: Readonly<Partial<Record<CallName, CallName>>> = {
  bookUnmatched: 'askBooking',
  bookOntoCopy: 'askBookingOntoCopy',
  takeSale: 'askSale',
  acceptPaid: 'askAcceptance',
  collectRest: 'askCollection',
  cancelIntent: 'askCancellation',
  cancelCheckout: 'askCheckoutCancellation',
}

/** `changes`: the kinds of records that the call changes. */
export const useApiMutation = <Name extends CallName>(name: Name, changes: readonly Kind[]) => {
  const client = useQueryClient()
  return useMutation<Answer<Name>, ProblemAnswer, CallInput<Name>>({
    mutationFn: (input) =>
      callWith(name, input).catch((problem) => {
        const ask = askCalls[name]
        if (ask !== undefined && problem instanceof ProblemAnswer && problem.has('over_limit'))
          problem.ask = async () => {
            await callWith(ask, input as never)
            await refetchKinds(client, ['request', ...changes])
          }
        throw problem
      }),
    onSuccess: () => refetchKinds(client, changes),
  })
}

type Client = ReturnType<typeof useQueryClient>

/** Fetches every query again that shows one of these kinds. */
export const refetchKinds = (client: Client, kinds: readonly Kind[]): Promise<void> =>
  client.invalidateQueries({
    predicate: ({ meta }) => ((meta?.kinds ?? []) as readonly Kind[]).some((kind) => kinds.includes(kind)),
  })
