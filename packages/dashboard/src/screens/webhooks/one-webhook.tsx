/** One endpoint: its state, a test request, its secret, the deliveries, and replays of a period. */
import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Answer } from '../../api/call.ts'
import { useApi, useApiMutation } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { bindTick } from '../../parts/form/bind.ts'
import { Confirm } from '../../parts/form/confirm.tsx'
import { Problem } from '../../parts/form/problem.tsx'
import { Code, Count, When } from '../../parts/format/figures.tsx'
import { shippedName } from '../../parts/format/shipped-name.ts'
import { DetailRow } from '../../parts/list/detail-row.tsx'
import { BackTo } from '../../parts/page/back-to.tsx'
import { LoadFailed } from '../../parts/page/load-failed.tsx'
import { Card, Loading, Page } from '../../parts/page/page.tsx'
import { minuteTime } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { webhooksWords } from '../../words/screens/webhooks.ts'
import { DeliveryLog } from './delivery-log.tsx'
import { EndpointSecret } from './endpoint-secret.tsx'
import { outcomeText } from './outcome-text.ts'
import { Replays } from './replays.tsx'
import { successPercent, type Webhook } from './webhook.ts'
import { WebhookForm } from './webhook-form.tsx'
import { WebhookState } from './webhook-state.tsx'

export const OneWebhook = ({ id }: { id: string }) => {
  const { t, language } = useWords(webhooksWords)
  const { may, zone } = useMe()
  const webhook = useApi('showWebhook', { path: { id }, kinds: ['webhook', 'delivery'], every_ms: 15_000 })
  if (webhook.isError)
    return (
      <LoadFailed
        list="/webhooks"
        title={t('webhooks.title')}
        problem={webhook.error}
        retry={() => void webhook.refetch()}
      />
    )
  if (webhook.data === undefined) return <Loading rows={10} />
  const shown = webhook.data
  const { health } = shown
  return (
    <Page title={t('webhooks.one')} actions={may('webhooks.write') && <Actions webhook={shown} />}>
      <Group gap="lg" mt={-16}>
        <BackTo href="/webhooks" name={t('webhooks.title')} inRow />
        <WebhookState webhook={shown} />
      </Group>
      <Warnings webhook={shown} />
      <Card>
        <dl style={{ margin: 0, display: 'grid', gap: 8 }}>
          <DetailRow name={t('webhooks.url')} value={<Code>{shown.url}</Code>} />
          <DetailRow
            name={t('webhooks.kinds')}
            value={shown.kinds.map((kind) => t(`webhooks.kind.${kind}`)).join(' · ')}
          />
          {shown.wallet !== null && <DetailRow name={t('field.wallet')} value={<WalletName id={shown.wallet} />} />}
          {shown.header_names.length > 0 && (
            <DetailRow name={t('webhooks.headers')} value={<Code>{shown.header_names.join(', ')}</Code>} />
          )}
          <DetailRow
            name={t('webhooks.lastSuccess')}
            value={health.last_success_at === null ? t('webhooks.never') : <When at={health.last_success_at} />}
          />
          <LastDay webhook={shown} />
          {health.failures > 0 && <DetailRow name={t('webhooks.failures')} value={<Count>{health.failures}</Count>} />}
          {health.breaker.state === 'open' && health.breaker.until !== null && (
            <DetailRow name={t('field.nextAttempt')} value={<When at={health.breaker.until} />} />
          )}
          {health.waiting.count > 0 && (
            <DetailRow name={t('webhooks.log.waiting')}>
              {health.waiting.more
                ? t('webhooks.waitingMore', { number: health.waiting.count })
                : t('webhooks.waiting', { count: health.waiting.count })}
              {health.waiting.failed > 0 && ` · ${t('webhooks.failedSoFar', { count: health.waiting.failed })}`}
            </DetailRow>
          )}
          {health.waiting.oldest_at !== null && (
            <DetailRow name={t('webhooks.oldest')} value={<When at={health.waiting.oldest_at} />} />
          )}
          {shown.previous_secret_until !== null && (
            <DetailRow
              name={t('webhooks.secret')}
              value={t('webhooks.previousUntil', { when: minuteTime(shown.previous_secret_until, language, zone) })}
            />
          )}
        </dl>
      </Card>
      <DeliveryLog id={shown.id} />
      {may('webhooks.write') && <Replays id={shown.id} />}
    </Page>
  )
}

/** Success rate and latency over the last 24 hours; nothing if nothing was sent. */
const LastDay = ({ webhook: { last_day: day } }: { webhook: Webhook }) => {
  const { t } = useWords(webhooksWords)
  const all = day.arrived + day.failed
  if (all === 0) return null
  const percent = successPercent(day)
  return (
    <>
      <DetailRow
        name={t('webhooks.lastDay')}
        value={t('webhooks.successRate', { percent, arrived: day.arrived, all })}
      />
      {day.p50_ms !== null && day.p95_ms !== null && (
        <DetailRow
          name={t('webhooks.latency')}
          value={t('webhooks.latencyText', { p50: day.p50_ms, p95: day.p95_ms })}
        />
      )}
    </>
  )
}

const Warnings = ({ webhook: { health, enabled } }: { webhook: Webhook }) => {
  const { t, language } = useWords(webhooksWords)
  const { zone } = useMe()
  const { warning, failing_since: since, misconfigured } = health
  return (
    <>
      {warning !== null && warning.disables_at !== null && since !== null && (
        <Alert color="red">
          {t('webhooks.warning', {
            since: minuteTime(since, language, zone),
            until: minuteTime(warning.disables_at, language, zone),
          })}
        </Alert>
      )}
      {enabled && misconfigured && <Alert color="yellow">{t('webhooks.misconfigured')}</Alert>}
    </>
  )
}

/** The wallet of an endpoint; its id until the name is loaded. */
const WalletName = ({ id }: { id: string }) => {
  const { t } = useWords()
  const wallets = useApi('listWallets', { kinds: ['wallet'] })
  return <bdi>{shippedName(wallets.data?.results.find((wallet) => wallet.id === id)?.name ?? id, t)}</bdi>
}

const Actions = ({ webhook }: { webhook: Webhook }) => {
  const { t } = useWords(webhooksWords)
  const { may } = useMe()
  const [, go] = useLocation()
  const [dialog, setDialog] = useState<'change' | 'rotate' | 'remove' | undefined>(undefined)
  const [missed, setMissed] = useState<Answer<'changeWebhook'>['missed']>(null)
  const remove = useApiMutation('deleteWebhook', ['webhook'])
  const close = (): void => setDialog(undefined)
  return (
    <>
      <Test id={webhook.id} />
      <Button variant="default" onClick={() => setDialog('change')}>
        {t('part.change')}
      </Button>
      {may('webhooks.secrets') && (
        <Button variant="default" onClick={() => setDialog('rotate')}>
          {t('act.newSecret')}
        </Button>
      )}
      <Button variant="subtle" color="red" onClick={() => setDialog('remove')}>
        {t('webhooks.remove')}
      </Button>
      {missed !== null && missed.count > 0 && <Missed id={webhook.id} missed={missed} close={() => setMissed(null)} />}
      {dialog === 'change' && (
        <WebhookForm
          webhook={webhook}
          changed={(answer) => {
            setMissed(answer.missed)
            close()
          }}
          close={close}
        />
      )}
      {dialog === 'rotate' && <Rotate id={webhook.id} close={close} />}
      {dialog === 'remove' && (
        <Confirm
          title={t('webhooks.remove')}
          submitLabel={t('webhooks.remove')}
          danger
          call={remove}
          no={close}
          yes={() => remove.mutate({ path: { id: webhook.id } }, { onSuccess: () => go('/webhooks') })}
        >
          <Text>{t('webhooks.removeSure')}</Text>
        </Confirm>
      )}
    </>
  )
}

/** Offers to send the events that were missed while the endpoint was disabled. */
const Missed = ({
  id,
  missed,
  close,
}: {
  id: string
  missed: NonNullable<Answer<'changeWebhook'>['missed']>
  close: () => void
}) => {
  const { t } = useWords(webhooksWords)
  const start = useApiMutation('startReplay', ['webhook', 'delivery'])
  const { from, until } = missed
  return (
    <Alert
      color="yellow"
      role="status"
      withCloseButton
      closeButtonLabel={t('part.close')}
      onClose={close}
      style={{ order: 1, flexBasis: '100%' }}
    >
      <Stack gap="xs" align="flex-start">
        {missed.more
          ? t('webhooks.missedMore', { number: missed.count })
          : t('webhooks.missed', { count: missed.count })}
        {start.error !== null && <Problem problem={start.error} />}
        {from !== null && (
          <Button
            variant="default"
            loading={start.isPending}
            onClick={() =>
              start.mutate(
                { path: { id }, body: { from, ...(until === null ? {} : { until }), only_undelivered: true } },
                { onSuccess: close },
              )
            }
          >
            {t('webhooks.replayGo')}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

const Test = ({ id }: { id: string }) => {
  const { t } = useWords(webhooksWords)
  const test = useApiMutation('testWebhook', [])
  const result = test.data
  return (
    <>
      <Button loading={test.isPending} onClick={() => test.mutate({ path: { id }, body: {} })}>
        {t('webhooks.test')}
      </Button>
      {test.error !== null && <Problem problem={test.error} />}
      {/* Below the buttons, so that they do not move. */}
      {result !== undefined && (
        <Stack gap={0} style={{ order: 1, flexBasis: '100%' }}>
          <Text role="status" c={result.outcome === 'ok' ? 'var(--sanad-verified)' : 'var(--sanad-wrong)'} fw={600}>
            {result.outcome === 'ok'
              ? t('webhooks.testOk', {
                  status: result.response?.status ?? 0,
                  ms: Math.round(result.took.total_ms ?? 0),
                })
              : `${result.response?.status ?? ''} ${outcomeText(result, t)}`}
          </Text>
          {result.response === null && result.error !== '' && (
            <Text size="sm" c="dimmed" lang="en" dir="ltr" className="named">
              {result.error}
            </Text>
          )}
        </Stack>
      )}
    </>
  )
}

const Rotate = ({ id, close }: { id: string; close: () => void }) => {
  const { t } = useWords(webhooksWords)
  const rotate = useApiMutation('rotateWebhookSecret', ['webhook'])
  const [atOnce, setAtOnce] = useState(false)
  if (rotate.data !== undefined) return <EndpointSecret secret={rotate.data.secret} close={close} />
  return (
    <Confirm
      title={t('act.newSecret')}
      submitLabel={t('act.newSecret')}
      call={rotate}
      no={close}
      yes={() => rotate.mutate({ path: { id }, body: atOnce ? { overlap_s: 0 } : {} })}
    >
      <Stack gap="xs">
        <Text>{t('webhooks.rotateLead')}</Text>
        <Checkbox label={t('webhooks.rotateNow')} {...bindTick(atOnce, setAtOnce)} />
      </Stack>
    </Confirm>
  )
}
