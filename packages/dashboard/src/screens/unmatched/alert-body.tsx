/** The details of an alert: the reason, doubts, the intent it resolved, the next step, likely intents, and its text. */

import { Button } from '@mantine/core'
import { usualCurrency } from '@sanad/contract/currency'
import { queueStates } from '@sanad/contract/kinds'
import { useState } from 'react'
import { Link } from 'wouter'
import { useMe } from '../../frame/session-context.ts'
import { ArrivalNote } from '../../parts/format/arrival.tsx'
import { Code, NameList } from '../../parts/format/figures.tsx'
import { orderText } from '../../parts/format/order-name.ts'
import { shippedName } from '../../parts/format/shipped-name.ts'
import { userName } from '../../parts/format/user-name.ts'
import { useWords } from '../../words/language.ts'
import { intentsWords } from '../../words/screens/intents.ts'
import { unmatchedWords } from '../../words/screens/unmatched.ts'
import { Claims } from '../intents/claims.tsx'
import { AcceptPaid, Difference } from './accept-paid.tsx'
import { Dismiss, Release, Undo } from './alert-actions.tsx'
import { CollectRest } from './collect-rest.tsx'
import { Doubts, mayBeSame } from './doubts.tsx'
import { LikelyIntents } from './likely-intents.tsx'
import { isBrokenChain, NextStep } from './next-step.tsx'
import { isBookable, type QueueAlert } from './queue-alert.ts'
import { SeenBy } from './seen-by.tsx'
import classes from './unmatched.module.css'

export const AlertBody = ({ alert }: { alert: QueueAlert }) => {
  const { may } = useMe()
  const { t } = useWords(intentsWords)
  const [textShown, setTextShown] = useState(false)
  const mayWrite = may('unmatched.write')
  const isInQueue = (queueStates as readonly string[]).includes(alert.state)
  return (
    <div className={classes.alert}>
      <Reason alert={alert} />
      <Doubts doubts={alert.doubts} currency={alert.currency ?? usualCurrency} brief={isBrokenChain(alert)} />
      <Claims claims={alert.claims} />
      <SeenBy seen={alert.seen_by} />
      <ResolvedIntent alert={alert} />
      <NextStep alert={alert} />
      {isBookable(alert) && <LikelyIntents alert={alert} />}
      <div className={classes.row}>
        <Button
          variant="transparent"
          px={0}
          size="compact-sm"
          onClick={() => setTextShown(!textShown)}
          aria-expanded={textShown}
        >
          {t('intent.raw')}
        </Button>
        {mayWrite && (
          <>
            {alert.state === 'held' && <Release alert={alert} />}
            {isInQueue && <Dismiss alert={alert} />}
            {alert.state === 'dismissed' && <Undo alert={alert} />}
          </>
        )}
      </div>
      {textShown && <MessageText alert={alert} />}
    </div>
  )
}

/** Reasons that refer to another message, which is linked. */
const reasonsWithOther: readonly string[] = ['seen_before', 'read_in_part', 'message_part']

const Reason = ({ alert }: { alert: QueueAlert }) => {
  const { t } = useWords(intentsWords, unmatchedWords)
  const { code, facts } = alert.reason
  const seen = alert.doubts.find((doubt) => doubt.code === 'seen_before')
  const other = facts.other ?? alert.duplicate_of ?? (reasonsWithOther.includes(code) ? seen?.facts.other : undefined)
  return (
    <>
      {alert.dismissed !== null && (
        <p className={classes.small}>
          {t('dismiss.by', { by: userName(alert.dismissed.by), reason: alert.dismissed.reason })}
        </p>
      )}
      {code !== '' && (
        <p className={classes.small}>
          {t(`reason.${code}`, { currency: facts.currency ?? '', wallet_currency: facts.wallet_currency ?? '' })}{' '}
          {other !== undefined && <Link href={`/unmatched/${other}`}>{t('reason.other')}</Link>}
        </p>
      )}
      {alert.reference !== '' && (
        <p className={classes.small}>
          <span className={classes.quiet}>{t('field.reference')}</span> <Code>{alert.reference}</Code>
        </p>
      )}
    </>
  )
}

/** The intent that the alert paid, or resolved as wrong amount. In the second case the user can accept the amount. */
const ResolvedIntent = ({ alert }: { alert: QueueAlert }) => {
  const { t } = useWords(unmatchedWords)
  const { intent, amount } = alert
  if (intent === null || amount === null) return null
  const currency = alert.currency ?? usualCurrency
  const link = <Link href={`/intents/${intent.id}`}>{t('unmatched.open')}</Link>
  if (alert.state !== 'wrong_amount')
    return (
      <p className={classes.small}>
        {t('ended.paid', { order: orderText(intent, t) })} {link}
        <ArrivalNote of={intent} currency={currency} />
      </p>
    )
  return (
    <div className={classes.ended}>
      <p className={classes.small}>
        {t('ended.by', { order: orderText(intent, t) })} {link}
      </p>
      <Difference paid={amount} payable={intent.payable_amount} currency={currency} />
      <div className={classes.row}>
        <AcceptPaid intent={intent} alert={alert} paid={amount} currency={currency} doubted={mayBeSame(alert)} />
        <CollectRest intent={intent} alert={alert} paid={amount} currency={currency} doubted={mayBeSame(alert)} />
      </div>
    </div>
  )
}

const MessageText = ({ alert }: { alert: QueueAlert }) => {
  const { t } = useWords()
  return (
    <div>
      <p className={`${classes.small} ${classes.quiet}`}>
        <NameList>{[alert.sender, shippedName(alert.device.name, t)]}</NameList>
      </p>
      {alert.title !== '' && (
        <p dir="auto" className={classes.words}>
          {alert.title}
        </p>
      )}
      <p dir="auto" className={classes.words}>
        {alert.text}
      </p>
    </div>
  )
}
