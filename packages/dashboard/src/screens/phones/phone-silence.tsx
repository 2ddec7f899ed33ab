/** How the silence of a phone is detected, the reason if it is silent, and a comparison with other phones. */
import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useApi, useApiMutation } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { Problem } from '../../parts/form/problem.tsx'
import { useNow } from '../../parts/format/clock.ts'
import { Count } from '../../parts/format/figures.tsx'
import { DetailRow } from '../../parts/list/detail-row.tsx'
import { Card } from '../../parts/page/page.tsx'
import { grouped, momentText } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { phoneHealthWords } from '../../words/screens/phone-health.ts'
import type { Phone } from './phone.ts'
import { spanText } from './span-text.ts'

/** Why the phone counts as silent; undefined: it does not, or it has never reported. */
export const useSilentReason = (): ((
  phone: Pick<Phone, 'silence' | 'state' | 'last_seen_at'>,
) => string | undefined) => {
  const { t, language } = useWords(phoneHealthWords)
  const now = useNow()
  return ({ silence, state, last_seen_at }) => {
    if (state !== 'silent' || last_seen_at === null) return undefined
    const silent = spanText(Math.max(0, (now - Date.parse(last_seen_at)) / 1000), language)
    if (silence.judged_by === 'heartbeat')
      return t('silence.noBeat', { silent, period: spanText(silence.heartbeat_s ?? 0, language) })
    return silence.judged_by === 'messages'
      ? t('silence.late', { silent, usual: spanText(silence.usual_s ?? 0, language) })
      : undefined
  }
}

const useRule = ({ app, silence }: Pick<Phone, 'app' | 'silence'>): string => {
  const { judged_by, reason, heartbeat_s, usual_s, alarm_after_s } = silence
  const { t, language } = useWords(phoneHealthWords)
  const alarm = spanText(alarm_after_s ?? 0, language)
  if (judged_by === 'heartbeat') return t('silence.heartbeat', { period: spanText(heartbeat_s ?? 0, language), alarm })
  if (judged_by === 'messages') return t('silence.messages', { usual: spanText(usual_s ?? 0, language), alarm })
  // The app was set up to send a heartbeat every minute, and begins at its next start.
  if (app === 'smsgate' && (reason === 'learning' || reason === 'too_few')) return t('silence.gateway')
  return t(`silence.${reason === '' ? 'learning' : reason}`)
}

export const PhoneSilence = ({ phone }: { phone: Phone }) => {
  const { t } = useWords(phoneHealthWords)
  const reasonOf = useSilentReason()
  const rule = useRule(phone)
  const reason = reasonOf(phone)
  // Our agent sends heartbeats by itself, even if nothing has arrived yet.
  const asksForTest = phone.app !== 'agent' && phone.forwards !== 'no' && phone.silence.judged_by !== 'heartbeat'
  return (
    <Card>
      <Stack gap="xs">
        <Title order={2}>{t('silence.title')}</Title>
        {reason !== undefined && (
          <Text fw={600} c="var(--sanad-wrong)">
            {reason}
          </Text>
        )}
        <ClosedToday phone={phone} isLate={reason !== undefined && phone.silence.judged_by === 'messages'} />
        <Text>{rule}</Text>
        {asksForTest && <Text c="dimmed">{t('silence.ask')}</Text>}
        <Comparison id={phone.id} />
      </Stack>
    </Card>
  )
}

/** A button that ends the alarm for a day on which the shop is closed, and until when. */
const ClosedToday = ({ phone, isLate }: { phone: Phone; isLate: boolean }) => {
  const { t, language } = useWords(phoneHealthWords)
  const { may, zone } = useMe()
  const now = useNow()
  const close = useApiMutation('closePhoneToday', ['phone', 'wallet'])
  const until = close.data?.silence.alarm_at
  if (!isLate)
    return until == null ? null : (
      <Text role="status">{t('silence.closedDone', { when: momentText(until, now, language, zone) })}</Text>
    )
  return (
    <>
      {close.error !== null && <Problem problem={close.error} />}
      <Group gap="sm">
        <Text>{t('silence.closedAsk')}</Text>
        {may('phones.write') && (
          <Button variant="default" loading={close.isPending} onClick={() => close.mutate({ path: { id: phone.id } })}>
            {t('silence.closedGo')}
          </Button>
        )}
      </Group>
    </>
  )
}

/** Shown only if another phone reports for the same wallet. */
const Comparison = ({ id }: { id: string }) => {
  const { t } = useWords(phoneHealthWords)
  const comparison = useApi('comparePhone', { path: { id }, kinds: ['alert', 'wallet'] })
  if (comparison.data === undefined || comparison.data.shared_wallets === 0) return null
  const { messages, reported, missed, first } = comparison.data
  return (
    <>
      <Title order={3} mt="xs">
        {t('compare.title')}
      </Title>
      <dl style={{ margin: 0, display: 'grid', gap: 8 }}>
        <DetailRow
          name={t('compare.reported')}
          value={t('compare.of', { reported: grouped(String(reported)), messages: grouped(String(messages)) })}
        />
        <DetailRow name={t('compare.missed')} value={<Count>{missed}</Count>} />
        <DetailRow name={t('compare.first')} value={<Count>{first}</Count>} />
      </dl>
    </>
  )
}
