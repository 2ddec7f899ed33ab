/** The message of a payment on the testing wallet, in the words of its shipped template. Pure. */
import { formatMinor, type Minor } from '../../core/money.ts'
import { SHIPPED_TEST } from '../shipped/shipped-test.ts'
import { slotValue } from '../templates/slot.ts'

const [template] = SHIPPED_TEST.templates

export const testSender: string = SHIPPED_TEST.senderNames[0]!

/** What the template can read as a reference. */
export const isTestReference = (reference: string): boolean => slotValue({ type: 'reference' }, reference) != null

const grouped = (amount: Minor): string => formatMinor(amount).replace(/\B(?=(\d{3})+\.)/g, ',')

export const testPaymentText = (amount: Minor, reference: string): string =>
  template!.sentence.replace('{amount:money}', grouped(amount)).replace('{reference:reference}', reference)

/**
 * Test messages used to end with their reference. One that still does is read as before, if its reference has as many characters
 * as that of the sample, or more: it moves no money, and what is shorter may have been cut.
 */
export const withFullStop = (text: string): string => (OLD_WORDING.test(text) ? `${text.trimEnd()}.` : text)

const OLD_WORDING = /^\s*Test payment of [0-9.,]+ YER, reference [A-Za-z0-9-]{9,64}\s*$/
