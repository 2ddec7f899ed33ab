/** The messages of the day, oldest first, each with its amount and its balance. */
import { Anchor, Stack, Title } from '@mantine/core'
import { Link } from 'wouter'
import { usePagedList } from '../../api/use-api.ts'
import { ForgivenSum } from '../../parts/format/arrival.tsx'
import { Clock, Code, Money } from '../../parts/format/figures.tsx'
import { GrowingList } from '../../parts/list/growing-list.tsx'
import { type Column, Rows } from '../../parts/list/rows.tsx'
import { Empty } from '../../parts/page/page.tsx'
import { useWords } from '../../words/language.ts'
import { dayCloseWords } from '../../words/screens/day-close.ts'
import { unmatchedWords } from '../../words/screens/unmatched.ts'
import type { Day, DayLine } from './day.ts'

export const DayLines = ({ day }: { day: Day }) => {
  const { t } = useWords(dayCloseWords, unmatchedWords)
  const list = usePagedList('listDayLines', {
    query: { wallet: day.wallet.id, day: day.day },
    kinds: ['alert', 'intent'],
  })
  const { currency } = day.wallet
  const columns: Column<DayLine>[] = [
    {
      head: t('field.amount'),
      cell: (line) =>
        line.amount === null ? (
          t('unmatched.notRead')
        ) : (
          <>
            <Money
              amount={line.direction === 'debit' ? `-${line.amount}` : line.amount}
              currency={line.currency ?? currency}
              strong
            />
            <ForgivenSum amount={line.forgiven_amount ?? '0.00'} currency={currency} />
          </>
        ),
    },
    { head: t('day.time'), cell: ({ received_at }) => <Clock at={received_at} /> },
    { head: t('field.state'), cell: ({ state }) => t(`unmatched.state.${state}`) },
    {
      head: t('field.reference'),
      cell: ({ reference }) => <Code>{reference}</Code>,
      blank: ({ reference }) => reference === '',
    },
    { head: t('field.payer'), cell: ({ payer }) => <bdi>{payer}</bdi>, blank: ({ payer }) => payer === '' },
    {
      head: t('day.intent'),
      blank: ({ intent }) => intent === null,
      cell: ({ intent, code }) =>
        intent === null ? null : (
          <Anchor component={Link} href={`/intents/${intent}`}>
            <Code>{code}</Code>
          </Anchor>
        ),
    },
    {
      head: t('day.gap'),
      end: true,
      blank: ({ missing }) => missing === null,
      cell: ({ missing }) =>
        missing === null ? null : (
          <span style={{ color: 'var(--sanad-wrong)' }}>
            <Money amount={missing} currency={currency} />
          </span>
        ),
    },
    {
      head: t('day.balance'),
      end: true,
      blank: ({ balance }) => balance === null,
      cell: ({ balance }) => (balance === null ? null : <Money amount={balance} currency={currency} />),
    },
  ]
  return (
    <Stack gap="sm">
      <Title order={2}>{t('day.lines')}</Title>
      <GrowingList list={list} empty={<Empty>{t('day.none')}</Empty>}>
        {(rows) => <Rows label={t('day.lines')} rows={rows} columns={columns} keyOf={({ alert }) => alert} />}
      </GrowingList>
    </Stack>
  )
}
