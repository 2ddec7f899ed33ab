/** The texts of payments on test wallets, as the shipped test template reads them. Pure. */
import { formatMinor, type Minor } from '../../core/money.ts'
import { slotValue } from '../templates/slot.ts'
import { SHIPPED_TEST } from './shipped-test.ts'

const [template] = SHIPPED_TEST.templates

export const testSender: string = SHIPPED_TEST.senderNames[0]!

/** Whether the test template can read a text as a reference. */
export const isTestReference = (reference: string): boolean => slotValue({ type: 'reference' }, reference) != null

const grouped = (amount: Minor): string => formatMinor(amount).replace(/\B(?=(\d{3})+\.)/g, ',')

export const testPaymentText = (amount: Minor, reference: string): string =>
  template!.sentence.replace('{amount:money}', grouped(amount)).replace('{reference:reference}', () => reference)

/**
 * Older test messages end with their reference, without a full stop. They are still read if the reference is at least as long
 * as that of the sample: a shorter one may have been cut.
 */
export const withFullStop = (text: string): string => (OLD_WORDING.test(text) ? `${text.trimEnd()}.` : text)

const OLD_WORDING = /^\s*Test payment of [0-9.,]+ YER, reference [A-Za-z0-9-]{9,64}\s*$/
