/**
 * Chooses the amounts that the buyers of a batch of intents are asked for, none twice: of those that have rested longest
 * (`RESTS`) the smallest. Where none is free, the order's own amount: then only a reference verifies the intent. The caller holds
 * the locks of the wallets (`amountLocks`), so that what is held stays true until the intents are written. Pure.
 */
import { createHash } from 'node:crypto'
import type { WalletIdentity } from '../../core/ids.ts'
import type { Minor } from '../../core/money.ts'
import { RESTS, type UniqueAmounts, uniqueAmounts } from './unique-amounts.ts'

export type AmountRequest = {
  /** The real wallet. */
  readonly identity: WalletIdentity
  readonly base: Minor
  readonly setting: UniqueAmounts
}

/** An amount of a real wallet, as a key of sets and maps. */
export const amountKey = (identity: WalletIdentity, amount: Minor): string => `${identity} ${amount}`

/** All amounts that these requests may get, each once. */
export const candidatesOf = <R extends AmountRequest>(
  requests: readonly R[],
): { readonly request: R; readonly amount: Minor }[] => {
  const candidates = new Map<string, { readonly request: R; readonly amount: Minor }>()
  for (const request of requests)
    for (const amount of uniqueAmounts(request.base, request.setting))
      candidates.set(amountKey(request.identity, amount), { request, amount })
  return [...candidates.values()]
}

/** In the order of the requests. `classes`: `restClass` of amounts by their keys; one that is not there was not asked for lately. */
export const chooseAmounts = (requests: readonly AmountRequest[], classes: ReadonlyMap<string, number>): Minor[] => {
  const known = new Map(classes)
  return requests.map(({ identity, base, setting }) => {
    let chosen = base
    let best = RESTS.length
    for (const amount of uniqueAmounts(base, setting)) {
      const of = known.get(amountKey(identity, amount)) ?? 0
      if (of < best) [chosen, best] = [amount, of]
      if (best === 0) break
    }
    known.set(amountKey(identity, chosen), RESTS.length)
    return chosen
  })
}

const amountsLock = (identity: WalletIdentity): bigint =>
  createHash('sha256').update(`amounts ${identity}`).digest().readBigInt64BE()

/** The amounts of a real wallet are chosen by one transaction at a time. Sorted, so that two batches cannot deadlock. */
export const amountLocks = (identities: Iterable<WalletIdentity>): bigint[] =>
  [...new Set(identities)].map(amountsLock).sort((a, b) => (a < b ? -1 : Number(a > b)))
