/**
 * The head of Today: what arrived, a card for each currency, against the same time of yesterday and of a week ago; then what of it is
 * paid, has no order, or is a wrong amount, and what is not counted.
 */
import { Text } from '@mantine/core'
import { Link } from 'wouter'
import { useMe } from '../../frame/session-context.ts'
import { isZero } from '../../parts/format/amounts.ts'
import { ForgivenSum } from '../../parts/format/arrival.tsx'
import { Count, Money } from '../../parts/format/figures.tsx'
import { inDigits } from '../../words/digits.ts'
import { clockTime, currencyName, moneyText, weekdayName } from '../../words/format.ts'
import { type Translate, useWords } from '../../words/language.ts'
import { todayWords } from '../../words/screens/today.ts'
import { changeInPercent, mostPercent } from './change-in-percent.ts'
import type { Overview } from './overview.ts'
import classes from './today.module.css'

type Line = Overview['arrived'][number]

export const ArrivedHead = ({ overview }: { overview: Overview }) => (
  <>
    {overview.arrived.map((line) => (
      <ArrivedCard key={line.currency} line={line} overview={overview} />
    ))}
  </>
)

const ArrivedCard = ({ line, overview }: { line: Line; overview: Overview }) => {
  const { t, language } = useWords(todayWords)
  const { zone } = useMe()
  const { currency } = line
  const isOnly = overview.arrived.length === 1
  const time = clockTime(overview.at, language, zone)
  const parts = [
    { key: 'verified', name: t('today.verified'), figure: line.verified, href: '/intents?status=VERIFIED' },
    { key: 'unmatched', name: t('today.withoutOrder'), figure: line.unmatched, href: '/unmatched?state=waiting' },
    { key: 'wrong', name: t('state.WRONG_AMOUNT'), figure: line.wrong_amount, href: '/unmatched?state=wrong_amount' },
  ].filter(({ key, figure }) => key === 'verified' || figure.count > 0)
  return (
    <section
      className={`card ${classes.figure} ${classes.verified}`}
      aria-label={isOnly ? t('today.arrived') : t('today.arrivedIn', { currency: currencyName(currency, language) })}
    >
      <span className={classes.label}>{t('today.arrived')}</span>
      <bdi className={`figure ${classes.sum}`}>{moneyText(line.today.sum, currency, language)}</bdi>
      <Text c="dimmed">{t('today.payments', { count: line.today.count })}</Text>
      {line.yesterday !== null && line.week_ago !== null && (
        <dl className={classes.compared}>
          <Compared name={t('today.yesterday', { time })} line={line} before={line.yesterday} />
          <Compared
            name={t('today.weekAgo', { day: weekdayName(overview.date, language), time })}
            line={line}
            before={line.week_ago}
          />
        </dl>
      )}
      <ul className={classes.parts}>
        {parts.map(({ key, name, figure, href }) => (
          <li key={key}>
            <Link href={href} className={classes.opens}>
              <span>
                {name} · <Count>{figure.count}</Count>
              </span>
              <Money amount={figure.sum} currency={currency} />
            </Link>
          </li>
        ))}
      </ul>
      {currency === overview.currency && (
        <ForgivenSum amount={overview.verified_today.forgiven_amount} currency={currency} />
      )}
      <NotCounted line={line} />
    </section>
  )
}

const Compared = ({ name, line, before }: { name: string; line: Line; before: Line['today'] }) => {
  const { t, language } = useWords(todayWords)
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Money amount={before.sum} currency={line.currency} />
        {' · '}
        <span>{changeText(line.today.sum, before.sum, t, (text) => inDigits(text, language))}</span>
      </dd>
    </div>
  )
}

const changeText = (
  now: string,
  before: string,
  t: Translate<typeof todayWords>,
  digits: (text: string) => string,
): string => {
  if (isZero(before)) return t(isZero(now) ? 'today.same' : 'today.nothingThen')
  const change = changeInPercent(now, before)
  if (change === 0) return t('today.same')
  // The sign is part of the value: outside of its isolation it would stand on the other side of the number in Arabic.
  const percent = `${Math.abs(change)}${change >= mostPercent ? '+' : ''}%`
  return t(change > 0 ? 'today.more' : 'today.less', { change: digits(percent) })
}

/** Messages of today that are no money that arrived. */
const NotCounted = ({ line }: { line: Line }) => {
  const { t, language } = useWords(todayWords)
  const { denied, dismissed, currency } = line
  const sum = (figure: Line['denied']): string => moneyText(figure.sum, currency, language)
  if (denied.count + dismissed.count === 0) return null
  return (
    <Text size="sm" c="dimmed">
      {t('today.notCounted')}:{' '}
      {denied.count > 0 && (
        <Link href="/unmatched?state=review">{t('today.denied', { count: denied.count, sum: sum(denied) })}</Link>
      )}
      {denied.count > 0 && dismissed.count > 0 && ' · '}
      {dismissed.count > 0 && t('today.aside', { count: dismissed.count, sum: sum(dismissed) })}
    </Text>
  )
}
