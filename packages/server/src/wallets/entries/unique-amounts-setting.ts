/**
 * Unique amounts of a wallet: changing the setting, and whether to suggest it. Every change increments the wallet's version, so
 * that other nodes check again before they create an intent for it. The caller opens the transaction and, after it, clears its
 * cache.
 */
import type { WalletId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import type { Tx } from '../../postgres/connection/database.ts'
import { lockUniqueAmounts, saveUniqueAmounts } from './unique-amounts-sql.ts'

export type StoredUniqueAmounts = { readonly direction: 'off' | 'more' | 'less'; readonly most: number }

/** Undefined: there is no such wallet. */
export const changeUniqueAmounts = async (
  tx: Tx,
  scope: Scope,
  id: WalletId,
  after: StoredUniqueAmounts,
): Promise<{ readonly before: StoredUniqueAmounts; readonly after: StoredUniqueAmounts } | undefined> => {
  const [row] = await lockUniqueAmounts(tx, scope, id)
  if (row === undefined) return undefined
  const before = { direction: row.unique_amounts, most: row.unique_amounts_most }
  if (before.direction !== after.direction || before.most !== after.most) await saveUniqueAmounts(tx, scope, id, after)
  return { before, after }
}

/** How many payments of a wallet carry no reference, and how many of its templates read none. */
export type ReferenceShare = {
  readonly credits: number
  readonly withoutReference: number
  readonly templates: number
  readonly templatesWithout: number
}

/** From so many payments on, the payments decide; before, the templates do. */
const enoughCredits = 5

/** True if at least half of the payments (or, while there are few, of the templates) have no reference, so that they match no
 *  intent by reference. Pure. */
export const suggestsUniqueAmounts = (
  wallet: { readonly uniqueAmounts: unknown; readonly isTest: boolean; readonly active: boolean },
  { credits, withoutReference, templates, templatesWithout }: ReferenceShare,
): boolean => {
  if (wallet.uniqueAmounts !== null || wallet.isTest || !wallet.active) return false
  return credits >= enoughCredits ? withoutReference * 2 >= credits : templates > 0 && templatesWithout * 2 >= templates
}
