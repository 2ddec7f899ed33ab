/**
 * The position of a list that a tool polls: with `after`, the rows after that position, oldest first; without it, the newest page.
 * Each answer has the position for the next call. A row can be committed a little after a row with a later id. So the position
 * stays some seconds behind: a row can come twice, but none is left out. The tool drops repeated rows by their id.
 */
import type { Instant } from '../../core/clock.ts'
import { firstIdAt } from '../../core/ids.ts'

const overlap_ms = 10_000

/** The position for the next call: the last row of a full page, but never newer than the overlap, and never before `after`. */
export const nextPosition = (
  { after, page_size: size }: { readonly after: string | undefined; readonly page_size: number },
  found: readonly { readonly id: string }[],
  now: Instant,
): string => {
  const behind = firstIdAt(now - overlap_ms)
  if (after === undefined) return behind
  const last = found.length === size ? found.at(-1)!.id : behind
  const position = last < behind ? last : behind
  return position > after ? position : after
}
