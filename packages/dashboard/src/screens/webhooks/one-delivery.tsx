/** One delivery: the body, every attempt with its result, and sending it again. */
import { Anchor, Code as Block, Button, Stack, Text, Title } from '@mantine/core'
import { usualCurrency } from '@sanad/contract/currency'
import { Link } from 'wouter'
import type { Answer } from '../../api/call.ts'
import { useApi, useApiMutation } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { Problem } from '../../parts/form/problem.tsx'
import { SideDrawer } from '../../parts/form/side-drawer.tsx'
import { ForgivenSum } from '../../parts/format/arrival.tsx'
import { Clock, Code, Money } from '../../parts/format/figures.tsx'
import { indentedJson } from '../../parts/format/indented-json.ts'
import { Quiet } from '../../parts/format/quiet.tsx'
import { Card, Loading } from '../../parts/page/page.tsx'
import { exactTime } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { intentsWords } from '../../words/screens/intents.ts'
import { webhooksWords } from '../../words/screens/webhooks.ts'
import { outcomeText } from './outcome-text.ts'

const headerLines = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

/** The response as text; empty if there was none. */
const responseText = ({ headers, body }: { headers: Readonly<Record<string, string>>; body: string }): string =>
  `${headerLines(headers)}\n\n${body}`.trim()

export const OneDelivery = ({ id, delivery, close }: { id: string; delivery: string; close: () => void }) => {
  const { t, language } = useWords(intentsWords, webhooksWords)
  const { may, zone } = useMe()
  const shown = useApi('showDelivery', { path: { id, delivery }, kinds: ['delivery'], every_ms: 5000 })
  const again = useApiMutation('redeliver', ['delivery', 'webhook'])
  return (
    <SideDrawer title={t('webhooks.delivery')} wide close={close}>
      {shown.isError && <Problem problem={shown.error} />}
      {shown.isPending && <Loading />}
      {shown.data !== undefined && (
        <Stack>
          <div>
            <Code>{shown.data.kind}</Code>
            <Text fw={600}>{t(`intent.told.${shown.data.state}`)}</Text>
            {shown.data.attempts > 0 && (
              <Text c="dimmed">{t('webhooks.attemptsMade', { count: shown.data.attempts })}</Text>
            )}
            {shown.data.order !== null && (
              <Text>
                {t('field.order')}{' '}
                {shown.data.intent === null ? (
                  <Code>{shown.data.order}</Code>
                ) : (
                  <Anchor component={Link} href={`/intents/${shown.data.intent}`}>
                    <Code>{shown.data.order}</Code>
                  </Anchor>
                )}
              </Text>
            )}
            {shown.data.arrived_amount !== null && (
              <Text component="div">
                {t('webhooks.arrived')} <Money amount={shown.data.arrived_amount} currency={usualCurrency} />
                <ForgivenSum amount={shown.data.forgiven_amount ?? '0.00'} currency={usualCurrency} />
              </Text>
            )}
            {shown.data.replay > 0 && <Text c="dimmed">{t('webhooks.byHand')}</Text>}
            {shown.data.next_attempt_at !== null && (
              <Text c="dimmed">
                {t('webhooks.next', { when: exactTime(shown.data.next_attempt_at, language, zone) })}
              </Text>
            )}
          </div>
          {may('webhooks.write') && (
            <Button
              loading={again.isPending}
              onClick={() => again.mutate({ path: { id, delivery } }, { onSuccess: close })}
            >
              {t('webhooks.again')}
            </Button>
          )}
          {again.error !== null && <Problem problem={again.error} />}
          <Title order={3}>{t('field.sent')}</Title>
          {shown.data.body === null ? (
            <Text c="dimmed">{t('webhooks.bodyGone')}</Text>
          ) : (
            <Block block dir="ltr" tabIndex={0}>
              {indentedJson(shown.data.body)}
            </Block>
          )}
          {shown.data.log.map((attempt) => (
            <Attempt key={attempt.attempt} attempt={attempt} />
          ))}
        </Stack>
      )}
    </SideDrawer>
  )
}

const stages = ['dns_ms', 'connect_ms', 'first_byte_ms', 'total_ms'] as const

const Attempt = ({ attempt }: { attempt: Answer<'showDelivery'>['log'][number] }) => {
  const { t } = useWords(webhooksWords)
  const { request, response, took } = attempt
  const times = stages.flatMap((stage) => {
    const ms = took[stage]
    return typeof ms === 'number'
      ? [t('webhooks.took', { stage: t(`webhooks.took.${stage}`), ms: Math.round(ms) })]
      : []
  })
  return (
    <Card>
      <Stack gap="xs">
        <Title order={3}>
          {t('webhooks.attempt', { number: attempt.attempt })}
          {attempt.at !== null && (
            <>
              {' · '}
              <Clock at={attempt.at} />
            </>
          )}
        </Title>
        <Text c={attempt.outcome === 'ok' ? 'var(--sanad-verified)' : 'var(--sanad-wrong)'} fw={600}>
          {attempt.status !== null && `${attempt.status} · `}
          {outcomeText(attempt, t)}
        </Text>
        {attempt.status === null && attempt.error !== '' && (
          <Text size="sm" c="dimmed" lang="en" dir="ltr" className="named">
            {attempt.error}
          </Text>
        )}
        {times.length > 0 && <Quiet>{times.join(' · ')}</Quiet>}
        <Quiet>{t('webhooks.request')}</Quiet>
        <Block block dir="ltr" tabIndex={0}>
          {`POST ${request.url}\n${headerLines(request.headers)}`.trim()}
        </Block>
        {responseText(response) !== '' && (
          <>
            <Quiet>{t('field.answer')}</Quiet>
            <Block block dir="ltr" tabIndex={0}>
              {responseText(response)}
            </Block>
          </>
        )}
      </Stack>
    </Card>
  )
}
