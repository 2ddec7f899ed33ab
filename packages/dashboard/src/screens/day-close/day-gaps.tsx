/** The gaps of the day as sentences, and the outcomes of the money that arrived. */
import { List, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useMe } from '../../frame/session-context.ts'
import { isZero } from '../../parts/format/amounts.ts'
import { Money } from '../../parts/format/figures.tsx'
import { Quiet } from '../../parts/format/quiet.tsx'
import { DetailRow } from '../../parts/list/detail-row.tsx'
import { Card } from '../../parts/page/page.tsx'
import { clockTime, moneyText } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { dayCloseWords } from '../../words/screens/day-close.ts'
import type { Day } from './day.ts'

export const Gaps = ({ day }: { day: Day }) => {
  const { t, language } = useWords(dayCloseWords)
  const { zone } = useMe()
  const sentence = ({ since, until, missing }: Day['gaps'][number]): string => {
    const isDebit = missing.startsWith('-')
    const values = {
      since: since === null ? '' : clockTime(since, language, zone),
      until: clockTime(until, language, zone),
      amount: moneyText(missing.replace('-', ''), day.wallet.currency, language),
    }
    if (since === null) return t(isDebit ? 'day.gapLeftBefore' : 'day.gapCameBefore', values)
    if (values.since === values.until) return t(isDebit ? 'day.gapLeftAround' : 'day.gapCameAround', values)
    return t(isDebit ? 'day.gapLeft' : 'day.gapCame', values)
  }
  return (
    <Card>
      <Stack gap="xs">
        <Title order={2}>{t('day.gaps')}</Title>
        <List spacing={4}>
          {day.gaps.map((gap) => (
            <List.Item key={`${gap.since} ${gap.until}`}>{sentence(gap)}</List.Item>
          ))}
        </List>
      </Stack>
    </Card>
  )
}

type Sum = { readonly count: number; readonly amount: string }

export const Outcomes = ({ day }: { day: Day }) => {
  const { t } = useWords(dayCloseWords)
  const { currency } = day.wallet
  const { verified, unmatched, wrong_amount: wrong, dismissed, left_out: leftOut } = day
  const line = (name: string, { amount, count }: Sum, more?: ReactNode) => (
    <DetailRow name={name}>
      <Money amount={amount} currency={currency} />
      <Quiet>
        {t('day.messages', { count })}
        {more}
      </Quiet>
    </DetailRow>
  )
  return (
    <Card>
      <Stack gap="sm">
        <Title order={2}>{t('day.became')}</Title>
        <dl style={{ margin: 0, display: 'grid', gap: 12 }}>
          {line(
            t('state.VERIFIED'),
            verified,
            verified.by_hand > 0 && ` · ${t('day.byHand', { count: verified.by_hand })}`,
          )}
          {!isZero(verified.forgiven_amount) && (
            <DetailRow name={t('field.forgiven')}>
              <Text span c="var(--sanad-wrong)" fw={600}>
                <Money amount={verified.forgiven_amount} currency={currency} />
              </Text>
              <Quiet>{t('day.forgivenLead')}</Quiet>
            </DetailRow>
          )}
          {!isZero(verified.excess_amount) && (
            <DetailRow name={t('field.excess')} value={<Money amount={verified.excess_amount} currency={currency} />} />
          )}
          {line(t('day.unmatched'), unmatched)}
          {line(t('state.WRONG_AMOUNT'), wrong)}
          {line(t('day.dismissed'), dismissed)}
          {leftOut.count > 0 && line(t('day.leftOut'), leftOut)}
        </dl>
        {day.other_currency > 0 && <Text c="dimmed">{t('day.otherCurrency', { count: day.other_currency })}</Text>}
        {day.unread > 0 && <Text c="dimmed">{t('day.unread', { count: day.unread })}</Text>}
      </Stack>
    </Card>
  )
}
