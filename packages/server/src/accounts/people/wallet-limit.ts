/**
 * The wallets that a member was given (docs/decisions/0087): some, or all (null). An empty list is none. An owner always has all.
 * Pure.
 */
import type { WalletId } from '../../core/ids.ts'

export type GivenWallets = readonly WalletId[] | null

/** As a statement returns them: a JSON array. */
export const walletsIn = (json: string | null): GivenWallets =>
  json === null ? null : (JSON.parse(json) as WalletId[])

/** Whether the second list has a wallet that the first does not have. */
export const hasMoreWallets = (before: GivenWallets, after: GivenWallets): boolean =>
  before !== null && (after === null || after.some((id) => !before.includes(id)))

export const sameWallets = (one: GivenWallets, other: GivenWallets): boolean =>
  !hasMoreWallets(one, other) && !hasMoreWallets(other, one)
