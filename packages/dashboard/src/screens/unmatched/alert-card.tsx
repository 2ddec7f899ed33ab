/** One alert of the queue: a line with amount, payer, wallet, age and a short reason; a click shows the details. */
import { VisuallyHidden } from '@mantine/core'
import { usualCurrency } from '@sanad/contract/currency'
import { IconAlertTriangle, IconChevronDown } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { Money, When } from '../../parts/format/figures.tsx'
import { WalletName } from '../../parts/format/wallet-name.tsx'
import { type Translate, useWords } from '../../words/language.ts'
import { intentsWords } from '../../words/screens/intents.ts'
import { unmatchedWords } from '../../words/screens/unmatched.ts'
import { shortReasonWords } from '../../words/short-reasons.ts'
import { claimsTitle } from '../intents/claims.tsx'
import { AlertBody } from './alert-body.tsx'
import { samePayerIntent } from './likely-reason.ts'
import type { QueueAlert } from './queue-alert.ts'
import { SamePayer } from './same-payer.tsx'
import classes from './unmatched.module.css'

/** The state, if the state alone is reason enough; otherwise the short reason. */
export const shortReason = (
  { state, reason: { code } }: QueueAlert,
  t: Translate<typeof unmatchedWords | typeof shortReasonWords>,
): string =>
  code === '' || state === 'wrong_amount' || state === 'dismissed' ? t(`unmatched.state.${state}`) : t(`short.${code}`)

export const AlertCard = ({ alert }: { alert: QueueAlert }) => {
  const { t } = useWords(intentsWords, unmatchedWords, shortReasonWords)
  const [open, setOpen] = useState(false)
  const body = useId()
  const intent = samePayerIntent(alert)
  return (
    <div className="card">
      <button
        type="button"
        className={classes.line}
        aria-expanded={open}
        aria-controls={open ? body : undefined}
        onClick={() => setOpen(!open)}
      >
        <span className={classes.amount}>
          {alert.amount === null ? (
            t('unmatched.notRead')
          ) : (
            <Money amount={alert.amount} currency={alert.currency ?? usualCurrency} />
          )}
        </span>
        <span className={classes.who}>
          <bdi>
            {alert.payer === '' ? (alert.amount === null ? alert.sender : t('unmatched.noPayer')) : alert.payer}
          </bdi>
          {' · '}
          {alert.wallet === null ? t('unmatched.noWallet') : <WalletName wallet={alert.wallet} />}
          {' · '}
          <When at={alert.received_at} />
        </span>
        <span className={classes.why} data-state={alert.state}>
          {alert.doubts.length > 0 && (
            <>
              <IconAlertTriangle size={14} aria-hidden style={{ flexShrink: 0 }} />
              <VisuallyHidden>{t('unmatched.lookTwice')}: </VisuallyHidden>
            </>
          )}
          {shortReason(alert, t)}
        </span>
        <IconChevronDown size={16} aria-hidden className={classes.chevron} />
      </button>
      {!open && alert.claims.length > 0 && <p className={classes.claimed}>{t(claimsTitle(alert.claims))}</p>}
      {!open && intent !== undefined && <SamePayer alert={alert} intent={intent} />}
      {open && (
        <div id={body} className={classes.body}>
          <AlertBody alert={alert} />
        </div>
      )}
    </div>
  )
}
