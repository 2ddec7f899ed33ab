/**
 * Which accounts are not used here, as this process last read it: frozen ones, whose calls are answered with 503, and those that are
 * used in another cell, whose calls are forwarded to it (http/forward/). That nothing of them is written here does not depend on it:
 * the triggers refuse (guard-tables.ts).
 */
import type { AccountId } from '../../core/ids.ts'
import type { Db } from '../connection/database.ts'
import { frozenAccounts } from './freeze-sql.ts'
import { switchedAccounts } from './move-sql.ts'

/** Why an account is not used here. `movedTo`: the origin of the cell in which it is used. */
export type AccountPlace = 'frozen' | { readonly movedTo: string }

export type FrozenAccounts = {
  /** Undefined: the account is used here. */
  placeOf(accountId: string): AccountPlace | undefined
  /** The origins of the cells to which accounts have moved, each once. */
  cells(): readonly string[]
  /** `listener` is called once for each account that moves from now on. */
  onMoved(listener: (accountId: AccountId) => void): void
  stop(): Promise<void>
}

const every_ms = 1_000

const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text && /^https?:/.test(text)

export const watchFrozenAccounts = async (db: Db): Promise<FrozenAccounts> => {
  let places: ReadonlyMap<string, AccountPlace> = new Map()
  let cells: readonly string[] = []
  const listeners: ((accountId: AccountId) => void)[] = []
  let reading: Promise<void> | undefined
  const read = async (): Promise<void> => {
    // The moved ones first: one that switches meanwhile is still frozen, and not used here for a moment.
    const moved = (await switchedAccounts(db)).filter(({ origin }) => isOrigin(origin))
    const frozen = await frozenAccounts(db)
    const before = places
    places = new Map<string, AccountPlace>([
      ...frozen.map(({ account_id }) => [account_id, 'frozen'] as const),
      ...moved.map(({ account_id, origin }) => [account_id, { movedTo: origin }] as const),
    ])
    cells = [...new Set(moved.map(({ origin }) => origin))].sort()
    for (const { account_id } of moved)
      if (typeof before.get(account_id) !== 'object') for (const listener of listeners) listener(account_id)
  }
  await read()
  // While the database does not answer, no call is answered from it either.
  const timer = setInterval(() => {
    reading ??= read()
      .catch(() => {})
      .finally(() => {
        reading = undefined
      })
  }, every_ms)
  timer.unref()
  return {
    placeOf: (accountId) => (places.size === 0 ? undefined : places.get(accountId)),
    cells: () => cells,
    onMoved: (listener) => void listeners.push(listener),
    async stop() {
      clearInterval(timer)
      await reading
    },
  }
}
