/**
 * What changed a moment ago, for those who look: hints of kind and id, never data. Those of this node are told at once,
 * other nodes over the bell. The last hints of each account are kept for a while, so that somebody whose connection broke
 * can be told what came meanwhile; when that cannot be known for certain, they are told to look at everything again.
 *
 * A hint has one id everywhere, made where it happened. Hints of several nodes cross on their way: whoever returns gets
 * also those from a few seconds before the last one they saw. Hearing one twice does no harm.
 */
import { LRUCache } from 'lru-cache'
import type { Clock, Instant } from '../../core/clock.ts'
import { type AccountId, growingId } from '../../core/ids.ts'
import { isThingKind, type ThingKind } from '../audit/visible-kinds.ts'

/** `kind` null: a place in the line that says nothing. `thing`: its id; empty: several. */
export type Hint = { readonly id: string; readonly kind: ThingKind | null; readonly thing: string }

export type Listener = {
  hint(hint: Hint): void
  /** Something may have been missed. */
  reset(id: string): void
}

export type Listening = {
  /** From where to go on later. */
  readonly from: string
  /** What came since; undefined: that is not known any more. */
  readonly missed: readonly Hint[] | undefined
  leave(): void
}

export type LiveHub = {
  /** After the commit. Null: it concerns every account. */
  tell(accountId: AccountId | null, change: { readonly kind: ThingKind; readonly id: string }): void
  /** Where somebody stands who has seen everything until now, and will listen in a moment. */
  place(accountId: AccountId): string
  /** `after`: the last hint that was seen, if any. */
  listen(accountId: AccountId, after: string | undefined, listener: Listener): Listening
  /** A word from another node. */
  heard(word: string): void
  /** Words of other nodes were lost. */
  forgetAll(): void
}

/** Where nodes ring of hints. */
export const liveChannel = 'sanad_live'

const everyone = '*'

export const newHint = (change: { readonly kind: ThingKind; readonly id: string }, now: Instant): Hint => ({
  id: growingId(now),
  kind: change.kind,
  thing: change.id,
})

/** A hint as nodes tell it each other; `heard` reads it. */
export const hintWord = (accountId: AccountId | null, { id, kind, thing }: Hint): string =>
  `${accountId ?? everyone} ${id} ${kind} ${thing}`

const mostAccounts = 500
const mostHints = 500
/** How far hints of several nodes may lie apart. */
const crossing_ms = 5_000

const timeIn = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

export const liveHub = (deps: { readonly clock: Clock; readonly ring: (word: string) => void }): LiveHub => {
  const { clock, ring } = deps
  const lines = new LRUCache<string, Hint[]>({ max: mostAccounts })
  const listeners = new Map<string, Set<Listener>>()

  const keep = (line: Hint[], hint: Hint): void => {
    line.push(hint)
    // Not at every hint: moving the whole line costs.
    if (line.length >= 2 * mostHints) line.splice(0, line.length - mostHints)
  }

  const lineOf = (accountId: string): Hint[] => {
    const known = lines.get(accountId)
    if (known !== undefined) return known
    const line: Hint[] = []
    lines.set(accountId, line)
    return line
  }

  const spread = (account: string, hint: Hint): void => {
    if (account === everyone) {
      for (const line of lines.values()) keep(line, hint)
      for (const all of listeners.values()) for (const one of all) one.hint(hint)
      return
    }
    keep(lineOf(account), hint)
    for (const one of listeners.get(account) ?? []) one.hint(hint)
  }

  /** A place in the line that says nothing. */
  const newPlaceIn = (line: Hint[]): string => {
    const place: Hint = { id: growingId(clock.now()), kind: null, thing: '' }
    keep(line, place)
    return place.id
  }

  /** A place in the line for who comes now: the last hint, or one that says nothing. */
  const placeIn = (line: Hint[]): string => {
    const last = line.at(-1)
    return last === undefined ? newPlaceIn(line) : last.id
  }

  const since = (line: readonly Hint[], after: string): Hint[] | undefined => {
    const at = line.findLastIndex((hint) => hint.id === after)
    if (at < 0) return undefined
    // A place is known to the node alone that made it, in whose order nothing crossed: what was before has been seen.
    const from_ms = line[at]!.kind === null ? Number.POSITIVE_INFINITY : timeIn(after) - crossing_ms
    return line.filter((hint, i) => hint.kind !== null && (i > at || (i < at && timeIn(hint.id) >= from_ms)))
  }

  return {
    tell(accountId, change) {
      const hint = newHint(change, clock.now())
      spread(accountId ?? everyone, hint)
      ring(hintWord(accountId, hint))
    },

    place(accountId) {
      const line = lineOf(accountId)
      const last = line.at(-1)
      return last?.kind === null ? last.id : newPlaceIn(line)
    },

    listen(accountId, after, listener) {
      const line = lineOf(accountId)
      const missed = after === undefined ? [] : since(line, after)
      const all = listeners.get(accountId) ?? new Set()
      all.add(listener)
      listeners.set(accountId, all)
      return {
        from: placeIn(line),
        missed,
        leave() {
          all.delete(listener)
          if (all.size === 0 && listeners.get(accountId) === all) listeners.delete(accountId)
        },
      }
    },

    heard(word) {
      const [account = '', id = '', kind = '', thing = ''] = word.split(' ')
      // A node of another version may speak of things that this one does not know.
      if (isThingKind(kind)) spread(account, { id, kind, thing })
    },

    forgetAll() {
      lines.clear()
      for (const [accountId, all] of listeners) {
        const place = placeIn(lineOf(accountId))
        for (const one of all) one.reset(place)
      }
    },
  }
}
