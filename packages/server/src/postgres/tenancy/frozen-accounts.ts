/**
 * Which accounts are not used here, as this process last read it, within a second (clock/pulse.ts): frozen ones, whose calls are answered
 * with 503, and those that are used in another cell, whose calls are forwarded to it (http/forward/). That nothing of them is written here
 * does not depend on it: the triggers refuse (guard-tables.ts).
 */
import type { AccountId } from '../../core/ids.ts'
import type { Pulse } from '../clock/pulse.ts'

/** Why an account is not used here. `movedTo`: the origin of the cell in which it is used. */
export type AccountPlace = 'frozen' | { readonly movedTo: string }

export type FrozenAccounts = {
  /** Undefined: the account is used here. */
  placeOf(accountId: string): AccountPlace | undefined
  /** The origins of the cells to which accounts have moved, each once. */
  cells(): readonly string[]
  /** `listener` is called once for each account that moves from now on. */
  onMoved(listener: (accountId: AccountId) => void): void
}

const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text && /^https?:/.test(text)

export const followFrozenAccounts = (pulse: Pick<Pulse, 'follow'>): FrozenAccounts => {
  let places: ReadonlyMap<string, AccountPlace> = new Map()
  let cells: readonly string[] = []
  const listeners: ((accountId: AccountId) => void)[] = []
  // While the database does not answer, no call is answered from it either.
  pulse.follow((read) => {
    if (read.frozen.length === 0 && read.moved.length === 0 && places.size === 0) return
    const moved = read.moved.filter(({ origin }) => isOrigin(origin))
    const before = places
    places = new Map<string, AccountPlace>([
      ...read.frozen.map((id) => [id, 'frozen'] as const),
      ...moved.map(({ accountId, origin }) => [accountId, { movedTo: origin }] as const),
    ])
    cells = [...new Set(moved.map(({ origin }) => origin))].sort()
    for (const { accountId } of moved)
      if (typeof before.get(accountId) !== 'object') for (const listener of listeners) listener(accountId)
  })
  return {
    placeOf: (accountId) => (places.size === 0 ? undefined : places.get(accountId)),
    cells: () => cells,
    onMoved: (listener) => void listeners.push(listener),
  }
}
