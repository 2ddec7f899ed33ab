/** The queue of unmatched money, one card per alert, for a user to resolve. */

import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { firstPage } from '@sanad/contract/dashboard/first-queries'
import { useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { useApi, usePagedList } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { Chips } from '../../parts/form/chips.tsx'
import { Select } from '../../parts/form/select.tsx'
import { walletChoices } from '../../parts/format/wallet-name.tsx'
import { GrowingList } from '../../parts/list/growing-list.tsx'
import { useIncrementalRows } from '../../parts/list/incremental-rows.ts'
import { withFilters } from '../../parts/list/url-filters.ts'
import { Empty, Page } from '../../parts/page/page.tsx'
import { inDigits } from '../../words/digits.ts'
import { useWords } from '../../words/language.ts'
import { intentsWords } from '../../words/screens/intents.ts'
import { unmatchedWords } from '../../words/screens/unmatched.ts'
import { walletsWords } from '../../words/screens/wallets.ts'
import { AlertCard } from './alert-card.tsx'
import { samePayerIntent } from './likely-reason.ts'
import { type Outcome, OutcomeContext, OutcomeLine } from './outcome.tsx'
import type { QueueAlert } from './queue-alert.ts'

const states = ['waiting', 'review', 'wrong_amount', 'held', 'unread', 'dismissed'] as const

export const Queue = () => {
  const { t, language } = useWords(intentsWords, unmatchedWords, walletsWords)
  const { may } = useMe()
  const [params, setParams] = useSearchParams()
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), 300)
  const wallets = useApi('listWallets', { kinds: ['wallet'] })
  const counts = useApi('countUnmatched', { kinds: ['alert'] })
  const state = params.get('state') ?? ''
  const wallet = params.get('wallet') ?? ''
  const list = usePagedList('listUnmatched', {
    query: { state, wallet, search, ...firstPage.unmatched },
    kinds: ['alert', 'intent'],
  })
  const set = (name: string, value: string): void => setParams((params) => withFilters(params, { [name]: value }))
  const label = (one: (typeof states)[number]): string => {
    const many = one === 'dismissed' ? undefined : counts.data?.[one]
    const name = t(`unmatched.state.${one}`)
    return many === undefined ? name : `${name} (${inDigits(String(many.count), language)}${many.more ? '+' : ''})`
  }
  const shown = `${state} ${wallet} ${search}`
  const [recorded, setRecorded] = useState<{ of: string; outcomes: readonly Outcome[] }>({ of: shown, outcomes: [] })
  // Outcomes are shown only under the filters they happened under.
  const outcomes = recorded.of === shown ? recorded.outcomes : []
  const record = (outcome: Outcome): void =>
    setRecorded((before) => ({
      of: shown,
      outcomes: [...(before.of === shown ? before.outcomes : []), outcome].filter(
        (one, at, all) => all.findLastIndex(({ alert }) => alert.id === one.alert.id) === at,
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
      {t('wallets.new')}
    </Button>
  )
  const nothing = (
    <Empty
      action={
        <Button variant="default" onClick={clear}>
          {t('intents.clear')}
        </Button>
      }
    >
      {t('unmatched.noneFound')}
    </Empty>
  )
  return (
    <Page title={t('unmatched.title')}>
      <Group gap="xs">
        <TextInput
          aria-label={t('unmatched.search')}
          placeholder={t('unmatched.search')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          flex="3 1 240px"
        />
        <Select
          aria-label={t('unmatched.wallet')}
          placeholder={t('unmatched.wallet')}
          data={walletChoices(wallets.data?.results ?? [], t)}
          value={wallet === '' ? null : wallet}
          onChange={(chosen) => set('wallet', chosen ?? '')}
          clearable
          flex="1 1 150px"
        />
      </Group>
      <Chips
        label={t('unmatched.state')}
        options={states.map((one) => ({ value: one, label: label(one) }))}
        value={state.split(',').filter((one) => one !== '')}
        onChange={(chosen) => set('state', chosen.join(','))}
      />
      <GrowingList
        list={list}
        empty={filtered ? nothing : <Empty action={addWallet}>{t('unmatched.none')}</Empty>}
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

/** What has one order of the same payer stands first, then the newest; a resolved alert becomes a line in place of its card. */
const AlertCards = ({ alerts, outcomes }: { alerts: readonly QueueAlert[]; outcomes: readonly Outcome[] }) => {
  const there = new Set(alerts.map(({ id }) => id))
  const entries = [
    ...alerts.map((alert) => ({
      id: alert.id,
      at: Date.parse(alert.received_at),
      first: samePayerIntent(alert) !== undefined,
      alert,
      outcome: undefined,
    })),
    ...outcomes
      .filter(({ alert }) => !there.has(alert.id))
      .map((outcome) => ({
        id: outcome.alert.id,
        at: Date.parse(outcome.alert.received_at),
        first: outcome.first ?? false,
        alert: undefined,
        outcome,
      })),
  ].toSorted((one, other) => Number(other.first) - Number(one.first) || other.at - one.at)
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
