/** The list of intents. Its filters are in the URL: a filtered list can be shared, and Back works. */

import { Button, Group, Pagination, Text, TextInput } from '@mantine/core'
import { firstPage } from '@sanad/contract/dashboard/first-queries'
import { intentStatuses } from '@sanad/contract/kinds'
import { IconDownload } from '@tabler/icons-react'
import { type MouseEvent, useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { type Answer, urlOf } from '../../api/call.ts'
import { downloadWithProof } from '../../api/download.ts'
import { useApi } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { AddButton } from '../../parts/form/add-button.tsx'
import { Chips } from '../../parts/form/chips.tsx'
import { Problem } from '../../parts/form/problem.tsx'
import { SearchField } from '../../parts/form/search-field.tsx'
import { Select } from '../../parts/form/select.tsx'
import { ArrivalNote } from '../../parts/format/arrival.tsx'
import { useNow } from '../../parts/format/clock.ts'
import { Code, Money, State, When } from '../../parts/format/figures.tsx'
import { Quiet } from '../../parts/format/quiet.tsx'
import { receivedAmount } from '../../parts/format/received-amount.ts'
import { WalletName, walletChoices } from '../../parts/format/wallet-name.tsx'
import { type Column, Rows } from '../../parts/list/rows.tsx'
import { filtersIn, lastMomentOf, withFilters } from '../../parts/list/url-filters.ts'
import { Empty, Loading, Page } from '../../parts/page/page.tsx'
import { relativeTime } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { intentsWords } from '../../words/screens/intents.ts'
import classes from './intents.module.css'
import { NewIntent } from './new-intent.tsx'

type ListedIntent = Answer<'listIntents'>['results'][number]

const pageSize = firstPage.intents.page_size
/** The shortest text that the global search accepts. */
const shortestSearch = 2
const filterNames = ['search', 'status', 'wallet', 'created_after', 'created_before'] as const

export const IntentList = () => {
  const { t } = useWords(intentsWords)
  const { may } = useMe()
  const [params, setParams] = useSearchParams()
  const [isCreating, setCreating] = useState(params.get('new') === '1')
  const page = Math.max(Number(params.get('page') ?? '1') || 1, 1)
  const filters = filtersIn<'listIntents'>(params, filterNames)
  const filtered = Object.values(filters).some((value) => value !== undefined && value !== '')
  const sentFilters = { ...filters, created_before: lastMomentOf(filters.created_before) }
  const intents = useApi('listIntents', {
    query: { ...sentFilters, page, page_size: pageSize },
    kinds: ['intent', 'alert'],
    keep: true,
  })

  const set = (changes: Record<string, string>): void =>
    setParams((params) => withFilters(params, { page: '', new: '', ...changes }))

  return (
    <Page
      title={t('frame.intents')}
      actions={
        <>
          <Button
            component="a"
            variant="default"
            href={urlOf('intentsCsv', { query: sentFilters })}
            download
            onClick={(event: MouseEvent) => {
              event.preventDefault()
              void downloadWithProof(urlOf('intentsCsv', { query: sentFilters }))
            }}
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            {t('act.csv')}
          </Button>
          {may('intents.write') && <AddButton label={t('intents.new')} onClick={() => setCreating(true)} />}
        </>
      }
    >
      <Filters params={params} set={set} />
      {intents.isError && <Problem problem={intents.error} retry={() => void intents.refetch()} />}
      {intents.isPending && <Loading rows={10} />}
      {intents.data !== undefined &&
        (intents.data.results.length === 0 ? (
          <Nothing
            search={filters.search ?? ''}
            filtered={filtered}
            clear={() => setParams(new URLSearchParams())}
            create={may('intents.write') ? () => setCreating(true) : undefined}
          />
        ) : (
          <Found intents={intents.data} page={page} turn={(to) => set({ page: String(to) })} />
        ))}
      {isCreating && <NewIntent close={() => setCreating(false)} />}
    </Page>
  )
}

/** No intent matches. If alerts match, a link shows them: a user who searches for a reference looks for the money. */
const Nothing = ({
  search,
  filtered,
  clear,
  create,
}: {
  search: string
  filtered: boolean
  clear: () => void
  create: (() => void) | undefined
}) => {
  const { t } = useWords(intentsWords)
  const { may } = useMe()
  const canSearch = search.trim().length >= shortestSearch && may('unmatched.read')
  const found = useApi('search', { query: { q: search.trim() }, kinds: ['intent', 'alert'], when: canSearch })
  const money = found.data?.alerts.length ?? 0
  if (found.isLoading) return <Loading rows={2} />
  return (
    <Empty
      action={
        filtered ? (
          <Group justify="center" gap="xs">
            {money > 0 && (
              <Button component={Link} href={`/search?q=${encodeURIComponent(search.trim())}`}>
                {t('intents.showMoney', { count: money })}
              </Button>
            )}
            <Button variant="default" onClick={clear}>
              {t('list.clear')}
            </Button>
          </Group>
        ) : (
          create !== undefined && <AddButton label={t('intents.new')} onClick={create} />
        )
      }
    >
      {t(money > 0 ? 'intents.inMoney' : filtered ? 'list.noneFound' : 'intents.none')}
    </Empty>
  )
}

const Found = ({
  intents,
  page,
  turn,
}: {
  intents: Answer<'listIntents'>
  page: number
  turn: (to: number) => void
}) => {
  const { t, language } = useWords(intentsWords)
  const now = useNow()
  const pages = Math.max(Math.ceil(intents.count / pageSize), 1)
  const columns: Column<ListedIntent>[] = [
    {
      head: t('field.amount'),
      cell: (intent) => (
        <>
          <Money amount={receivedAmount(intent)} currency={intent.currency} strong />
          <ArrivalNote of={intent} currency={intent.currency} />
        </>
      ),
    },
    {
      head: t('field.state'),
      cell: (intent) => (
        <>
          <State state={intent.status} />
          {intent.unmatched !== null && (
            <Text size="xs" c="var(--sanad-pending)">
              {t('intents.hint', { when: relativeTime(intent.unmatched.received_at, now, language) })}
            </Text>
          )}
        </>
      ),
    },
    {
      head: t('field.order'),
      cell: (intent) => <Code free>{intent.external_order_id}</Code>,
      blank: (intent) => intent.external_order_id === '',
    },
    { head: t('intents.code'), cell: (intent) => <Code>{intent.code}</Code>, wideOnly: true, whole: true },
    {
      head: t('field.reference'),
      cell: (intent) => <Code>{intent.reference}</Code>,
      whole: true,
      blank: (intent) => intent.reference === '',
    },
    { head: t('field.wallet'), cell: (intent) => <WalletName wallet={intent.wallet} /> },
    { head: t('field.created'), cell: (intent) => <When at={intent.created_at} />, end: true, whole: true },
  ]
  return (
    <>
      <Rows
        label={t('frame.intents')}
        rows={intents.results}
        columns={columns}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/intents/${id}`}
      />
      <Group justify="space-between">
        <Quiet>{t('intents.found', { count: intents.count })}</Quiet>
        {pages > 1 && (
          <Pagination
            total={pages}
            value={page}
            onChange={turn}
            size="sm"
            siblings={1}
            getControlProps={(control) => ({ 'aria-label': t(control === 'next' ? 'part.next' : 'part.previous') })}
          />
        )}
      </Group>
    </>
  )
}

const Filters = ({ params, set }: { params: URLSearchParams; set: (changes: Record<string, string>) => void }) => {
  const { t } = useWords(intentsWords)
  const wallets = useApi('listWallets', { kinds: ['wallet'] })
  return (
    <div className={classes.filters}>
      <SearchField
        className={classes.search}
        label={t('intents.search')}
        searched={params.get('search') ?? ''}
        search={(search) => set({ search })}
      />
      <Select
        className={classes.wallet}
        aria-label={t('field.wallet')}
        placeholder={t('field.wallet')}
        data={walletChoices(wallets.data?.results ?? [], t)}
        value={params.get('wallet')}
        onChange={(chosen) => set({ wallet: chosen ?? '' })}
        clearable
      />
      <TextInput
        type="date"
        aria-label={t('field.from')}
        label={t('field.from')}
        value={params.get('created_after') ?? ''}
        onChange={(event) => set({ created_after: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        aria-label={t('field.until')}
        label={t('field.until')}
        value={params.get('created_before') ?? ''}
        onChange={(event) => set({ created_before: event.currentTarget.value })}
      />
      <Chips
        label={t('field.state')}
        options={intentStatuses.map((state) => ({ value: state, label: t(`state.${state}`) }))}
        value={(params.get('status') ?? '').split(',').filter((state) => state !== '')}
        onChange={(chosen) => set({ status: chosen.join(',') })}
        className={classes.states}
      />
    </div>
  )
}
