/** The bodies of what people do with money that nobody claimed. */
import { type Minor, minor } from '../../ground/money.ts'
import { amount, object, type Reading, readBody, required, text, uuid } from './fields.ts'
import type { Json } from './json.ts'

const booking = object({
  intent: required(uuid<string>()),
  alert_amount: required(amount({ min: minor(0n) })),
  intent_amount: required(amount({ min: minor(0n) })),
})

export type BookingBody = { readonly intent: string; readonly alert_amount: Minor; readonly intent_amount: Minor }

export const readBooking = (sent: Json): Reading<BookingBody> => readBody(booking, sent)

const dismissal = object({ reason: required(text({ max: 300 })) })

export const readDismissal = (sent: Json): Reading<{ reason: string }> => readBody(dismissal, sent)
