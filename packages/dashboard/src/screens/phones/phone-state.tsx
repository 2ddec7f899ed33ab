/** The state of a phone by text and icon; a phone that is not reporting is highlighted. */
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed, IconPower } from '@tabler/icons-react'
import { useNow } from '../../parts/format/clock.ts'
import { spanSince } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { phonesWords } from '../../words/screens/phones.ts'
import type { Phone } from './phone.ts'

const shapes = {
  off: { picture: IconPower, colour: 'var(--sanad-quiet)' },
  waiting: { picture: IconCircleDashed, colour: 'var(--sanad-pending)' },
  silent: { picture: IconAlertTriangle, colour: 'var(--sanad-wrong)' },
  healthy: { picture: IconCircleCheck, colour: 'var(--sanad-verified)' },
} as const

export const PhoneState = ({ phone }: { phone: Pick<Phone, 'state' | 'last_seen_at'> }) => {
  const { t, language } = useWords(phonesWords)
  const now = useNow()
  const { picture: Picture, colour } = shapes[phone.state]
  const when = phone.last_seen_at === null ? '' : spanSince(phone.last_seen_at, now, language)
  return (
    <span style={{ display: 'inline-flex', gap: 4, alignItems: 'center', color: colour, fontWeight: 600 }}>
      <Picture size={16} aria-hidden />
      {t(`phones.state.${phone.state}`, { when })}
    </span>
  )
}
