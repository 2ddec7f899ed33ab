/** SMS of wallets that the tests use most: their texts, as the shipped templates read them, and reports of them. */
import type { Report } from '../../src/alerts/alert.ts'
import type { Clock } from '../../src/core/clock.ts'

/** Jawali, a purchase: with a reference and without a balance. */
export const purchaseText = (amount: string, reference: string, payer = 'تاجر تجريبي'): string =>
  `لقد استلمت ${amount} YER كقيمة مشتريات بمرجع ${reference} من ${payer}`

/** Jawali, a transfer from another wallet: without a reference and with the balance after it. */
export const transferText = (amount: string, balance: string, payer = '770000000'): string =>
  `استلمت مبلغ ${amount} YER من ${payer} رصيدك هو ${balance}`

/** MFloos, a deposit: with payer and reference. */
export const depositText = (amount: string, reference: string): string =>
  `تم إيداع مبلغ ${amount} YER من: علي صالح المثال المرجع:${reference}`

/** Builds reports of SMS by Jawali, each with a new client id that begins with the prefix. */
export const smsReports = (clock: Clock, prefix: string) => {
  let count = 0
  return (text: string, more: Partial<Report> = {}): Report => ({
    clientId: `${prefix}-${++count}`,
    kind: 'sms',
    sender: 'Jawali',
    package: '',
    title: '',
    text,
    simSlot: 'SIM1',
    sentAt: clock.now(),
    phoneReceivedAt: clock.now(),
    ...more,
  })
}
