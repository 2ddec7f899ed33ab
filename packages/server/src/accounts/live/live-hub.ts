/**
 * Sends hints to open dashboards: the kind and the id of what changed, never data. Listeners on this node get a hint at once,
 * other nodes get it over the channel. The last hints of each account are kept for listeners whose connection broke. If a
 * listener may have missed more than these, it gets a reset and loads everything again.
 *
 * A hint has the same id on all nodes. Hints of several nodes may arrive in another order than they were made, so a listener
 * that returns also gets those of a few seconds before the last one it saw. Getting a hint twice does no harm.
 */
import { LRUCache } from 'lru-cache'
import type { Clock, Instant } from '../../core/clock.ts'
import { type AccountId, timeOrderedId } from '../../core/ids.ts'
import { isObjectKind, type ObjectKind } from '../people/visible-kinds.ts'

/** `kind` null: only marks a position. `objectId` empty: several objects. */
export type Hint = { readonly id: string; readonly kind: ObjectKind | null; readonly objectId: string }

export type Listener = {
  hint(hint: Hint): void
  /** Hints may have been missed: load everything again. */
  reset(id: string): void
}

export type Listening = {
  /** The position from which to continue later. */
  readonly from: string
  /** The hints since `after`; undefined: no longer known. */
  readonly missed: readonly Hint[] | undefined
  leave(): void
}

/** `id` empty: several objects. */
export type FollowHints = (
  accountId: AccountId | null,
  change: { readonly kind: ObjectKind; readonly id: string },
) => void

export type LiveHub = {
  /** Called after the commit. Account null: the hint is for every account. */
  sendHint(accountId: AccountId | null, change: { readonly kind: ObjectKind; readonly id: string }): void
  /** The position of a listener who has loaded everything and will listen in a moment. */
  position(accountId: AccountId): string
  /** `after`: the last hint that the listener saw, if any. */
  listen(accountId: AccountId, after: string | undefined, listener: Listener): Listening
  /** A payload from another node. */
  receive(payload: string): void
  /** Payloads of other nodes were lost. */
  forgetAll(): void
}

/** The channel on which nodes send each other hints. */
export const liveChannel = 'sanad_live'

const everyone = '*'

export const newHint = (change: { readonly kind: ObjectKind; readonly id: string }, now: Instant): Hint => ({
  id: timeOrderedId(now),
  kind: change.kind,
  objectId: change.id,
})

/** A hint as a payload for other nodes; `receive` parses it. */
export const hintPayload = (accountId: AccountId | null, { id, kind, objectId }: Hint): string =>
  `${accountId ?? everyone} ${id} ${kind} ${objectId}`

const mostAccounts = 500
const mostHints = 500
/** How far hints of several nodes may be out of order. */
const disorder_ms = 5_000

const timeIn = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

export const liveHub = (deps: {
  readonly clock: Clock
  readonly notify: (payload: string) => void
  /** Called for each hint, of this node and of others. Account null: the hint is for every account. */
  readonly onHint?: FollowHints
}): LiveHub => {
  const { clock, notify } = deps
  const history = new LRUCache<string, Hint[]>({ max: mostAccounts })
  const listeners = new Map<string, Set<Listener>>()

  const keep = (hints: Hint[], hint: Hint): void => {
    hints.push(hint)
    // Trimmed only when there are twice as many: removing from the front moves all the others.
    if (hints.length >= 2 * mostHints) hints.splice(0, hints.length - mostHints)
  }

  const hintsOf = (accountId: string): Hint[] => {
    const known = history.get(accountId)
    if (known !== undefined) return known
    const hints: Hint[] = []
    history.set(accountId, hints)
    return hints
  }

  const publish = (account: string, hint: Hint): void => {
    if (hint.kind !== null)
      deps.onHint?.(account === everyone ? null : (account as AccountId), { kind: hint.kind, id: hint.objectId })
    if (account === everyone) {
      for (const hints of history.values()) keep(hints, hint)
      for (const all of listeners.values()) for (const listener of all) listener.hint(hint)
      return
    }
    keep(hintsOf(account), hint)
    for (const listener of listeners.get(account) ?? []) listener.hint(hint)
  }

  /** Adds a position that carries no hint. */
  const addPosition = (hints: Hint[]): string => {
    const position: Hint = { id: timeOrderedId(clock.now()), kind: null, objectId: '' }
    keep(hints, position)
    return position.id
  }

  /** The position of a new listener: the last hint, or a new position. */
  const positionIn = (hints: Hint[]): string => {
    const last = hints.at(-1)
    return last === undefined ? addPosition(hints) : last.id
  }

  /** The hints after `after`; undefined: no longer known. */
  const since = (hints: readonly Hint[], after: string): Hint[] | undefined => {
    const at = hints.findLastIndex((hint) => hint.id === after)
    if (at < 0) return undefined
    // A position (kind null) is known only to the node that made it, and its listener has everything that came before it.
    const from_ms = hints[at]!.kind === null ? Number.POSITIVE_INFINITY : timeIn(after) - disorder_ms
    return hints.filter((hint, i) => hint.kind !== null && (i > at || (i < at && timeIn(hint.id) >= from_ms)))
  }

  return {
    sendHint(accountId, change) {
      const hint = newHint(change, clock.now())
      publish(accountId ?? everyone, hint)
      notify(hintPayload(accountId, hint))
    },

    position(accountId) {
      const hints = hintsOf(accountId)
      const last = hints.at(-1)
      return last?.kind === null ? last.id : addPosition(hints)
    },

    listen(accountId, after, listener) {
      const hints = hintsOf(accountId)
      const missed = after === undefined ? [] : since(hints, after)
      const all = listeners.get(accountId) ?? new Set()
      all.add(listener)
      listeners.set(accountId, all)
      return {
        from: positionIn(hints),
        missed,
        leave() {
          all.delete(listener)
          if (all.size === 0 && listeners.get(accountId) === all) listeners.delete(accountId)
        },
      }
    },

    receive(payload) {
      const [account = '', id = '', kind = '', objectId = ''] = payload.split(' ')
      // A node of another version may send kinds that this one does not know.
      if (isObjectKind(kind)) publish(account, { id, kind, objectId })
    },

    forgetAll() {
      history.clear()
      for (const [accountId, all] of listeners) {
        const position = positionIn(hintsOf(accountId))
        for (const listener of all) listener.reset(position)
      }
    },
  }
}
