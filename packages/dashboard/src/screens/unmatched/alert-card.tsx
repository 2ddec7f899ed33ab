/** One alert: what arrived, where, from whom, why it is here; its words on demand; and what may be done with it. */
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { useMe } from '../../frame/me.ts'
import { Code, Money, Names, When } from '../../parts/figures.tsx'
import { Card } from '../../parts/page.tsx'
import { personOf } from '../../parts/person-of.ts'
import { useWords } from '../../words/language.ts'
import { Dismiss, Release, Undo } from './alert-actions.tsx'
import { LikelyIntents } from './likely-intents.tsx'
import type { QueueAlert } from './queue-alert.ts'
import classes from './unmatched.module.css'

export const AlertCard = ({ alert }: { alert: QueueAlert }) => {
  const { t } = useWords()
  const { may } = useMe()
  const [open, setOpen] = useState(false)
  const { code, facts } = alert.reason
  const bookable = alert.state === 'waiting' || alert.state === 'review'
  return (
    <Card>
      <div className={classes.alert}>
        <div className={classes.head}>
          <div>
            <p className={classes.amount}>
              {alert.amount === null ? (
                t('unmatched.notRead')
              ) : (
                <Money amount={alert.amount} currency={alert.currency ?? 'YER'} />
              )}
            </p>
            <p className={classes.quiet}>
              <bdi>{alert.wallet?.name ?? t('unmatched.noWallet')}</bdi> · <When at={alert.received_at} />
              {alert.payer !== '' && <> · {t('unmatched.from', { payer: alert.payer })}</>}
            </p>
          </div>
          <span className={classes.state}>{t(`unmatched.state.${alert.state}`)}</span>
        </div>
        {(alert.reference !== '' || code !== '') && (
          <div className={classes.row}>
            {alert.reference !== '' && <Code>{alert.reference}</Code>}
            {code !== '' && (
              <span className={classes.small}>
                {t(`reason.${code}`, {
                  currency: facts.currency ?? '',
                  wallet_currency: facts.wallet_currency ?? '',
                })}
              </span>
            )}
          </div>
        )}
        {alert.dismissed !== null && (
          <p className={classes.small}>
            {t('dismiss.by', { by: personOf(alert.dismissed.by), reason: alert.dismissed.reason })}
          </p>
        )}
        {bookable && <LikelyIntents alert={alert} />}
        <div className={classes.row}>
          <Button variant="transparent" px={0} size="compact-sm" onClick={() => setOpen(!open)} aria-expanded={open}>
            {t('intent.raw')}
          </Button>
          {alert.state === 'unread' && may('templates.write') && (
            <Button component={Link} href={`/templates/new?alert=${alert.id}`} size="compact-sm">
              {t('unmatched.teach')}
            </Button>
          )}
          {may('unmatched.write') && (
            <>
              {alert.state === 'held' && <Release alert={alert} />}
              {alert.state === 'dismissed' ? <Undo alert={alert} /> : <Dismiss alert={alert} />}
            </>
          )}
        </div>
        {open && (
          <div>
            <p className={`${classes.small} ${classes.quiet}`}>
              <Names>{[alert.sender, alert.device.name]}</Names>
            </p>
            <p dir="auto" className={classes.words}>
              {alert.text}
            </p>
          </div>
        )}
      </div>
    </Card>
  )
}
