/** The last days of a wallet. Days with a balance that does not follow from the one before are marked. */
import { Skeleton } from '@mantine/core'
import { firstPage } from '@sanad/contract/dashboard/first-queries'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useApi } from '../../api/use-api.ts'
import { dateName } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { dayCloseWords } from '../../words/screens/day-close.ts'
import classes from './day-close.module.css'

export const RecentDays = (props: { wallet: string; shownDay: string | undefined; choose: (day: string) => void }) => {
  const { t, language } = useWords(dayCloseWords)
  const days = useApi('listDays', {
    query: { wallet: props.wallet, ...firstPage.closedDays },
    kinds: ['alert'],
    keep: true,
  })
  // Takes its space while loading: nothing below it jumps.
  if (days.data === undefined)
    return (
      <div className={classes.days} aria-hidden>
        {Array.from({ length: firstPage.closedDays.days }, (_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: all are equal, and the order never changes
          <Skeleton key={at} width={76} height={36} radius={8} />
        ))}
      </div>
    )
  return (
    <ul className={classes.days} aria-label={t('day.recent')}>
      {days.data.results.toReversed().map(({ day, alerts, breaks }) => {
        const name = dateName(day, language)
        const label =
          breaks > 0
            ? t('day.breaks', { day: name, count: breaks })
            : t(alerts ? 'day.well' : 'day.quiet', { day: name })
        return (
          <li key={day}>
            <button
              type="button"
              className={`${classes.day} ${alerts ? '' : classes.quiet}`}
              aria-pressed={day === props.shownDay}
              aria-label={label}
              title={label}
              onClick={() => props.choose(day)}
            >
              {name}
              {breaks > 0 && <IconAlertTriangle size={14} className={classes.broken} aria-hidden />}
            </button>
          </li>
        )
      })}
    </ul>
  )
}
