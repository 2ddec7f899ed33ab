/** The queue of unmatched money, one card per alert, for a user to resolve. */

import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { firstPage } from '@sanad/contract/dashboard/first-queries'
import { useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { useApi, usePagedList } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { bindText } from '../../parts/form/bind.ts'
import { Chips } from '../../parts/form/chips.tsx'
import { Select } from '../../parts/form/select.tsx'
import { walletChoices } from '../../parts/format/wallet-name.tsx'
import { GrowingList } from '../../parts/list/growing-list.tsx'
import { useIncrementalRows } from '../../parts/list/incremental-rows.ts'
import { filtersIn, withFilters } from '../../parts/list/url-filters.ts'
import { Empty, Page } from '../../parts/page/page.tsx'
import { inDigits } from '../../words/digits.ts'
import { useWords } from '../../words/language.ts'
import { unmatchedWords } from '../../words/screens/unmatched.ts'
import { OpenRequests } from '../requests/open-requests.tsx'
import { AlertCard } from './alert-card.tsx'
import { samePayerIntent } from './likely-reason.ts'
import { type Outcome, OutcomeContext, OutcomeLine } from './outcome.tsx'
import type { QueueAlert } from './queue-alert.ts'

const states = ['waiting', 'review', 'wrong_amount', 'held', 'unread', 'dismissed'] as const

export const Queue = () => {
  const { t, language } = useWords(unmatchedWords)
  const { may } = useMe()
  const [params, setParams] = useSearchParams()
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), 300)
  const wallets = useApi('listWallets', { kinds: ['wallet'] })
  const counts = useApi('countUnmatched', { kinds: ['alert'] })
  const state = params.get('state') ?? ''
  const wallet = params.get('wallet') ?? ''
  const list = usePagedList('listUnmatched', {
    query: { ...filtersIn<'listUnmatched'>(params, ['state', 'wallet']), search, ...firstPage.unmatched },
    kinds: ['alert', 'intent'],
  })
  const set = (name: string, value: string): void => setParams((params) => withFilters(params, { [name]: value }))
  const labelOf = (option: (typeof states)[number]): string => {
    const counted = option === 'dismissed' ? undefined : counts.data?.[option]
    const name = t(`unmatched.state.${option}`)
    if (counted === undefined) return name
    return `${name} (${inDigits(String(counted.count), language)}${counted.more ? '+' : ''})`
  }
  const filters = `${state} ${wallet} ${search}`
  const [recorded, setRecorded] = useState<{ filters: string; outcomes: readonly Outcome[] }>({ filters, outcomes: [] })
  // Outcomes are shown only while the filters stay the same.
  const outcomes = recorded.filters === filters ? recorded.outcomes : []
  const record = (outcome: Outcome): void =>
    setRecorded((before) => ({
      filters,
      // Only the last outcome of an alert is kept.
      outcomes: [...(before.filters === filters ? before.outcomes : []), outcome].filter(
        ({ alert: { id } }, index, all) => all.findLastIndex(({ alert }) => alert.id === id) === index,
      ),
    }))
  const filtered = state !== '' || wallet !== '' || search !== ''
  const clear = (): void => {
    setText('')
    setParams(new URLSearchParams())
  }
  const isWithoutWallet = wallets.data?.results.every(({ is_test }) => is_test)
  const addWallet = isWithoutWallet && may('wallets.write') && (
    <Button component={Link} href="/wallets?new=1">
      {t('act.addWallet')}
    </Button>
  )
  const noneFound = (
    <Empty
      action={
        <Button variant="default" onClick={clear}>
          {t('list.clear')}
        </Button>
      }
    >
      {t('list.noneFound')}
    </Empty>
  )
  return (
    <Page title={t('unmatched.title')}>
      {may('requests.decide') && <OpenRequests />}
      <Group gap="xs">
        <TextInput
          aria-label={t('unmatched.search')}
          placeholder={t('unmatched.search')}
          {...bindText(text, setText)}
          flex="3 1 240px"
        />
        <Select
          aria-label={t('field.wallet')}
          placeholder={t('field.wallet')}
          data={walletChoices(wallets.data?.results ?? [], t)}
          value={wallet === '' ? null : wallet}
          onChange={(chosen) => set('wallet', chosen ?? '')}
          clearable
          flex="1 1 150px"
        />
      </Group>
      <Chips
        label={t('field.state')}
        options={states.map((option) => ({ value: option, label: labelOf(option) }))}
        value={state.split(',').filter((chosen) => chosen !== '')}
        onChange={(chosen) => set('state', chosen.join(','))}
      />
      <GrowingList
        list={list}
        empty={filtered ? noneFound : <Empty action={addWallet}>{t('unmatched.none')}</Empty>}
        keep={outcomes.length > 0}
      >
        {(alerts) => (
          <OutcomeContext value={record}>
            <AlertCards alerts={alerts} outcomes={outcomes} />
          </OutcomeContext>
        )}
      </GrowingList>
    </Page>
  )
}

/**
 * Alerts with exactly one order of the same payer come first, then the newest. When an alert is resolved, its outcome takes
 * the place of its card.
 */
const AlertCards = ({ alerts, outcomes }: { alerts: readonly QueueAlert[]; outcomes: readonly Outcome[] }) => {
  const listedIds = new Set(alerts.map(({ id }) => id))
  const entries = [
    ...alerts.map((alert) => ({
      id: alert.id,
      at: Date.parse(alert.received_at),
      first: samePayerIntent(alert) !== undefined,
      alert,
      outcome: undefined,
    })),
    ...outcomes
      .filter(({ alert }) => !listedIds.has(alert.id))
      .map((outcome) => ({
        id: outcome.alert.id,
        at: Date.parse(outcome.alert.received_at),
        first: outcome.first ?? false,
        alert: undefined,
        outcome,
      })),
  ].toSorted((left, right) => Number(right.first) - Number(left.first) || right.at - left.at)
  return (
    <Stack component="ul" gap={8} p={0} m={0} style={{ listStyle: 'none' }}>
      {useIncrementalRows(entries, 6).map(({ id, alert, outcome }) => (
        <li key={id}>
          {alert !== undefined ? <AlertCard alert={alert} /> : outcome && <OutcomeLine outcome={outcome} />}
        </li>
      ))}
    </Stack>
  )
}
