/** All unmatched money of one amount, each message with its payer, time and reference, so that nobody takes the wrong one. */
import { usualCurrency } from '@sanad/contract/currency'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useApi } from '../../api/use-api.ts'
import { Code, Moment, Money } from '../../parts/format/figures.tsx'
import { useWords } from '../../words/language.ts'
import { counterWords } from '../../words/screens/counter.ts'
import { unmatchedWords } from '../../words/screens/unmatched.ts'
import type { QueueAlert } from '../unmatched/queue-alert.ts'
import classes from './counter.module.css'

const pageSize = 50

type Props = {
  amount: string
  /** The wallet that it came to. */
  wallet: string
  /** The alert that the screen shows already. */
  except?: string
  title: (count: number) => string
  action: (alert: QueueAlert) => ReactNode
}

export const EqualMoney = ({ amount, wallet, except, title, action }: Props) => {
  const { t } = useWords(counterWords, unmatchedWords)
  const query = { amount, wallet, state: ['waiting', 'review'], page_size: pageSize } as const
  const found = useApi('listUnmatched', { query, kinds: ['alert', 'intent'] })
  const alerts = (found.data?.results ?? []).filter(({ id, direction }) => id !== except && direction === 'credit')
  if (alerts.length === 0) return null
  return (
    <div className={classes.here}>
      <p className={classes.strong}>{title(alerts.length)}</p>
      <ul className={classes.equal}>
        {alerts.map((alert) => (
          <li key={alert.id} className={classes.equalItem}>
            <p>
              <Money amount={alert.amount ?? amount} currency={alert.currency ?? usualCurrency} />
              {' · '}
              <bdi>{alert.payer === '' ? t('unmatched.noPayer') : alert.payer}</bdi>
              {' · '}
              <Moment at={alert.received_at} />
              {alert.reference !== '' && (
                <>
                  {' · '}
                  <Code>{alert.reference}</Code>
                </>
              )}
            </p>
            {action(alert)}
          </li>
        ))}
      </ul>
      {found.data?.next !== null && (
        <p className={classes.small}>
          <Link href={`/unmatched?amount=${amount}`}>{t('counter.moreEqual')}</Link>
        </p>
      )}
    </div>
  )
}
