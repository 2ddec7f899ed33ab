/** A reading of a message, slot by slot; and the state of an alert in one line. */
import { Text } from '@mantine/core'
import { usualCurrency } from '@sanad/contract/currency'
import { IconArrowDownLeft, IconArrowUpRight } from '@tabler/icons-react'
import { Code, Money } from '../../parts/format/figures.tsx'
import { DetailRow } from '../../parts/list/detail-row.tsx'
import { useWords } from '../../words/language.ts'
import { templatesWords } from '../../words/screens/templates.ts'
import type { Reading, Standing } from './template.ts'

export const ReadingView = ({ reading }: { reading: Reading }) => {
  const { t } = useWords(templatesWords)
  const { amount, currency, reference, payer, phone, balance, fee, others } = reading
  return (
    <dl style={{ margin: 0, display: 'grid', gap: 4 }}>
      <DetailRow
        name={t(`templates.${reading.direction}`)}
        value={<Money amount={amount} currency={currency} strong />}
      />
      {reference !== null && <DetailRow name={t('templates.slot.reference')} value={<Code>{reference}</Code>} />}
      {payer !== null && <DetailRow name={t('templates.slot.payer')} value={<bdi>{payer}</bdi>} />}
      {phone !== null && <DetailRow name={t('templates.slot.phone')} value={<Code>{phone}</Code>} />}
      {balance !== null && (
        <DetailRow name={t('templates.slot.balance')} value={<Money amount={balance} currency={currency} />} />
      )}
      {fee !== null && <DetailRow name={t('templates.slot.fee')} value={<Money amount={fee} currency={currency} />} />}
      {Object.entries(others).map(([name, value]) => (
        <DetailRow key={name} name={t('templates.slot.changing')} value={<bdi>{value}</bdi>} />
      ))}
    </dl>
  )
}

export const StandingView = ({ standing }: { standing: Standing }) => {
  const { t } = useWords(templatesWords)
  const { kind, amount, currency, reference, direction, unexpected_words } = standing
  if (kind !== 'read' || amount === null) return <Text c="dimmed">{t(`templates.standing.${kind}`)}</Text>
  const Picture = direction === 'debit' ? IconArrowUpRight : IconArrowDownLeft
  return (
    <span style={{ display: 'inline-flex', gap: 8, alignItems: 'center', flexWrap: 'wrap' }}>
      <Picture size={16} role="img" aria-label={t(`templates.${direction ?? 'credit'}`)} />
      <Money amount={amount} currency={currency ?? usualCurrency} />
      {reference !== null && reference !== '' && <Code>{reference}</Code>}
      {unexpected_words && (
        <Text span size="sm" c="dimmed">
          {t('templates.standing.waits')}
        </Text>
      )}
    </span>
  )
}
