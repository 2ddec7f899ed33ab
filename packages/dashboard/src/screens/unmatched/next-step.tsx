/** The next step for an alert that Sanad cannot resolve alone, if its reason needs another step than a booking. */
import { Button, Stack, Text } from '@mantine/core'
import { usualCurrency } from '@sanad/contract/currency'
import { useState } from 'react'
import { Link } from 'wouter'
import { useApiMutation } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { Confirm } from '../../parts/form/confirm.tsx'
import { ignoreShownError, Problem } from '../../parts/form/problem.tsx'
import { Quiet } from '../../parts/format/quiet.tsx'
import { useWords } from '../../words/language.ts'
import { unmatchedWords } from '../../words/screens/unmatched.ts'
import { useAlertMoney } from './alert-money.ts'
import { mayBeSame, useMissingText } from './doubts.tsx'
import { usePaidOutcome } from './outcome.tsx'
import type { QueueAlert } from './queue-alert.ts'
import classes from './unmatched.module.css'

/** The balance does not follow from the previous one: the difference is shown here, and not again among the doubts. */
export const isBrokenChain = ({ state, reason }: QueueAlert): boolean =>
  state === 'review' && reason.code === 'broken_chain'

export const NextStep = ({ alert }: { alert: QueueAlert }) => {
  const { may } = useMe()
  const { code } = alert.reason
  const mayWrite = may('unmatched.write')
  if (alert.state === 'duplicate')
    return mayWrite && (code === 'same_text' || code === 'message_part') && alert.reference === '' ? (
      <NotDuplicate alert={alert} />
    ) : null
  if (alert.state === 'dismissed') return null
  const mayBeSamePayment = code === 'amount_seen' || (alert.state === 'wrong_amount' && mayBeSame(alert))
  if (mayBeSamePayment && alert.reference !== '')
    return mayWrite ? <NotDuplicate alert={alert} mayBeSamePayment /> : null
  if (isBrokenChain(alert)) return <AcceptBalance alert={alert} mayWrite={mayWrite} />
  if (code === 'which_wallet') return mayWrite ? <ChooseWallet alert={alert} /> : null
  if (code === 'not_decided' && mayWrite)
    return (
      <div className={classes.row}>
        <ReadAgain alert={alert} isMain />
      </div>
    )
  if (alert.state !== 'unread') return null
  return (
    <div className={classes.row}>
      {code === 'unknown_sender' && <BindWallet alert={alert} />}
      {(code === 'not_understood' || code === 'ambiguous') && <MakeTemplate alert={alert} />}
      {mayWrite && <ReadAgain alert={alert} />}
    </div>
  )
}

const BindWallet = ({ alert }: { alert: QueueAlert }) => {
  const { t } = useWords(unmatchedWords)
  const { may } = useMe()
  if (!may('wallets.write')) return <Text size="sm">{t('step.bindAsk', { sender: alert.sender })}</Text>
  const prefill = new URLSearchParams({ new: '1', sender: alert.sender, phone: alert.device.id })
  return (
    <Button component={Link} href={`/wallets?${prefill}`} size="compact-sm">
      {t('step.bind')}
    </Button>
  )
}

const MakeTemplate = ({ alert }: { alert: QueueAlert }) => {
  const { t } = useWords(unmatchedWords)
  const { may } = useMe()
  if (!may('templates.write')) return <Text size="sm">{t('step.templateAsk')}</Text>
  return (
    <Button component={Link} href={`/templates/new?alert=${alert.id}`} size="compact-sm">
      {t('step.template')}
    </Button>
  )
}

const ReadAgain = ({ alert, isMain = false }: { alert: QueueAlert; isMain?: boolean }) => {
  const { t } = useWords(unmatchedWords)
  const showPaid = usePaidOutcome(useAlertMoney())
  const read = useApiMutation('readAlertAgain', ['alert', 'intent'])
  const same = read.data !== undefined && read.data.state === alert.state && read.data.reason.code === alert.reason.code
  return (
    <>
      <Button
        size="compact-sm"
        {...(isMain ? {} : { variant: 'default' })}
        loading={read.isPending}
        onClick={() => void read.mutateAsync({ path: { id: alert.id } }).then(showPaid, ignoreShownError)}
      >
        {t('step.readAgain')}
      </Button>
      {same && (
        <Text size="sm" role="status">
          {t('step.readSame')}
        </Text>
      )}
      {read.error !== null && <Problem problem={read.error} />}
    </>
  )
}

const ChooseWallet = ({ alert }: { alert: QueueAlert }) => {
  const { t } = useWords(unmatchedWords)
  const showPaid = usePaidOutcome(useAlertMoney())
  const choose = useApiMutation('chooseWallet', ['alert', 'intent'])
  const [chosen, setChosen] = useState<{ readonly id: string; readonly name: string } | undefined>(undefined)
  const send = (wallet: string): void =>
    void choose.mutateAsync({ path: { id: alert.id }, body: { wallet } }).then((answer) => {
      setChosen(undefined)
      showPaid(answer)
    }, ignoreShownError)
  if (alert.wallet_choices.length === 0)
    return (
      <div className={classes.row}>
        <Text size="sm">{t('step.noChoice')}</Text>
        <ReadAgain alert={alert} />
      </div>
    )
  return (
    <fieldset className={classes.choices}>
      <legend>{t('step.choose')}</legend>
      {alert.wallet_choices.map((wallet) => (
        <Button key={wallet.id} size="compact-sm" variant="default" onClick={() => setChosen(wallet)}>
          <bdi>{wallet.name}</bdi>
        </Button>
      ))}
      {chosen !== undefined && (
        <Confirm
          title={t('step.chooseTitle')}
          submitLabel={t('step.chooseGo')}
          call={choose}
          no={() => setChosen(undefined)}
          yes={() => send(chosen.id)}
        >
          <Text>{t('step.chooseSure', { sender: alert.sender, wallet: chosen.name })}</Text>
        </Confirm>
      )}
    </fieldset>
  )
}

const AcceptBalance = ({ alert, mayWrite }: { alert: QueueAlert; mayWrite: boolean }) => {
  const { t } = useWords(unmatchedWords)
  const missing = useMissingText()
  const showPaid = usePaidOutcome(useAlertMoney())
  const accept = useApiMutation('acceptBalance', ['alert', 'intent'])
  const facts = {
    missing: alert.reason.facts.missing ?? alert.chain?.missing ?? '',
    since: alert.reason.facts.since ?? alert.chain?.since ?? '',
  }
  const difference = missing(facts, alert.currency ?? usualCurrency, { came: 'step.came', left: 'step.left' })
  return (
    <Stack gap={8} align="flex-start">
      {difference !== undefined && <p className={classes.difference}>{difference}</p>}
      {mayWrite && (
        <>
          <Quiet>{t('step.acceptLead')}</Quiet>
          <Button
            size="compact-sm"
            loading={accept.isPending}
            onClick={() => void accept.mutateAsync({ path: { id: alert.id } }).then(showPaid, ignoreShownError)}
          >
            {t('step.acceptBalance')}
          </Button>
        </>
      )}
      {accept.error !== null && <Problem problem={accept.error} />}
    </Stack>
  )
}

const NotDuplicate = ({ alert, mayBeSamePayment = false }: { alert: QueueAlert; mayBeSamePayment?: boolean }) => {
  const { t } = useWords(unmatchedWords)
  const showPaid = usePaidOutcome(useAlertMoney())
  const another = useApiMutation('notDuplicate', ['alert', 'intent'])
  return (
    <Stack gap={8} align="flex-start">
      <Quiet>{t(mayBeSamePayment ? 'step.anotherSeenLead' : 'step.anotherLead')}</Quiet>
      <Button
        size="compact-sm"
        loading={another.isPending}
        onClick={() => void another.mutateAsync({ path: { id: alert.id } }).then(showPaid, ignoreShownError)}
      >
        {t('step.another')}
      </Button>
      {another.error !== null && <Problem problem={another.error} />}
    </Stack>
  )
}
