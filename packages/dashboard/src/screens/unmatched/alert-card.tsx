/** One alert: what arrived, where, from whom, why it is here; its words on demand; and what may be done with it. */
import { Badge, Button, Collapse, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { useMe } from '../../frame/me.ts'
import { Code, Money, When } from '../../parts/figures.tsx'
import { Card } from '../../parts/page.tsx'
import { useWords } from '../../words/language.ts'
import { Dismiss, Release, Undo } from './alert-actions.tsx'
import { LikelyIntents } from './likely-intents.tsx'
import type { QueueAlert } from './queue-alert.ts'

export const AlertCard = ({ alert }: { alert: QueueAlert }) => {
  const { t } = useWords()
  const { may } = useMe()
  const [open, setOpen] = useState(false)
  const { code, facts } = alert.reason
  const bookable = alert.state === 'waiting' || alert.state === 'review'
  return (
    <Card>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start">
          <Stack gap={2}>
            <Text fz={20} fw={600}>
              {alert.amount === null ? (
                t('unmatched.notRead')
              ) : (
                <Money amount={alert.amount} currency={alert.currency ?? 'YER'} />
              )}
            </Text>
            <Text c="dimmed">
              {alert.wallet?.name ?? t('unmatched.noWallet')} · <When at={alert.received_at} />
              {alert.payer !== '' && <> · {t('unmatched.from', { payer: alert.payer })}</>}
            </Text>
          </Stack>
          <Badge
            variant="outline"
            c="var(--sanad-quiet)"
            bd="1px solid var(--sanad-line)"
            tt="none"
            fw={400}
            radius="sm"
          >
            {t(`unmatched.state.${alert.state}`)}
          </Badge>
        </Group>
        <Group gap="xs">
          {alert.reference !== '' && <Code>{alert.reference}</Code>}
          {code !== '' && (
            <Text size="sm">
              {t(`reason.${code}`, {
                currency: facts.currency ?? '',
                wallet_currency: facts.wallet_currency ?? '',
              })}
            </Text>
          )}
        </Group>
        {alert.dismissed !== null && (
          <Text size="sm">{t('dismiss.by', { by: alert.dismissed.by, reason: alert.dismissed.reason })}</Text>
        )}
        {bookable && <LikelyIntents alert={alert} />}
        <Group gap="xs">
          <Button variant="transparent" px={0} size="compact-sm" onClick={() => setOpen(!open)} aria-expanded={open}>
            {t('intent.raw')}
          </Button>
          {alert.state === 'unread' && may('templates.write') && (
            <Button component={Link} href={`/templates/new?alert=${alert.id}`} size="compact-sm">
              {t('templates.teach')}
            </Button>
          )}
          {may('unmatched.write') && (
            <>
              {alert.state === 'held' && <Release alert={alert} />}
              {alert.state === 'dismissed' ? <Undo alert={alert} /> : <Dismiss alert={alert} />}
            </>
          )}
        </Group>
        <Collapse expanded={open}>
          <Text size="sm" c="dimmed">
            {alert.sender} · {alert.device.name}
          </Text>
          <Text dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {alert.text}
          </Text>
        </Collapse>
      </Stack>
    </Card>
  )
}
