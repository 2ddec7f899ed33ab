/** The account's own API calls of the last seven days, the newest first, with their filters in the URL. */

import { Button, Group, SegmentedControl, Stack, Text, UnstyledButton } from '@mantine/core'
import { firstPage } from '@sanad/contract/dashboard/first-queries'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { usePagedList } from '../../api/use-api.ts'
import { FilterSelect } from '../../parts/form/select.tsx'
import { Code, Count, When } from '../../parts/format/figures.tsx'
import { GrowingList } from '../../parts/list/growing-list.tsx'
import { type Column, Rows } from '../../parts/list/rows.tsx'
import { filtersIn, withFilters } from '../../parts/list/url-filters.ts'
import { Lead } from '../../parts/page/lead.tsx'
import { Empty, Page } from '../../parts/page/page.tsx'
import { useWords } from '../../words/language.ts'
import { callsWords } from '../../words/screens/calls.ts'
import type { ApiCall } from './curl-text.ts'
import { OneCall } from './one-call.tsx'

const methods = ['GET', 'POST', 'PATCH']
const statuses = ['2xx', '4xx', '5xx', '400', '401', '403', '404', '405', '409', '429']

export const statusColour = (status: number): string => (status < 400 ? 'var(--sanad-verified)' : 'var(--sanad-wrong)')

const Calls = () => {
  const { t } = useWords(callsWords)
  const [params, setParams] = useSearchParams()
  const [shown, setShown] = useState<ApiCall | undefined>(undefined)
  const filters = filtersIn<'listCalls'>(params, ['failed', 'method', 'status'])
  const filtered = Object.values(filters).some((value) => value !== undefined)
  const list = usePagedList('listCalls', { query: { ...filters, ...firstPage.calls } })
  const set = (name: string, value: string | null): void =>
    setParams((params) => withFilters(params, { [name]: value ?? '' }))
  const columns: Column<ApiCall>[] = [
    {
      head: t('calls.call'),
      cell: (call) => (
        <UnstyledButton onClick={() => setShown(call)} style={{ textDecoration: 'underline', textAlign: 'start' }}>
          <Code>{`${call.method} ${call.path}`}</Code>
        </UnstyledButton>
      ),
    },
    {
      head: t('calls.status'),
      cell: ({ status, code }) => (
        <Text component="span" inherit c={statusColour(status)}>
          <Code>{`${status} ${code}`.trim()}</Code>
        </Text>
      ),
    },
    { head: t('calls.took'), cell: ({ took_ms }) => t('calls.ms', { ms: took_ms }) },
    ...(list.rows?.some(({ skipped }) => skipped > 0)
      ? [
          {
            head: t('calls.skipped'),
            cell: ({ skipped }: ApiCall) => (skipped === 0 ? '' : <Count>{skipped}</Count>),
            blank: ({ skipped }: ApiCall) => skipped === 0,
          },
        ]
      : []),
    { head: t('field.when'), cell: ({ at }) => <When at={at} />, whole: true, end: true },
  ]
  return (
    <Page
      title={t('frame.calls')}
      actions={
        <Button variant="default" onClick={list.retry}>
          {t('calls.refresh')}
        </Button>
      }
    >
      <Stack gap="md">
        <Lead>{t('calls.lead')}</Lead>
        <Group gap="xs" align="flex-end">
          <SegmentedControl
            aria-label={t('calls.which')}
            value={params.get('failed') === '1' ? '1' : ''}
            onChange={(value) => set('failed', value || null)}
            data={[
              { value: '', label: t('part.all') },
              { value: '1', label: t('calls.failed') },
            ]}
          />
          <FilterSelect
            label={t('calls.method')}
            data={methods}
            value={params.get('method')}
            onChange={(value) => set('method', value)}
          />
          <FilterSelect
            label={t('calls.status')}
            data={statuses}
            value={params.get('status')}
            onChange={(value) => set('status', value)}
          />
        </Group>
        <GrowingList list={list} empty={<Empty>{t(filtered ? 'calls.noneFound' : 'calls.none')}</Empty>}>
          {(rows) => <Rows label={t('frame.calls')} rows={rows} columns={columns} keyOf={({ id }) => id} />}
        </GrowingList>
      </Stack>
      {shown !== undefined && <OneCall shown={shown} close={() => setShown(undefined)} />}
    </Page>
  )
}

export default Calls
