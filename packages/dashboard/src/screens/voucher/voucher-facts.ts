/** What a voucher says, from an intent: for the paper, the print and the picture. Pure. */
import { currencyFacts, storedDecimals, withDecimals } from '@sanad/contract/currency'
import { receivedAmount } from '../../parts/format/received-amount.ts'
import type { Language } from '../../words/catalogue.ts'
import { inDigits } from '../../words/digits.ts'
import { clockTime, currencyName, grouped, minuteTime, moneyText } from '../../words/format.ts'
import type { Translate } from '../../words/language.ts'
import type { voucherWords } from '../../words/voucher.ts'
import type { ShownIntent } from '../intents/intent.ts'

export type Tone = 'paid' | 'not' | 'test'

export type VoucherFacts = {
  /** The first line: whether it is paid. */
  readonly state: string
  readonly tone: Tone
  /** Null: it is not paid, and no large amount is shown. */
  readonly amount: AmountParts | null
  /** Empty: not paid. */
  readonly stamp: string
  readonly rows: readonly (readonly [name: string, value: string])[]
}

export type AmountParts = { readonly whole: string; readonly decimals: string; readonly currency: string }

/** `1,500`, `.00` and the currency, in the digits that the user chose. */
export const amountParts = (amount: string, currency: string, language: Language): AmountParts => {
  const shown = inDigits(grouped(withDecimals(amount, currencyFacts(currency)?.decimals ?? storedDecimals)), language)
  const point = Math.max(shown.lastIndexOf('.'), shown.lastIndexOf('٫'))
  const [whole, decimals] = point < 0 ? [shown, ''] : [shown.slice(0, point), shown.slice(point)]
  return { whole, decimals, currency: currencyName(currency, language) }
}

/** Whether the decimals are zero: they are dimmed. */
export const isRound = ({ decimals }: AmountParts): boolean => /^[.٫][0٠]+$/.test(decimals)

/** When the intent got its state. */
export const stateTime = (intent: ShownIntent): string => {
  if (intent.verified_at !== null) return intent.verified_at
  if (intent.status === 'WRONG_AMOUNT') return intent.alert?.received_at ?? intent.created_at
  if (intent.status === 'EXPIRED') return intent.expires_at
  return intent.timeline.findLast(({ kind }) => kind === 'cancelled')?.at ?? intent.created_at
}

/** `payer`: as it may be shown: the whole name on the shop's own paper, the first name on a picture. */
export const voucherFacts = (
  intent: ShownIntent,
  payer: string,
  reference: string,
  t: Translate<typeof voucherWords>,
  language: Language,
  zone: string,
): VoucherFacts => {
  const { status, currency } = intent
  const isPaid = status === 'VERIFIED'
  const isTest = intent.wallet.is_test
  const at = stateTime(intent)
  const title = t(`voucher.title.${status}`)
  const money = (amount: string): string => moneyText(amount, currency, language)
  const rows: (readonly [string, string])[] = [
    [t('field.order'), intent.external_order_id],
    ...(isPaid
      ? []
      : ([
          [t('field.arrived'), intent.paid_amount === null ? t('voucher.nothing') : money(intent.paid_amount)],
          [t('voucher.asked'), money(intent.payable_amount)],
        ] as const)),
    [t('voucher.from'), payer],
    [t('field.reference'), reference],
    [t(`voucher.at.${status}`), minuteTime(at, language, zone)],
  ]
  return {
    state: isTest ? (isPaid ? t('voucher.testPaid') : t('voucher.testNot', { state: title })) : title,
    tone: isTest ? 'test' : isPaid ? 'paid' : 'not',
    amount: isPaid ? amountParts(receivedAmount(intent), currency, language) : null,
    stamp: isPaid ? `${t(isTest ? 'voucher.testStamp' : 'voucher.stamp')} ${clockTime(at, language, zone)}` : '',
    rows: rows.filter(([, value]) => value !== ''),
  }
}
