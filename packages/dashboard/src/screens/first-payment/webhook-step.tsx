/** The last step: the webhook that was sent for the payment, or how to receive one. */
import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { Answer } from '../../api/call.ts'
import { useMe } from '../../frame/session-context.ts'
import { Copyable } from '../../parts/form/shown-once.tsx'
import { Code } from '../../parts/format/figures.tsx'
import { useWords } from '../../words/language.ts'
import { firstPaymentWords } from '../../words/screens/first-payment.ts'
import { intentsWords } from '../../words/screens/intents.ts'
import { Step } from './step.tsx'

export const WebhookStep = ({ intent }: { intent: Answer<'showIntent'> | undefined }) => {
  const { t } = useWords(firstPaymentWords, intentsWords)
  const { may } = useMe()
  const verified = intent?.status === 'VERIFIED'
  const deliveries = verified ? intent.told : []
  const sent = deliveries.filter(({ state }) => state !== 'nobody')
  const arrived = sent.length > 0 && sent.every(({ state }) => state === 'delivered')
  return (
    <Step
      number={4}
      name={t('first.webhook')}
      lead={t('first.webhookLead')}
      state={arrived ? 'done' : verified ? 'now' : 'before'}
    >
      {deliveries.map((delivery) => (
        <Group key={`${delivery.event} ${delivery.delivery}`} gap="sm">
          <Code>{delivery.kind}</Code>
          {delivery.endpoint !== null && delivery.delivery !== null && may('webhooks.read') ? (
            <Anchor component={Link} href={`/webhooks/${delivery.endpoint}?delivery=${delivery.delivery}`}>
              {t(`intent.told.${delivery.state}`)}
            </Anchor>
          ) : (
            <Text>{t(`intent.told.${delivery.state}`)}</Text>
          )}
        </Group>
      ))}
      {verified && sent.length === 0 && (
        <Stack gap="xs">
          <Text>{t('first.noEndpoint')}</Text>
          <Copyable label="" value="npx --no sanad listen" />
          {may('webhooks.secrets') && (
            <Group>
              <Button component={Link} href="/webhooks?new=1" variant="default">
                {t('act.addEndpoint')}
              </Button>
            </Group>
          )}
        </Stack>
      )}
    </Step>
  )
}
