/**
 * The state of a phone by text and icon; a phone that is not reporting is highlighted. If silence cannot be detected, only
 * the time of the last alert is shown.
 */
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed, IconPower } from '@tabler/icons-react'
import { useNow } from '../../parts/format/clock.ts'
import { relativeTime, spanSince } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { phoneHealthWords } from '../../words/screens/phone-health.ts'
import { phonesWords } from '../../words/screens/phones.ts'
import type { Phone } from './phone.ts'

const shapes = {
  off: { picture: IconPower, colour: 'var(--sanad-quiet)' },
  waiting: { picture: IconCircleDashed, colour: 'var(--sanad-pending)' },
  silent: { picture: IconAlertTriangle, colour: 'var(--sanad-wrong)' },
  healthy: { picture: IconCircleCheck, colour: 'var(--sanad-verified)' },
  unjudged: { picture: IconCircleDashed, colour: 'var(--sanad-quiet)' },
} as const

export const PhoneState = ({
  phone,
}: {
  phone: Pick<Phone, 'state' | 'silence' | 'last_seen_at' | 'last_alert_at'>
}) => {
  const { t, language } = useWords(phoneHealthWords, phonesWords)
  const now = useNow()
  const unjudged = phone.state === 'healthy' && phone.silence.judged_by === 'nothing' && phone.last_alert_at !== null
  const { picture: Picture, colour } = shapes[unjudged ? 'unjudged' : phone.state]
  const when = phone.last_seen_at === null ? '' : spanSince(phone.last_seen_at, now, language)
  return (
    <span style={{ display: 'inline-flex', gap: 4, alignItems: 'center', color: colour, fontWeight: 600 }}>
      <Picture size={16} aria-hidden />
      {unjudged
        ? t('silence.last', { when: relativeTime(phone.last_alert_at ?? '', now, language) })
        : t(`phones.state.${phone.state}`, { when })}
    </span>
  )
}
