/**
 * Chooses the amounts that the buyers of a batch of intents are asked for, none twice (`chooseAmount`). Where none is free, the order's own amount: then only a reference verifies the intent. The caller holds
 * the locks of the wallets (`amountLocks`), so that what is held stays true until the intents are written. Pure.
 */
import { createHash } from 'node:crypto'
import type { WalletIdentity } from '../../core/ids.ts'
import type { Minor } from '../../core/money.ts'
import { type OpenAmount, OpenAmounts } from './open-amounts.ts'
import { chooseAmount, RESTS, type UniqueAmounts, uniqueAmounts } from './unique-amounts.ts'

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

/**
 * In the order of the requests. `classes`: `restClass` of amounts by their keys; one that is not there was not asked for lately.
 * `open`: what the open intents of these wallets ask for.
 */
export const chooseAmounts = (
  requests: readonly AmountRequest[],
  classes: ReadonlyMap<string, number>,
  open: Iterable<OpenAmount & { readonly identity: WalletIdentity }> = [],
): Minor[] => {
  const known = new Map(classes)
  const openOf = new Map(requests.map(({ identity }) => [identity, new OpenAmounts()]))
  for (const one of open) openOf.get(one.identity)?.add(one)
  return requests.map(({ identity, base, setting }) => {
    const others = openOf.get(identity)!
    const chosen =
      chooseAmount(
        uniqueAmounts(base, setting),
        (amount) => known.get(amountKey(identity, amount)) ?? 0,
        (payable) => others.isNear({ base, payable }),
      ) ?? base
    known.set(amountKey(identity, chosen), RESTS.length)
    others.add({ base, payable: chosen })
    return chosen
  })
}

const amountsLock = (identity: WalletIdentity): bigint =>
  createHash('sha256').update(`amounts ${identity}`).digest().readBigInt64BE()

/** The amounts of a real wallet are chosen by one transaction at a time. Sorted, so that two batches cannot deadlock. */
export const amountLocks = (identities: Iterable<WalletIdentity>): bigint[] =>
  [...new Set(identities)].map(amountsLock).sort((a, b) => (a < b ? -1 : Number(a > b)))
