/**
 * Reads the query of a list that a tool polls: with `after`, the rows after that position, oldest first; without it, the
 * newest page. Each answer has the position for the next call. A row can be committed a little after a row with a later
 * id. So the position stays some seconds behind: a row can come twice, but none is left out. The tool drops repeated rows by
 * their id.
 */
import type { FastifyRequest } from 'fastify'
import type { Instant } from '../../core/clock.ts'
import { firstIdAt } from '../../core/ids.ts'
import { invalid } from '../answers.ts'
import { uuidOfText } from '../body/uuid.ts'
import type { KnownParameters } from '../hints/query-hint.ts'
import { lastValues } from '../query/parameters.ts'
import { readWholeNumber } from '../query/whole-number.ts'

const usualPage = 50
const largestPage = 200
const overlap_ms = 10_000

/** The parameters of a list that a tool polls. */
export const feedParameters: KnownParameters = { names: ['after', 'page_size'], sizes: [usualPage, largestPage] }

export type FeedQuery = { readonly after: string | undefined; readonly size: number }

export const readFeedQuery = (request: FastifyRequest): FeedQuery => {
  const sent = lastValues(request.raw.url ?? '')
  const text = sent.get('after') || undefined
  const after = text === undefined ? undefined : uuidOfText(text)
  if (text !== undefined && after === undefined)
    throw invalid([{ code: 'invalid', detail: 'This is no "next" of an answer.', attr: 'after' }])
  const size = readWholeNumber(sent.get('page_size') ?? '') ?? usualPage
  return { after, size: size < 1 ? usualPage : Math.min(size, largestPage) }
}

/** The position for the next call: the last row of a full page, but never newer than the overlap, and never before `after`. */
export const nextPosition = (
  { after, size }: FeedQuery,
  found: readonly { readonly id: string }[],
  now: Instant,
): string => {
  const behind = firstIdAt(now - overlap_ms)
  if (after === undefined) return behind
  const last = found.length === size ? found.at(-1)!.id : behind
  const position = last < behind ? last : behind
  return position > after ? position : after
}
