/** Release, dismiss and restore an alert. Each confirmation states the amount. */

import { Button, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation } from '../../api/use-api.ts'
import { bindText } from '../../parts/form/bind.ts'
import { Confirm } from '../../parts/form/confirm.tsx'
import { ignoreShownError } from '../../parts/form/problem.tsx'
import { useWords } from '../../words/language.ts'
import { unmatchedWords } from '../../words/screens/unmatched.ts'
import { type MoneyOfAlert, useAlertMoney } from './alert-money.ts'
import { type Outcome, useOutcome, usePaidOutcome } from './outcome.tsx'

/** The fields of an alert that the confirmations show. */
type ConfirmedAlert = MoneyOfAlert & Outcome['alert']

export const Release = ({ alert }: { alert: ConfirmedAlert }) => {
  const { t } = useWords(unmatchedWords)
  const money = useAlertMoney()
  const showPaid = usePaidOutcome(money)
  const release = useApiMutation('releaseHeldAlert', ['alert', 'intent'])
  const [isConfirming, setConfirming] = useState(false)
  return (
    <>
      <Button size="compact-sm" onClick={() => setConfirming(true)}>
        {t('release.go')}
      </Button>
      {isConfirming && (
        <Confirm
          title={t('release.go')}
          submitLabel={t('release.go')}
          call={release}
          no={() => setConfirming(false)}
          yes={() =>
            void release.mutateAsync({ path: { id: alert.id } }).then((answer) => {
              setConfirming(false)
              showPaid(answer)
            }, ignoreShownError)
          }
        >
          <Text>{t('release.sure', { paid: money(alert) })}</Text>
        </Confirm>
      )}
    </>
  )
}

export const Dismiss = ({ alert }: { alert: ConfirmedAlert }) => {
  const { t } = useWords(unmatchedWords)
  const money = useAlertMoney()
  const showOutcome = useOutcome()
  const dismiss = useApiMutation('dismissAlert', ['alert', 'intent'])
  const [isConfirming, setConfirming] = useState(false)
  const [reason, setReason] = useState('')
  const send = (): void =>
    void dismiss.mutateAsync({ path: { id: alert.id }, body: { reason } }).then(() => {
      setConfirming(false)
      const text = alert.amount === null ? t('dismiss.doneUnread') : t('dismiss.done', { paid: money(alert) })
      showOutcome({ alert, text })
    }, ignoreShownError)
  return (
    <>
      <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setConfirming(true)}>
        {t('dismiss.go')}
      </Button>
      {isConfirming && (
        <Confirm
          title={t(alert.amount === null ? 'dismiss.titleUnread' : 'dismiss.title')}
          submitLabel={t('dismiss.go')}
          call={dismiss}
          no={() => setConfirming(false)}
          yes={send}
        >
          <Text>{alert.amount === null ? t('dismiss.sureUnread') : t('dismiss.sure', { paid: money(alert) })}</Text>
          <Textarea label={t('dismiss.why')} required maxLength={300} data-autofocus {...bindText(reason, setReason)} />
        </Confirm>
      )}
    </>
  )
}

export const Undo = ({ alert }: { alert: ConfirmedAlert }) => {
  const { t } = useWords(unmatchedWords)
  const money = useAlertMoney()
  const showPaid = usePaidOutcome(money)
  const undo = useApiMutation('undoDismissal', ['alert', 'intent'])
  const [isConfirming, setConfirming] = useState(false)
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={() => setConfirming(true)}>
        {t('dismiss.undo')}
      </Button>
      {isConfirming && (
        <Confirm
          title={t('dismiss.undo')}
          submitLabel={t('dismiss.undo')}
          call={undo}
          no={() => setConfirming(false)}
          yes={() =>
            void undo.mutateAsync({ path: { id: alert.id } }).then((answer) => {
              setConfirming(false)
              showPaid(answer)
            }, ignoreShownError)
          }
        >
          <Text>
            {alert.amount === null ? t('dismiss.undoSureUnread') : t('dismiss.undoSure', { paid: money(alert) })}
          </Text>
        </Confirm>
      )}
    </>
  )
}
