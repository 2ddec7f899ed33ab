/**
 * Hints of what happens by the thousand, for the live stream: of each account and kind the first is told at once, and
 * whatever comes in the moment after it together, as one hint without an id. So a queue that is being drained costs those
 * who look, and the nodes, a few hints a second.
 */
import type { AccountId } from '../../core/ids.ts'
import type { ThingKind } from '../audit/visible-kinds.ts'

export type Tell = (accountId: AccountId, change: { readonly kind: ThingKind; readonly id: string }) => void

/** `id`: what is to be told when the moment is over; empty: several; null: nothing. */
type Moment = { readonly accountId: AccountId; readonly kind: ThingKind; id: string | null }

export const tellSeldom = (tell: Tell, every_ms = 250): Tell => {
  const moments = new Map<string, Moment>()
  let timer: NodeJS.Timeout | undefined

  const turn = (): void => {
    timer = undefined
    for (const [key, moment] of moments) {
      if (moment.id === null) moments.delete(key)
      else {
        tell(moment.accountId, { kind: moment.kind, id: moment.id })
        moment.id = null
      }
    }
    plan()
  }
  const plan = (): void => {
    if (timer !== undefined || moments.size === 0) return
    timer = setTimeout(turn, every_ms)
    timer.unref()
  }

  return (accountId, { kind, id }) => {
    const key = `${kind} ${accountId}`
    const moment = moments.get(key)
    if (moment !== undefined) {
      moment.id = moment.id === null || moment.id === id ? id : ''
      return
    }
    tell(accountId, { kind, id })
    moments.set(key, { accountId, kind, id: null })
    plan()
  }
}
