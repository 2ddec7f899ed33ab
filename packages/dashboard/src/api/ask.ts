/**
 * Questions and changes as screens use them: a question is kept and asked anew when the live stream says that what it
 * shows has changed; a change asks anew whatever it touched. An answer is put on the screen piece by piece, so that a
 * long one holds up neither a key nor a touch.
 */
import type { ThingKind } from '@sanad/contract/dashboard/stream'
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
import { type Answer, brought, type CallName, call, type ProblemAnswer, type Question } from './call.ts'

/** What a question shows: when one of these kinds changes, it is asked again. */
export type Kind = ThingKind

type Shown<Name extends CallName> = Pick<Question<Name>, 'path' | 'query' | 'body'> & {
  readonly kinds?: readonly Kind[]
  /** Left out: at once. */
  readonly when?: boolean
  /** Keeps showing the last answer while the next one is fetched: nothing jumps. */
  readonly keep?: boolean
  readonly every_ms?: number
}

/** As the next piece of work that may be interrupted; the answer to another question never stands in for this one's. */
const useUnhurried = <T>(key: string, answer: T): T => {
  const now = useMemo(() => ({ key, answer }), [key, answer])
  const later = useDeferredValue(now)
  return later.key === key ? later.answer : answer
}

type Told = 'data' | 'error' | 'isPending' | 'isLoading' | 'isError'
type Part<T> = T extends Record<Told, unknown> ? Pick<T, Told> : never
type Asked<T> = Part<UseQueryResult<T, ProblemAnswer>> & { readonly refetch: () => Promise<unknown> }

export const useAsk = <Name extends CallName>(name: Name, shown: Shown<Name> = {}): Asked<Answer<Name>> => {
  const { path, query, body, kinds = [], when = true, keep = false, every_ms } = shown
  // With a body: a question too long for an address, that changes nothing.
  const queryKey = [name, path ?? null, query ?? null, ...(body === undefined ? [] : [body])]
  const question = {
    ...(path === undefined ? {} : { path }),
    ...(query === undefined ? {} : { query }),
    ...(body === undefined ? {} : { body }),
  }
  const { data, error, isPending, isLoading, isError, refetch } = useQuery<Answer<Name>, ProblemAnswer>({
    queryKey,
    queryFn: ({ signal }) => call(name, { ...question, signal }),
    initialData: () => (when ? brought(name, question) : undefined),
    meta: { kinds },
    enabled: when,
    ...(keep ? { placeholderData: keepPreviousData } : {}),
    ...(every_ms === undefined ? {} : { refetchInterval: every_ms }),
  })
  const answer = useMemo(
    () => ({ data, error, isPending, isLoading, isError, refetch }) as Asked<Answer<Name>>,
    [data, error, isPending, isLoading, isError, refetch],
  )
  const unhurried = useUnhurried(hashKey(queryKey), answer)
  // What is gone goes at once: nobody who signed out looks at what they saw, or asks for it again.
  return data === undefined ? answer : unhurried
}

/** The calls whose answer is a page with a cursor to the next. */
type Paged<Name extends CallName> =
  Answer<Name> extends { readonly next: string | null; readonly results: (infer Row)[] } ? Row : never

/** A list that grows as one asks for more: all the rows that were fetched, and how to fetch the next ones. */
export const useRows = <Name extends CallName>(
  name: Name,
  shown: Omit<Shown<Name>, 'body' | 'keep' | 'every_ms'> = {},
) => {
  const { path, query, kinds = [], when = true } = shown
  const queryKey = [name, path ?? null, query ?? null, 'rows']
  type Piece = { next: string | null; results: Paged<Name>[] }
  const question = path === undefined ? {} : { path }
  const pages = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      call(name, {
        ...question,
        query: { ...query, ...(pageParam === '' ? {} : { after: pageParam }) },
        signal,
      }) as Promise<Piece>,
    initialData: () => {
      const first = when ? brought(name, { ...question, query: { ...query } }) : undefined
      return first === undefined ? undefined : { pages: [first as Piece], pageParams: [''] }
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    // Asking anew fetches every page again: a list that was scrolled far is cut first.
    maxPages: 20,
    meta: { kinds },
    enabled: when,
  })
  const unhurried = useUnhurried(hashKey(queryKey), pages.data)
  const data = pages.data === undefined ? undefined : unhurried
  return {
    rows: data?.pages.flatMap(({ results }) => results),
    problem: pages.error as ProblemAnswer | null,
    more: pages.hasNextPage ? () => void pages.fetchNextPage() : undefined,
    busy: pages.isFetchingNextPage,
    again: () => void pages.refetch(),
  }
}

export const useChange = <Name extends CallName>(name: Name, touches: readonly Kind[]) => {
  const client = useQueryClient()
  return useMutation<Answer<Name>, ProblemAnswer, Question<Name>>({
    mutationFn: (question) => call(name, question),
    onSuccess: () => refresh(client, touches),
  })
}

type Client = ReturnType<typeof useQueryClient>

/** Asks again whatever shows one of these kinds. */
export const refresh = (client: Client, kinds: readonly Kind[]): Promise<void> =>
  client.invalidateQueries({
    predicate: ({ meta }) => ((meta?.kinds ?? []) as readonly Kind[]).some((kind) => kinds.includes(kind)),
  })
