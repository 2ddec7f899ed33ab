/**
 * What an API key may not do: decision 87 and docs/decisions/0086. A test key sees and uses the test wallet only, another one may be
 * limited to some wallets; both are its scope. A read-only key changes nothing. A key with ranges is refused from other addresses.
 * Pure.
 */

import { rangesContain, readCidr } from '../../core/cidr.ts'
import type { WalletId } from '../../core/ids.ts'

export type KeyLimits = {
  readonly isTest: boolean
  readonly readOnly: boolean
  /** Those of a test key are the test wallet. Null: all wallets, also later ones. */
  readonly wallets: readonly WalletId[] | null
  /** Ranges of addresses; null: everywhere. */
  readonly addresses: readonly string[] | null
}

export const noLimits: KeyLimits = { isTest: false, readOnly: false, wallets: null, addresses: null }

/** Made once for each key that is loaded: a call compares an address only. */
export const allowsAddress = (addresses: readonly string[] | null): ((address: string) => boolean) => {
  if (addresses === null) return () => true
  return rangesContain(addresses.map(readCidr).filter((cidr) => typeof cidr !== 'string'))
}

/** Whether the second set of limits allows something that the first refuses. */
export const isLooser = (before: KeyLimits, after: KeyLimits): boolean => {
  const loses = <T>(had: readonly T[] | null, has: readonly T[] | null): boolean =>
    had !== null && (has === null || has.some((one) => !had.includes(one)))
  return (
    (before.readOnly && !after.readOnly) ||
    loses(before.wallets, after.wallets) ||
    loses(before.addresses, after.addresses)
  )
}

/** Limits as the audit log stores them. */
export const limitValues = ({ isTest, readOnly, wallets, addresses }: KeyLimits) => ({
  test: isTest,
  read_only: readOnly,
  wallets,
  addresses,
})
