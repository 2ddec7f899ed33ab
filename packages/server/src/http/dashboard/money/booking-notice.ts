/**
 * The notice to owners about a booking that falls short of its order. It is part of the audit entry, so it is written in the
 * transaction of the booking. Pure.
 */
import type { NoticeAbout } from '../../../accounts/notices/owner-notice.ts'
import { formatMinor } from '../../../core/money.ts'
import { askedFor } from '../../../intents/arrival.ts'
import type { Intent } from '../../../intents/intent.ts'

/** What the audit entry of a booking says if what arrived is not what was asked. */
export const arrivalAudit = ({
  arrival,
}: Intent): { readonly forgiven_amount?: string; readonly excess_amount?: string } => ({
  ...(arrival === null || arrival.forgiven === 0n ? {} : { forgiven_amount: formatMinor(arrival.forgiven) }),
  ...(arrival === null || arrival.excess === 0n ? {} : { excess_amount: formatMinor(arrival.excess) }),
})

/** For a change of the audit log: `{ notice }`, or nothing if everything that was asked arrived. */
export const shortNotice = (
  { arrival, code, externalOrderId, currency }: Intent,
  isTest: boolean,
): { readonly notice?: NoticeAbout } => {
  if (arrival === null || arrival.forgiven === 0n) return {}
  const facts = {
    payment: code,
    ...(externalOrderId === '' ? {} : { order: externalOrderId }),
    asked_amount: formatMinor(askedFor(arrival)),
    arrived_amount: formatMinor(arrival.arrived),
    forgiven_amount: formatMinor(arrival.forgiven),
    currency,
    ...(isTest ? { test: true } : {}),
  }
  return { notice: { kind: 'booked_short', facts } }
}
