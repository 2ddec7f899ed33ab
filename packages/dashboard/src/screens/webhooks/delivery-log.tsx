/** What was sent to an endpoint, the newest first; one opens with its body and every attempt. */

import { SegmentedControl, Stack, Title, UnstyledButton } from '@mantine/core'
import { firstPage } from '@sanad/contract/dashboard/first-queries'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { useRows } from '../../api/ask.ts'
import { Code, Count, When } from '../../parts/figures.tsx'
import { Growing } from '../../parts/more.tsx'
import { Empty } from '../../parts/page.tsx'
import { type Column, Rows } from '../../parts/rows.tsx'
import { useWords } from '../../words/language.ts'
import { cameText } from './came.ts'
import { OneDelivery } from './one-delivery.tsx'
import type { Delivery } from './webhook.ts'

const filters = ['all', 'waiting', 'delivered', 'failed'] as const

export const DeliveryLog = ({ id }: { id: string }) => {
  const { t } = useWords()
  const [given, setGiven] = useSearchParams()
  const [state, setState] = useState<string>(firstPage.deliveries.state)
  const list = useRows('listDeliveries', {
    path: { id },
    query: { ...firstPage.deliveries, state },
    kinds: ['delivery', 'webhook', 'intent'],
  })
  const shown = given.get('delivery')
  const show = (delivery: string | undefined): void =>
    setGiven((before) => {
      const after = new URLSearchParams(before)
      if (delivery === undefined) after.delete('delivery')
      else after.set('delivery', delivery)
      return after
    })
  const columns: Column<Delivery>[] = [
    {
      head: t('webhooks.event'),
      cell: (delivery) => (
        <UnstyledButton onClick={() => show(delivery.id)} style={{ textDecoration: 'underline' }}>
          <Code>{delivery.kind}</Code>
        </UnstyledButton>
      ),
    },
    { head: t('webhooks.state'), cell: (delivery) => t(`intent.told.${delivery.state}`) },
    {
      head: t('webhooks.result'),
      cell: ({ last_attempt: last }) => (last === null ? '' : (last.status ?? cameText(last, t))),
    },
    { head: t('webhooks.attempts'), cell: ({ attempts }) => <Count>{attempts}</Count> },
    {
      head: t('webhooks.when'),
      cell: ({ event_at }) => (event_at === null ? '' : <When at={event_at} />),
      end: true,
    },
  ]
  return (
    <Stack gap="sm">
      <Title order={2}>{t('webhooks.log')}</Title>
      <SegmentedControl
        aria-label={t('webhooks.state')}
        value={state}
        onChange={setState}
        data={filters.map((filter) => ({ value: filter, label: t(`webhooks.log.${filter}`) }))}
      />
      <Growing list={list} empty={<Empty>{t('webhooks.noLog')}</Empty>}>
        {(rows) => <Rows label={t('webhooks.log')} rows={rows} columns={columns} keyOf={(row) => row.id} />}
      </Growing>
      {shown !== null && <OneDelivery id={id} delivery={shown} done={() => show(undefined)} />}
    </Stack>
  )
}
