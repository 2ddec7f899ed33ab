/**
 * A bar chart with one bar per day. Time runs from left to right in every language; each bar has its figures as a
 * tooltip and for screen readers.
 */

import { isZero } from '../../parts/format/amounts.ts'
import { dateName, moneyText } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { todayWords } from '../../words/screens/today.ts'
import type { Overview } from './overview.ts'
import classes from './today.module.css'

/** Only for the height of a bar: the amount itself is shown as text. */
const height = (sum: string): number => Number(sum)

export const BarChart = ({ days, currency }: { days: Overview['days']; currency: string }) => {
  const { t, language } = useWords(todayWords)
  const most = Math.max(...days.map(({ verified }) => height(verified.sum)), 1)
  const labelOf = (date: string): string => dateName(date, language)
  return (
    <>
      <ul className={classes.bars} aria-label={t('today.chart')}>
        {days.map(({ date, verified }) => {
          const forgiven = moneyText(verified.forgiven_amount, currency, language)
          const received = t('today.chartDay', {
            day: labelOf(date),
            sum: moneyText(verified.sum, currency, language),
            count: verified.count,
          })
          const label = isZero(verified.forgiven_amount)
            ? received
            : `${received} · ${t('part.forgivenSum', { amount: forgiven })}`
          return (
            <li key={date} className={classes.bar} aria-label={label} title={label}>
              <span style={{ height: `${(height(verified.sum) / most) * 100}%` }} />
            </li>
          )
        })}
      </ul>
      <div className={classes.days} aria-hidden>
        {days.map(({ date }, i) => (
          <span key={date}>
            <bdi>{(days.length - 1 - i) % 3 === 0 ? labelOf(date) : ''}</bdi>
          </span>
        ))}
      </div>
    </>
  )
}
