/**
 * Throttles hints for the live stream where changes come by the thousand: for each account and kind the first is passed
 * on at once, and those of the next moment together, as one hint without an id. A queue that is being sent costs a few
 * hints a second.
 */
import type { AccountId } from '../../core/ids.ts'
import type { ObjectKind } from '../audit/visible-kinds.ts'

export type SendHint = (accountId: AccountId, change: { readonly kind: ObjectKind; readonly id: string }) => void

/** `id`: what to pass on when the moment is over; empty: several objects; null: nothing. */
type Moment = { readonly accountId: AccountId; readonly kind: ObjectKind; id: string | null }

export const throttleHints = (sendHint: SendHint, every_ms = 250): SendHint => {
  const moments = new Map<string, Moment>()
  let timer: NodeJS.Timeout | undefined

  const endMoment = (): void => {
    timer = undefined
    for (const [key, moment] of moments) {
      if (moment.id === null) moments.delete(key)
      else {
        sendHint(moment.accountId, { kind: moment.kind, id: moment.id })
        moment.id = null
      }
    }
    schedule()
  }
  const schedule = (): void => {
    if (timer !== undefined || moments.size === 0) return
    timer = setTimeout(endMoment, every_ms)
    timer.unref()
  }

  return (accountId, { kind, id }) => {
    const key = `${kind} ${accountId}`
    const moment = moments.get(key)
    if (moment !== undefined) {
      moment.id = moment.id === null || moment.id === id ? id : ''
      return
    }
    sendHint(accountId, { kind, id })
    moments.set(key, { accountId, kind, id: null })
    schedule()
  }
}
