/** Reads the payer that a member claims for an intent: in a call of its own, or in the body that creates the intent. */
import { NewPayer, PayerBody } from '@sanad/contract/dashboard/money/payer'
import { bodyReader, mapBody } from '../schema-reader.ts'

export const readPayer = bodyReader(PayerBody)
export const readNewPayer = mapBody(bodyReader(NewPayer), ({ payer_name, payer_phone }) => ({
  name: payer_name,
  phone: payer_phone,
}))
