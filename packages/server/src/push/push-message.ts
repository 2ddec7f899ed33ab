/**
 * What a device is sent: counts and sums by kind, and an id by which it recognises a message that comes twice. No payer, no
 * reference, no order, no text of a message. The words are added on the device, in the language of its dashboard. Pure.
 */
import { randomId } from '../core/ids.ts'
import { formatMinor, type Minor, minor } from '../core/money.ts'
import { pushKinds, type SentKind } from './push-kind.ts'

/** `currency` empty: a kind without amounts. */
export type PendingSum = {
  readonly kind: SentKind
  readonly currency: string
  readonly count: number
  readonly amount: Minor
}

type Group = {
  readonly kind: SentKind
  readonly count: number
  readonly sums: readonly { readonly currency: string; readonly amount: string }[]
}

export type PushMessage = { readonly v: 1; readonly id: string; readonly groups: readonly Group[] }

const order: readonly SentKind[] = ['notice', ...pushKinds, 'test']

export const composeMessage = (pending: readonly PendingSum[]): PushMessage => ({
  v: 1,
  id: randomId(),
  groups: order.flatMap((kind) => {
    const sums = pending.filter((one) => one.kind === kind)
    if (sums.length === 0) return []
    return {
      kind,
      count: sums.reduce((count, one) => count + one.count, 0),
      sums: sums.flatMap(({ currency, amount }) =>
        currency === '' ? [] : [{ currency, amount: formatMinor(amount) }],
      ),
    }
  }),
})

/**
 * What waits again if a message that was not sent gives way to another one. How many payments each currency had is not in a message:
 * the first currency gets what the others leave of the count, which is the same sum.
 */
export const pendingOfMessage = ({ groups }: PushMessage): PendingSum[] =>
  groups.flatMap(({ kind, count, sums }) => {
    if (sums.length === 0) return [{ kind, currency: '', count, amount: minor(0n) }]
    return sums.map(({ currency, amount }, index) => ({
      kind,
      currency,
      count: index === 0 ? count - (sums.length - 1) : 1,
      // As formatMinor wrote it: always with two decimals.
      amount: minor(BigInt(amount.replace('.', ''))),
    }))
  })
