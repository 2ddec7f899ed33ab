/**
 * Throttles hints for changes that come by the thousand. For each account and kind the first hint is sent at once; all that
 * follow within the interval become one hint, without an id if they are about several objects. A queue of deliveries then
 * costs a few hints a second.
 */
import type { AccountId } from '../../core/ids.ts'
import type { ObjectKind } from '../people/visible-kinds.ts'

export type SendHint = (accountId: AccountId, change: { readonly kind: ObjectKind; readonly id: string }) => void

/** `id`: the object of the hint that is sent when the interval ends; empty: several objects; null: no hint. */
type Interval = { readonly accountId: AccountId; readonly kind: ObjectKind; id: string | null }

export const throttleHints = (sendHint: SendHint, every_ms = 250): SendHint => {
  const intervals = new Map<string, Interval>()
  let timer: NodeJS.Timeout | undefined

  const endIntervals = (): void => {
    timer = undefined
    for (const [key, interval] of intervals) {
      if (interval.id === null) intervals.delete(key)
      else {
        sendHint(interval.accountId, { kind: interval.kind, id: interval.id })
        interval.id = null
      }
    }
    schedule()
  }
  const schedule = (): void => {
    if (timer !== undefined || intervals.size === 0) return
    timer = setTimeout(endIntervals, every_ms)
    timer.unref()
  }

  return (accountId, { kind, id }) => {
    const key = `${kind} ${accountId}`
    const interval = intervals.get(key)
    if (interval !== undefined) {
      interval.id = interval.id === null || interval.id === id ? id : ''
      return
    }
    sendHint(accountId, { kind, id })
    intervals.set(key, { accountId, kind, id: null })
    schedule()
  }
}
