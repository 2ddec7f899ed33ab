/** One intent: its voucher, the details, the timeline and the message. */
import { Anchor, Button, Collapse, Grid, Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'wouter'
import { useApi, useApiMutation } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { Confirm } from '../../parts/form/confirm.tsx'
import { Code, Count, Money, When } from '../../parts/format/figures.tsx'
import { orderText } from '../../parts/format/order-name.ts'
import { Quiet } from '../../parts/format/quiet.tsx'
import { TestMark } from '../../parts/format/wallet-name.tsx'
import rows from '../../parts/list/rows.module.css'
import { BackTo } from '../../parts/page/back-to.tsx'
import { HeadLine } from '../../parts/page/head-line.tsx'
import { LoadFailed } from '../../parts/page/load-failed.tsx'
import { Card, Loading } from '../../parts/page/page.tsx'
import { moneyText } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { intentsWords } from '../../words/screens/intents.ts'
import { unmatchedWords } from '../../words/screens/unmatched.ts'
import { Claims } from './claims.tsx'
import type { ShownIntent } from './intent.ts'
import { IntentDetails } from './intent-details.tsx'
import { Paper } from './paper.tsx'
import { Timeline } from './timeline.tsx'

export const OneIntent = ({ id }: { id: string }) => {
  const { t, language } = useWords(intentsWords, unmatchedWords)
  const intent = useApi('showIntent', {
    path: { id },
    kinds: ['intent', 'alert', 'delivery', 'phone'],
    every_ms: 60_000,
  })
  if (intent.isError)
    return (
      <LoadFailed
        list="/intents"
        title={t('frame.intents')}
        problem={intent.error}
        retry={() => void intent.refetch()}
      />
    )
  if (intent.data === undefined) return <Loading rows={10} />
  const shown = intent.data
  return (
    <VoucherPage title={orderText(shown, t)} actions={<Actions intent={shown} />}>
      <HeadLine>
        <BackTo href="/intents" name={t('frame.intents')} inRow />
        {shown.wallet.is_test && <TestMark />}
      </HeadLine>
      {shown.why?.some(({ code }) => code === 'amount_awaited') && (
        <Text fw={600} role="note">
          {t('intent.sendExactly', {
            amount: moneyText(shown.payable_amount, shown.currency, language),
            base: moneyText(shown.base_amount, shown.currency, language),
          })}
        </Text>
      )}
      <Paper key={shown.id} intent={shown} />
      <Claims claims={shown.claims} intentId={shown.id} />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Stack>
            <IntentDetails intent={shown} />
            {shown.items.length > 0 && <Items intent={shown} />}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Stack>
            <Timeline intent={shown} />
            {shown.alert !== null && <RawText text={shown.alert.text} />}
            <Deliveries told={shown.told} />
          </Stack>
        </Grid.Col>
      </Grid>
    </VoucherPage>
  )
}

/** As `Page`, with the title on the paper. */
const VoucherPage = (props: { title: string; actions: ReactNode; children: ReactNode }) => {
  useEffect(() => {
    document.title = `${props.title} · Sanad`
  }, [props.title])
  return (
    <Stack gap="lg">
      {props.children}
      <Group gap="xs">{props.actions}</Group>
    </Stack>
  )
}

const Actions = ({ intent }: { intent: ShownIntent }) => {
  const { t, language } = useWords(intentsWords)
  const { may } = useMe()
  const cancel = useApiMutation('cancelIntent', ['intent'])
  const [isConfirming, setConfirming] = useState(false)
  if (intent.status !== 'PENDING' || !may('intents.write')) return null
  return (
    <>
      <Button variant="default" onClick={() => setConfirming(true)}>
        {t('intent.cancel')}
      </Button>
      {isConfirming && (
        <Confirm
          title={t('intent.cancel')}
          submitLabel={t('intent.cancel')}
          danger
          call={cancel}
          no={() => setConfirming(false)}
          yes={() => cancel.mutate({ path: { id: intent.id } }, { onSuccess: () => setConfirming(false) })}
        >
          <Text>{t('intent.cancelSure', { amount: moneyText(intent.payable_amount, intent.currency, language) })}</Text>
        </Confirm>
      )}
    </>
  )
}

const Items = ({ intent }: { intent: ShownIntent }) => {
  const { t } = useWords(intentsWords)
  return (
    <Card pad={0}>
      <div style={{ overflowX: 'auto' }}>
        <table aria-label={t('intent.items')} className={rows.table}>
          <thead>
            <tr>
              <th>{t('intent.item')}</th>
              <th data-end>{t('intent.price')}</th>
              <th data-end>{t('intent.quantity')}</th>
              <th data-end>{t('field.total')}</th>
            </tr>
          </thead>
          <tbody>
            {intent.items.map((item, line) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines of an order never change
              <tr key={line}>
                <td>
                  <bdi>{item.name}</bdi>
                  {item.description !== '' && (
                    <Text size="xs" c="dimmed">
                      {item.description}
                    </Text>
                  )}
                </td>
                <td data-end>
                  <Money amount={item.price} currency={intent.currency} />
                </td>
                <td data-end>
                  <Count>{item.quantity}</Count>
                </td>
                <td data-end>
                  <Money amount={item.total_price} currency={intent.currency} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}

export const RawText = ({ text }: { text: string }) => {
  const { t } = useWords(intentsWords)
  const [open, setOpen] = useState(false)
  return (
    <Card>
      <Button variant="transparent" px={0} size="compact-sm" onClick={() => setOpen(!open)} aria-expanded={open}>
        {t('intent.raw')}
      </Button>
      <Collapse expanded={open}>
        <Text mt="xs" dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {text}
        </Text>
      </Collapse>
    </Card>
  )
}

const Deliveries = ({ told }: { told: ShownIntent['told'] }) => {
  const { t } = useWords(intentsWords)
  const { may } = useMe()
  if (told.length === 0) return null
  return (
    <Card>
      <Title order={2} mb="xs">
        {t('intent.told')}
      </Title>
      <Stack gap={4}>
        {told.map((delivery) => (
          <Group key={`${delivery.event} ${delivery.delivery}`} justify="space-between">
            <Stack gap={0}>
              <Code>{delivery.kind}</Code>
              {delivery.endpoint_name !== null && (
                <Text size="sm" c="dimmed" dir="ltr" className="named">
                  {delivery.endpoint_name}
                </Text>
              )}
              {delivery.state === 'retrying' && (
                <Quiet>
                  {t('intent.told.attempts', { count: delivery.attempts })}
                  {delivery.next_attempt_at !== null && (
                    <>
                      {' · '}
                      {t('field.nextAttempt')} <When at={delivery.next_attempt_at} />
                    </>
                  )}
                </Quiet>
              )}
            </Stack>
            {delivery.endpoint !== null && delivery.delivery !== null && may('webhooks.read') ? (
              <Anchor component={Link} href={`/webhooks/${delivery.endpoint}?delivery=${delivery.delivery}`}>
                {t(`intent.told.${delivery.state}`)}
              </Anchor>
            ) : (
              <Text size="sm">{t(`intent.told.${delivery.state}`)}</Text>
            )}
          </Group>
        ))}
      </Stack>
    </Card>
  )
}
