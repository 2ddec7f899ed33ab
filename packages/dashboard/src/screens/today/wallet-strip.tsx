/** The wallets and their phones; a phone that is not reporting is highlighted. */
import { Button, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed } from '@tabler/icons-react'
import { Link } from 'wouter'
import { useMe } from '../../frame/session-context.ts'
import { useNow } from '../../parts/format/clock.ts'
import { shippedName } from '../../parts/format/shipped-name.ts'
import { Empty } from '../../parts/page/page.tsx'
import { relativeTime, spanSince } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { phoneHealthWords } from '../../words/screens/phone-health.ts'
import { todayWords } from '../../words/screens/today.ts'
import { spanText } from '../phones/span-text.ts'
import type { Overview } from './overview.ts'
import classes from './today.module.css'

type Wallet = Overview['wallets'][number]

export const WalletStrip = ({ wallets }: { wallets: readonly Wallet[] }) => {
  const { t } = useWords(todayWords)
  const { me } = useMe()
  // To a member who was given some wallets, the line above the screen says which, also if there are none.
  if (me.wallets === null && !wallets.some(({ is_test }) => !is_test))
    return (
      <Empty
        action={
          <Button component={Link} href="/wallets?new=1">
            {t('act.addWallet')}
          </Button>
        }
      >
        {t('today.noWallets')}
      </Empty>
    )
  return (
    <ul className={classes.strip}>
      {wallets.map((wallet) => (
        <WalletLine key={wallet.id} wallet={wallet} />
      ))}
    </ul>
  )
}

const WalletLine = ({ wallet }: { wallet: Wallet }) => {
  const { t } = useWords()
  const sentence = useStateText(wallet)
  // The test wallet needs no phone: no warning for it.
  const isWarning = !wallet.is_test && (wallet.state === 'phone_silent' || wallet.state === 'phone_off')
  const Icon = isWarning ? IconAlertTriangle : wallet.state === 'offered' ? IconCircleCheck : IconCircleDashed
  const colour = isWarning
    ? 'var(--sanad-wrong)'
    : wallet.state === 'offered'
      ? 'var(--sanad-verified)'
      : 'var(--sanad-quiet)'
  return (
    <li className={`card ${classes.wallet} ${isWarning ? classes.loud : ''}`}>
      <Text fw={600} truncate dir="auto" className="named">
        {shippedName(wallet.name, t)}
      </Text>
      <Text size="sm" style={{ display: 'flex', gap: 6, alignItems: 'center', color: isWarning ? colour : undefined }}>
        <Icon size={16} color={colour} aria-hidden style={{ flexShrink: 0 }} />
        {sentence}
      </Text>
    </li>
  )
}

const useStateText = ({ state, phone, is_test }: Wallet): string => {
  const { t, language } = useWords(phoneHealthWords, todayWords)
  const now = useNow()
  const when = (at: string): string => relativeTime(at, now, language)
  if (is_test) return t('today.test')
  if (state === 'inactive') return t('today.inactive')
  if (phone === null || state === 'unmonitored') return t('today.unmonitored')
  if (state === 'phone_off') return t('today.phoneOff', { phone: phone.name })
  if (state === 'phone_silent') {
    if (phone.last_seen_at === null) return t('today.silentNever', { phone: phone.name })
    const silent = t('today.silent', { phone: phone.name, when: spanSince(phone.last_seen_at, now, language) })
    return phone.usual_s === null
      ? silent
      : `${silent} · ${t('silence.usual', { usual: spanText(phone.usual_s, language) })}`
  }
  if (phone.judged_by === 'nothing' && phone.last_alert_at !== null)
    return t('silence.lastOf', { phone: phone.name, when: when(phone.last_alert_at) })
  return phone.last_alert_at === null
    ? t('today.okNever', { phone: phone.name })
    : t('today.ok', { phone: phone.name, when: when(phone.last_alert_at) })
}
