/** Letting a held message count, putting money aside, and taking it back. Each question states the money. */
import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '../../api/ask.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Textarea } from '../../parts/later.tsx'
import { moneyText } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import type { QueueAlert } from './queue-alert.ts'

const useMoney = () => {
  const { t, language } = useWords()
  return ({ amount, currency }: QueueAlert): string =>
    amount === null ? t('unmatched.notRead') : moneyText(amount, currency ?? 'YER', language)
}

export const Release = ({ alert }: { alert: QueueAlert }) => {
  const { t } = useWords()
  const money = useMoney()
  const release = useChange('releaseHeldAlert', ['alert', 'intent'])
  const [asks, setAsks] = useState(false)
  return (
    <>
      <Button size="compact-sm" onClick={() => setAsks(true)}>
        {t('release.go')}
      </Button>
      {asks && (
        <Confirm
          title={t('release.go')}
          go={t('release.go')}
          busy={release.isPending}
          problem={release.error}
          no={() => setAsks(false)}
          yes={() => release.mutate({ path: { id: alert.id } }, { onSuccess: () => setAsks(false) })}
        >
          <Text>{t('release.sure', { paid: money(alert) })}</Text>
        </Confirm>
      )}
    </>
  )
}

export const Dismiss = ({ alert }: { alert: QueueAlert }) => {
  const { t } = useWords()
  const money = useMoney()
  const dismiss = useChange('dismissAlert', ['alert'])
  const [asks, setAsks] = useState(false)
  const [reason, setReason] = useState('')
  return (
    <>
      <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setAsks(true)}>
        {t('dismiss.go')}
      </Button>
      {asks && (
        <Confirm
          title={t(alert.amount === null ? 'dismiss.titleUnread' : 'dismiss.title')}
          go={t('dismiss.go')}
          busy={dismiss.isPending}
          problem={dismiss.error}
          no={() => setAsks(false)}
          yes={() => dismiss.mutate({ path: { id: alert.id }, body: { reason } }, { onSuccess: () => setAsks(false) })}
        >
          <Text>{alert.amount === null ? t('dismiss.sureUnread') : t('dismiss.sure', { paid: money(alert) })}</Text>
          <Textarea
            label={t('dismiss.why')}
            required
            maxLength={300}
            data-autofocus
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        </Confirm>
      )}
    </>
  )
}

export const Undo = ({ alert }: { alert: QueueAlert }) => {
  const { t } = useWords()
  const money = useMoney()
  const undo = useChange('undoDismissal', ['alert', 'intent'])
  const [asks, setAsks] = useState(false)
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={() => setAsks(true)}>
        {t('dismiss.undo')}
      </Button>
      {asks && (
        <Confirm
          title={t('dismiss.undo')}
          go={t('dismiss.undo')}
          busy={undo.isPending}
          problem={undo.error}
          no={() => setAsks(false)}
          yes={() => undo.mutate({ path: { id: alert.id } }, { onSuccess: () => setAsks(false) })}
        >
          <Text>
            {alert.amount === null ? t('dismiss.undoSureUnread') : t('dismiss.undoSure', { paid: money(alert) })}
          </Text>
        </Confirm>
      )}
    </>
  )
}
