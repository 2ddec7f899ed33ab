/** The deliveries to an endpoint, newest first; a click shows the body and every attempt. */

import { SegmentedControl, Stack, Title, UnstyledButton } from '@mantine/core'
import { usualCurrency } from '@sanad/contract/currency'
import { firstPage } from '@sanad/contract/dashboard/first-queries'
import { type DeliveryFilter, deliveryFilters } from '@sanad/contract/kinds'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { usePagedList } from '../../api/use-api.ts'
import { ForgivenSum } from '../../parts/format/arrival.tsx'
import { Code, Count, Money, When } from '../../parts/format/figures.tsx'
import { GrowingList } from '../../parts/list/growing-list.tsx'
import { type Column, Rows } from '../../parts/list/rows.tsx'
import { withFilters } from '../../parts/list/url-filters.ts'
import { Empty } from '../../parts/page/page.tsx'
import { useWords } from '../../words/language.ts'
import { webhooksWords } from '../../words/screens/webhooks.ts'
import { DeliveryState } from './delivery-state.tsx'
import { OneDelivery } from './one-delivery.tsx'
import { outcomeText } from './outcome-text.ts'
import type { Delivery } from './webhook.ts'

const emptyText = {
  all: 'webhooks.noLog',
  waiting: 'webhooks.noneWaits',
  delivered: 'webhooks.noneDelivered',
  failed: 'webhooks.noneFailed',
} as const

export const DeliveryLog = ({ id }: { id: string }) => {
  const { t } = useWords(webhooksWords)
  const [params, setParams] = useSearchParams()
  const [state, setState] = useState<DeliveryFilter>(firstPage.deliveries.state)
  const list = usePagedList('listDeliveries', {
    path: { id },
    query: { ...firstPage.deliveries, state },
    kinds: ['delivery', 'webhook', 'intent'],
  })
  const shown = params.get('delivery')
  const show = (delivery: string | undefined): void =>
    setParams((params) => withFilters(params, { delivery: delivery ?? '' }))
  const columns: Column<Delivery>[] = [
    {
      head: t('webhooks.event'),
      cell: (delivery) => (
        <UnstyledButton onClick={() => show(delivery.id)} style={{ textDecoration: 'underline' }}>
          <Code>{delivery.kind}</Code>
        </UnstyledButton>
      ),
    },
    {
      head: t('field.order'),
      cell: ({ order, reference }) => {
        const name = order ?? reference
        return name === null ? '' : <Code>{name}</Code>
      },
    },
    {
      head: t('webhooks.arrived'),
      blank: ({ arrived_amount }) => arrived_amount === null,
      cell: (delivery) =>
        delivery.arrived_amount === null ? (
          ''
        ) : (
          <>
            <Money amount={delivery.arrived_amount} currency={usualCurrency} />
            <ForgivenSum amount={delivery.forgiven_amount ?? '0.00'} currency={usualCurrency} />
          </>
        ),
    },
    { head: t('field.state'), cell: (delivery) => <DeliveryState delivery={delivery} /> },
    {
      head: t('webhooks.result'),
      cell: ({ last_attempt: last }) => (last === null ? '' : (last.status ?? outcomeText(last, t))),
    },
    { head: t('webhooks.attempts'), cell: ({ attempts }) => <Count>{attempts}</Count> },
    {
      head: t('field.when'),
      cell: ({ event_at }) => (event_at === null ? '' : <When at={event_at} />),
      end: true,
    },
  ]
  return (
    <Stack gap="sm">
      <Title order={2}>{t('webhooks.log')}</Title>
      <SegmentedControl
        aria-label={t('field.state')}
        value={state}
        onChange={(chosen) => setState(chosen as DeliveryFilter)}
        data={deliveryFilters.map((filter) => ({ value: filter, label: t(`webhooks.log.${filter}`) }))}
      />
      <GrowingList list={list} empty={<Empty>{t(emptyText[state])}</Empty>}>
        {(rows) => <Rows label={t('webhooks.log')} rows={rows} columns={columns} keyOf={(row) => row.id} />}
      </GrowingList>
      {shown !== null && <OneDelivery id={id} delivery={shown} close={() => show(undefined)} />}
    </Stack>
  )
}
