/** The state of the phone of a wallet (connected, not reporting, off, or none), and the texts of doubts about "not here". */
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed } from '@tabler/icons-react'
import { useNow } from '../../parts/format/clock.ts'
import { relativeTime, spanSince } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { counterWords } from '../../words/screens/counter.ts'
import type { CounterWallet, Doubt } from './answer.ts'
import classes from './counter.module.css'

export const PhoneLine = ({ wallet }: { wallet: CounterWallet | undefined }) => {
  const { t, language } = useWords(counterWords)
  const now = useNow()
  if (wallet === undefined || wallet.is_test) return null
  const { state, phone } = wallet
  const loud = (text: string) => (
    <p className={classes.loud}>
      <IconAlertTriangle size={18} aria-hidden />
      {text}
    </p>
  )
  if (phone === null || state === 'unmonitored') return loud(t('counter.noPhone'))
  if (state === 'phone_off') return loud(t('counter.phoneOff', { phone: phone.name }))
  if (state === 'phone_silent')
    return phone.last_seen_at === null
      ? loud(t('counter.phoneNever', { phone: phone.name }))
      : loud(t('counter.phoneSilent', { phone: phone.name, when: spanSince(phone.last_seen_at, now, language) }))
  // If neither heartbeats nor usual messages tell whether the phone is silent, the line shows the time of its last message.
  const isJudged = phone.judged_by !== 'nothing' || phone.last_alert_at === null
  const Sign = isJudged ? IconCircleCheck : IconCircleDashed
  return (
    <p className={classes.quietLine}>
      <Sign size={18} aria-hidden />
      {isJudged
        ? t('counter.phoneHeard', { phone: phone.name })
        : t('counter.phoneLast', { phone: phone.name, when: relativeTime(phone.last_alert_at ?? '', now, language) })}
    </p>
  )
}

/** The text of a reason why "not here" is not certain. */
export const useDoubtText = (): ((doubt: Doubt) => string) => {
  const { t, language } = useWords(counterWords)
  const now = useNow()
  return (doubt) => {
    if (!('wallet' in doubt)) return t(`counter.doubt.${doubt.kind}`)
    const { name, phone } = doubt.wallet
    const lastSeen = phone?.last_seen_at ?? null
    if (doubt.kind === 'phone_silent' && lastSeen === null)
      return t('counter.doubt.phone_never', { wallet: name, phone: phone?.name ?? '' })
    return t(`counter.doubt.${doubt.kind}`, {
      wallet: name,
      phone: phone?.name ?? '',
      when: lastSeen === null ? '' : spanSince(lastSeen, now, language),
    })
  }
}
