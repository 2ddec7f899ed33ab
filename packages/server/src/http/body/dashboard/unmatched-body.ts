/** The bodies of what people do with money that nobody claimed. */
import type { WalletId } from '../../../core/ids.ts'
import { type Minor, minor } from '../../../core/money.ts'
import { amount, object, type Reading, readBody, required, text, uuid } from '../fields.ts'
import type { Json } from '../json.ts'

const booking = object({
  intent: required(uuid<string>()),
  alert_amount: required(amount({ min: minor(0n) })),
  intent_amount: required(amount({ min: minor(0n) })),
})

export type BookingBody = { readonly intent: string; readonly alert_amount: Minor; readonly intent_amount: Minor }

export const readBooking = (sent: Json): Reading<BookingBody> => readBody(booking, sent)

const choice = object({ wallet: required(uuid<WalletId>()) })

export const readWalletChoice = (sent: Json): Reading<{ wallet: WalletId }> => readBody(choice, sent)

const accepted = object({ paid_amount: required(amount({ min: minor(0n) })) })

export const readAcceptPaid = (sent: Json): Reading<{ paid_amount: Minor }> => readBody(accepted, sent)

const dismissal = object({ reason: required(text({ max: 300 })) })

export const readDismissal = (sent: Json): Reading<{ reason: string }> => readBody(dismissal, sent)
