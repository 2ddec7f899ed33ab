/** The day as a voucher: opening balance, what changed it, closing balance. */
import { Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ForgivenSum } from '../../parts/format/arrival.tsx'
import { Money } from '../../parts/format/figures.tsx'
import { useWords } from '../../words/language.ts'
import { dayCloseWords } from '../../words/screens/day-close.ts'
import type { Day } from './day.ts'
import classes from './day-close.module.css'

export const Voucher = ({ day }: { day: Day }) => {
  const { t } = useWords(dayCloseWords)
  const { opening, closing } = day
  const { currency } = day.wallet
  const isDebit = day.missing.amount.startsWith('-')
  return (
    <section className={`card ${classes.voucher}`} aria-label={t('day.balance')}>
      <Title order={2}>{t('day.balance')}</Title>
      {opening === null && <Text c="dimmed">{t('day.noBalance')}</Text>}
      <dl style={{ margin: 0, display: 'grid', gap: 12 }}>
        {opening !== null && (
          <Line
            name={t('day.opening')}
            className={classes.first}
            small={opening.known === 'derived' && t('day.derived')}
          >
            <Money amount={opening.balance} currency={currency} />
          </Line>
        )}
        <Sum name={t('day.credits')} sign="+" sum={day.credits} currency={currency} />
        <Sum name={t('day.debits')} sign="−" sum={day.debits} currency={currency} />
        <Sum name={t('day.fees')} sign="−" sum={day.fees} currency={currency} />
        {opening !== null && (
          <Sum
            name={t('day.missing')}
            sign={isDebit ? '−' : '+'}
            sum={{ count: 0, amount: day.missing.amount.replace('-', '') }}
            currency={currency}
            className={day.missing.count > 0 ? classes.missing : undefined}
          />
        )}
        {closing !== null && (
          <Line name={t(day.closed ? 'day.closing' : 'day.now')} sign="=" className={classes.last}>
            <Money amount={closing} currency={currency} strong />
          </Line>
        )}
      </dl>
      {opening !== null && (
        <Text
          style={{ display: 'flex', gap: 6, alignItems: 'center' }}
          c={day.missing.count > 0 ? 'var(--sanad-wrong)' : 'var(--sanad-verified)'}
          fw={600}
        >
          {day.missing.count > 0 ? (
            <IconAlertTriangle size={16} aria-hidden />
          ) : (
            <IconCircleCheck size={16} aria-hidden />
          )}
          {t(day.missing.count > 0 ? 'day.misses' : 'day.adds')}
        </Text>
      )}
      <ForgivenSum amount={day.verified.forgiven_amount} currency={currency} />
    </section>
  )
}

const Sum = (props: {
  name: string
  sign: string
  sum: { count: number; amount: string }
  currency: string
  className?: string | undefined
}) => {
  const { t } = useWords(dayCloseWords)
  const { name, sign, sum, currency, className } = props
  return (
    <Line
      name={name}
      sign={sign}
      className={className}
      small={sum.count > 0 && t('day.messages', { count: sum.count })}
    >
      <Money amount={sum.amount} currency={currency} />
    </Line>
  )
}

const Line = (props: {
  name: string
  sign?: string
  small?: string | false
  className?: string | undefined
  children: ReactNode
}) => (
  <div className={`${classes.line} ${props.className ?? ''}`}>
    <span className={classes.sign} aria-hidden>
      {props.sign ?? ''}
    </span>
    <dt>
      {props.name}
      {props.small !== undefined && props.small !== false && <span className={classes.small}> · {props.small}</span>}
    </dt>
    <dd>{props.children}</dd>
  </div>
)
