/** All endpoints and their state. */
import { useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import type { Answer } from '../../api/call.ts'
import { useApi } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { AddButton } from '../../parts/form/add-button.tsx'
import { Problem } from '../../parts/form/problem.tsx'
import { Code, When } from '../../parts/format/figures.tsx'
import { type Column, Rows } from '../../parts/list/rows.tsx'
import { Lead } from '../../parts/page/lead.tsx'
import { Empty, Loading, Page } from '../../parts/page/page.tsx'
import { useWords } from '../../words/language.ts'
import { noticesWords } from '../../words/screens/notices.ts'
import { webhooksWords } from '../../words/screens/webhooks.ts'
import { EndpointSecret } from './endpoint-secret.tsx'
import { successPercent, type Webhook } from './webhook.ts'
import { WebhookForm } from './webhook-form.tsx'
import { WebhookState } from './webhook-state.tsx'

export const WebhookList = () => {
  const { t } = useWords(noticesWords, webhooksWords)
  const { may } = useMe()
  const [, go] = useLocation()
  const list = useApi('listWebhooks', { kinds: ['webhook', 'delivery'], every_ms: 15_000 })
  const [params] = useSearchParams()
  // `?new=1`: opened from another screen that needs an endpoint.
  const [adding, setAdding] = useState(params.has('new') && may('webhooks.secrets'))
  const [created, setCreated] = useState<Answer<'createWebhook'> | undefined>(undefined)
  const columns: Column<Webhook>[] = [
    {
      head: t('webhooks.url'),
      // Wide enough for a usual address, which would otherwise be wrapped because the names of the events are long.
      cell: ({ url }) => (
        <span style={{ display: 'inline-block', minWidth: '28ch' }}>
          <Code>{url}</Code>
        </span>
      ),
    },
    { head: t('field.state'), cell: (webhook) => <WebhookState webhook={webhook} /> },
    {
      head: t('webhooks.kinds'),
      cell: ({ kinds }) => kinds.map((kind) => t(`webhooks.kind.${kind}`)).join(' · '),
      wideOnly: true,
    },
    {
      head: t('webhooks.lastDay'),
      cell: ({ last_day: { arrived, failed } }) =>
        arrived + failed === 0 ? '' : t('webhooks.rate', { percent: successPercent({ arrived, failed }) }),
    },
    {
      head: t('webhooks.lastSuccess'),
      whole: true,
      cell: ({ health }) =>
        health.last_success_at === null ? t('webhooks.never') : <When at={health.last_success_at} />,
      end: true,
    },
  ]
  const add = may('webhooks.secrets') && <AddButton label={t('act.addEndpoint')} onClick={() => setAdding(true)} />
  return (
    <Page title={t('webhooks.title')} actions={add}>
      {may('webhooks.write') && !may('webhooks.secrets') && <Lead>{t('owner.webhooks')}</Lead>}
      {list.isError && <Problem problem={list.error} retry={() => void list.refetch()} />}
      {list.isPending && <Loading rows={4} />}
      {list.data !== undefined &&
        (list.data.results.length === 0 ? (
          <Empty action={add}>{t('webhooks.none')}</Empty>
        ) : (
          <Rows
            label={t('webhooks.title')}
            rows={list.data.results}
            columns={columns}
            keyOf={({ id }) => id}
            linkOf={({ id }) => `/webhooks/${id}`}
          />
        ))}
      {adding && (
        <WebhookForm
          webhook={undefined}
          onSuccess={(answer) => {
            setAdding(false)
            setCreated(answer)
          }}
          close={() => setAdding(false)}
        />
      )}
      {created !== undefined && (
        <EndpointSecret secret={created.secret} close={() => go(`/webhooks/${created.webhook.id}`)} />
      )}
    </Page>
  )
}
