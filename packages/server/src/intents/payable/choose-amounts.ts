/**
 * Chooses the unique amounts of a batch of intents, none twice (`chooseAmount`). If no amount is free, the intent keeps the
 * order's own amount, and only a reference verifies it. The caller holds the locks of the wallets (`amountLocks`), so that no
 * other transaction takes an amount before the intents are written. Pure.
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
 * The amounts, in the order of the requests. `classes`: `restClass` by `amountKey`; a missing amount was not used lately.
 * `open`: the amounts of the open intents of these wallets.
 */
export const chooseAmounts = (
  requests: readonly AmountRequest[],
  classes: ReadonlyMap<string, number>,
  open: Iterable<OpenAmount & { readonly identity: WalletIdentity }> = [],
): Minor[] => {
  const classOf = new Map(classes)
  const openOf = new Map(requests.map(({ identity }) => [identity, new OpenAmounts()]))
  for (const amount of open) openOf.get(amount.identity)?.add(amount)
  return requests.map(({ identity, base, setting }) => {
    const others = openOf.get(identity)!
    const chosen =
      chooseAmount(
        uniqueAmounts(base, setting),
        (amount) => classOf.get(amountKey(identity, amount)) ?? 0,
        (payable) => others.isNear({ base, payable }),
      ) ?? base
    classOf.set(amountKey(identity, chosen), RESTS.length)
    others.add({ base, payable: chosen })
    return chosen
  })
}

const amountsLock = (identity: WalletIdentity): bigint =>
  createHash('sha256').update(`amounts ${identity}`).digest().readBigInt64BE()

/** The locks under which amounts of real wallets are chosen. Sorted, so that two batches cannot deadlock. */
export const amountLocks = (identities: Iterable<WalletIdentity>): bigint[] => [
  ...new BigInt64Array([...new Set(identities)].map(amountsLock)).sort(),
]
