/** Why an alert may belong to an intent, as text; and the only intent of the same payer and amount, if there is one. */
import { denialReasons } from '@sanad/contract/kinds'
import type { Language } from '../../words/catalogue.ts'
import type { Translate } from '../../words/language.ts'
import type { unmatchedWords } from '../../words/screens/unmatched.ts'
import { isBookable, type Likely, type QueueAlert } from './queue-alert.ts'

type TranslateReason = Translate<typeof unmatchedWords>
type Reason = Likely['reasons'][number]

const spanText = (seconds: string | undefined, t: TranslateReason): string => {
  const minutes = Math.round(Math.abs(Number(seconds ?? '0')) / 60)
  if (minutes === 0) return t('likely.moment')
  return minutes < 120
    ? t('likely.minutes', { count: minutes })
    : t('likely.hours', { count: Math.round(minutes / 60) })
}

const reasonText = ({ code, facts }: Reason, t: TranslateReason): string =>
  t(`likely.${code}`, {
    when: spanText(facts.seconds, t),
    reference: facts.reference ?? '',
    phone: facts.phone ?? '',
    name: facts.name ?? '',
  })

/** `difference`: how much more or less the order asks for, if it asks for another amount. */
export const reasonsText = (
  reasons: readonly Reason[],
  t: TranslateReason,
  language: Language,
  difference?: string,
): string =>
  reasons
    .map((reason) => (reason.code === 'other_amount' && difference !== undefined ? difference : reasonText(reason, t)))
    .join(language === 'ar' ? '، ' : ', ')

const payerReasons: readonly string[] = ['same_phone', 'same_phone_shown', 'same_name', 'same_name_shown']

export const isPayerReason = ({ code }: Reason): boolean => payerReasons.includes(code)

const hasSamePayer = ({ reasons }: Likely): boolean => reasons.some(isPayerReason)

const toBeRead: readonly string[] = denialReasons

/** The text says, or may say, that no money arrived: a member reads it before booking. */
export const mustBeRead = ({ reason }: { readonly reason: { readonly code: string } }): boolean =>
  toBeRead.includes(reason.code)

/** The waiting intent of the same payer and amount. Undefined if there are several, or if the alert has doubts or must be read. */
export const samePayerIntent = (alert: QueueAlert): Likely | undefined => {
  const [found, ...others] = alert.likely.filter(hasSamePayer)
  const isSure = found?.status === 'PENDING' && found.payable_amount === alert.amount && others.length === 0
  return isSure && isBookable(alert) && alert.doubts.length === 0 && !mustBeRead(alert) ? found : undefined
}
