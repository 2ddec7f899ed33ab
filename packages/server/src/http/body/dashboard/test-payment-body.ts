/** The body of `POST /test-payment/`: which wallet, how much, and the reference that the message shall name. */
import { isTestReference } from '../../../alerts/texts/test-payment.ts'
import type { WalletId } from '../../../core/ids.ts'
import { type Minor, minor } from '../../../core/money.ts'
import { amount, object, type Reading, readBody, required, text, uuid } from '../fields.ts'
import type { Json } from '../json.ts'

const body = object({
  wallet: required(uuid<WalletId>()),
  amount: required(amount({ min: minor(1n) })),
  reference: required(text({ max: 64 })),
})

export type TestPaymentBody = { readonly wallet: WalletId; readonly amount: Minor; readonly reference: string }

export const readTestPayment = (sent: Json): Reading<TestPaymentBody> => {
  const reading = readBody(body, sent)
  if (reading.kind === 'no' || isTestReference(reading.value.reference)) return reading
  const detail = 'Letters, digits and hyphens, 4 to 64 of them, one digit at least.'
  return { kind: 'no', errors: [{ attr: 'reference', code: 'invalid', detail }] }
}
