/** Why an intent is likely the one that money belongs to, in words; and whether its payer was claimed. */
import type { Language } from '../../words/catalogue.ts'
import type { Translate } from '../../words/language.ts'
import type { unmatchedWords } from '../../words/screens/unmatched.ts'
import { isBookable, type Likely, type QueueAlert } from './queue-alert.ts'

type Say = Translate<typeof unmatchedWords>
type Reason = Likely['reasons'][number]

const spanText = (seconds: string | undefined, t: Say): string => {
  const minutes = Math.round(Math.abs(Number(seconds ?? '0')) / 60)
  if (minutes === 0) return t('likely.moment')
  return minutes < 120
    ? t('likely.minutes', { count: minutes })
    : t('likely.hours', { count: Math.round(minutes / 60) })
}

const reasonText = ({ code, facts }: Reason, t: Say): string =>
  t(`likely.${code}`, {
    when: spanText(facts.seconds, t),
    reference: facts.reference ?? '',
    phone: facts.phone ?? '',
    name: facts.name ?? '',
  })

export const reasonsText = (reasons: readonly Reason[], t: Say, language: Language): string =>
  reasons.map((one) => reasonText(one, t)).join(language === 'ar' ? '، ' : ', ')

const samePayer: readonly string[] = ['same_phone', 'same_phone_shown', 'same_name', 'same_name_shown']

export const isPayerReason = ({ code }: Reason): boolean => samePayer.includes(code)

const hasSamePayer = ({ reasons }: Likely): boolean => reasons.some(isPayerReason)

/** The one waiting intent of the same payer and the same amount, where nothing speaks against the alert. */
export const samePayerIntent = (alert: QueueAlert): Likely | undefined => {
  const [found, ...others] = alert.likely.filter(hasSamePayer)
  const isSure = found?.status === 'PENDING' && found.payable_amount === alert.amount && others.length === 0
  return isSure && isBookable(alert) && alert.doubts.length === 0 ? found : undefined
}
