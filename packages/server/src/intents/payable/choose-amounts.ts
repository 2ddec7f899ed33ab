/**
 * Chooses the amounts that the buyers of a batch of intents are asked for, none twice: each the smallest that has rested long, or
 * else the smallest that is free. Where none is free, the order's own amount: then only a reference verifies the intent. The caller
 * holds the locks of the wallets (`amountLocks`), so that the list of held amounts stays true until the intents are written. Pure.
 */
import { createHash } from 'node:crypto'
import type { WalletIdentity } from '../../core/ids.ts'
import type { Minor } from '../../core/money.ts'
import { type UniqueAmounts, uniqueAmounts } from './unique-amounts.ts'

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

/** In the order of the requests. `held`: keys of amounts that cannot be given. `resting`: of those that were given not long ago. */
export const chooseAmounts = (
  requests: readonly AmountRequest[],
  held: ReadonlySet<string>,
  resting: ReadonlySet<string> = new Set(),
): Minor[] => {
  const taken = new Set(held)
  return requests.map(({ identity, base, setting }) => {
    const free = uniqueAmounts(base, setting).filter((amount) => !taken.has(amountKey(identity, amount)))
    const chosen = free.find((amount) => !resting.has(amountKey(identity, amount))) ?? free[0] ?? base
    taken.add(amountKey(identity, chosen))
    return chosen
  })
}

const amountsLock = (identity: WalletIdentity): bigint =>
  createHash('sha256').update(`amounts ${identity}`).digest().readBigInt64BE()

/** The amounts of a real wallet are chosen by one transaction at a time. Sorted, so that two batches cannot deadlock. */
export const amountLocks = (identities: Iterable<WalletIdentity>): bigint[] =>
  [...new Set(identities)].map(amountsLock).sort((a, b) => (a < b ? -1 : Number(a > b)))
