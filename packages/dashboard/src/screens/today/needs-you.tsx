/** What needs the user: the total, and for each kind a line with its sum that opens the thing. */
import { Text } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { Link } from 'wouter'
import { useMe } from '../../frame/session-context.ts'
import { isZero } from '../../parts/format/amounts.ts'
import { inDigits } from '../../words/digits.ts'
import { moneyText } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { todayWords } from '../../words/screens/today.ts'
import type { Overview } from './overview.ts'
import classes from './today.module.css'

type Sums = Overview['waiting']['sums']
type Line = {
  readonly key: string
  readonly count: number
  readonly sums: Sums
  readonly text: string
  readonly href: string
}

export const NeedsYou = ({ overview }: { overview: Overview }) => {
  const { t, language } = useWords(todayWords)
  const { may } = useMe()
  const { attention } = overview
  const { unmatched, review, held, unread, wrong_amount: wrong, silent_phones: silent, more } = attention
  const queued = (key: 'wrong' | 'review' | 'unmatched' | 'held', state: string, figure: typeof wrong): Line => ({
    key,
    count: figure.count,
    sums: figure.sums,
    text: t(`today.${key}`, { count: figure.count }),
    href: queueLink(state),
  })
  const lines: Line[] = [
    queued('wrong', 'wrong_amount', wrong),
    queued('review', 'review', review),
    queued('unmatched', 'waiting', unmatched),
    queued('held', 'held', held),
    { key: 'unread', count: unread, sums: [], text: t('today.unread', { count: unread }), href: queueLink('unread') },
    {
      key: 'silent',
      count: silent,
      sums: [],
      text: t('today.silentPhones', { count: silent }),
      href: may('phones.read') ? '/phones' : '/wallets',
    },
    {
      key: 'failing',
      count: attention.failing_endpoints,
      sums: [],
      text: t('today.failing', { count: attention.failing_endpoints }),
      href: '/webhooks',
    },
  ].filter(({ count }) => count > 0)
  const total = lines.reduce((sum, { count }) => sum + count, 0)
  return (
    <section
      className={`card ${classes.figure} ${total > 0 ? classes.attention : classes.calm}`}
      aria-label={t('today.attention')}
    >
      <span className={classes.label}>{t('today.attention')}</span>
      <bdi className={`figure ${classes.sum}`}>
        {inDigits(String(total), language)}
        {more ? '+' : ''}
      </bdi>
      {lines.length === 0 ? (
        <Text c="dimmed">{t('today.nothingNeedsYou')}</Text>
      ) : (
        <ul className={classes.lines}>
          {lines.map(({ key, text, sums, href }) => (
            <li key={key}>
              <Link href={href} className={classes.opens}>
                <span>
                  {text}
                  {sums
                    .filter(({ sum }) => !isZero(sum))
                    .map(({ currency, sum }) => (
                      <bdi key={currency} className={`figure ${classes.lineSum}`}>
                        {moneyText(sum, currency, language)}
                      </bdi>
                    ))}
                </span>
                <span className="mirrored">
                  <IconChevronRight size={16} aria-hidden />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const queueLink = (state: string): string => `/unmatched?state=${state}`
