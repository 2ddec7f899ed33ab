/** The last payments, live: the newest lines of the counter's roll, with the actions that the role allows. */
import { Anchor, Group, Title } from '@mantine/core'
import { Link } from 'wouter'
import { useApi } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { Problem } from '../../parts/form/problem.tsx'
import { Loading } from '../../parts/page/page.tsx'
import { useWords } from '../../words/language.ts'
import { todayWords } from '../../words/screens/today.ts'
import counterClasses from '../counter/counter.module.css'
import { RollLine } from '../counter/roll-line.tsx'
import { UndoBars } from '../counter/undo-bar.tsx'
import classes from './today.module.css'

const mostShown = 6

export const RecentMoney = () => {
  const { t } = useWords(todayWords)
  const { may } = useMe()
  const counter = useApi('showCounter', { kinds: ['intent', 'alert', 'wallet', 'phone'], every_ms: 30_000 })
  const entries = counter.data?.roll.results.slice(0, mostShown) ?? []
  return (
    <section className={classes.part} aria-labelledby="recent-money">
      <Group justify="space-between">
        <Title order={2} id="recent-money">
          {t('today.roll')}
        </Title>
        {may('intents.write') && (
          <Anchor component={Link} href="/counter">
            {t('today.rollAll')}
          </Anchor>
        )}
      </Group>
      {counter.isError && <Problem problem={counter.error} retry={() => void counter.refetch()} />}
      {counter.isPending && <Loading rows={6} />}
      {counter.data !== undefined &&
        (entries.length === 0 ? (
          <p className={`card ${counterClasses.empty}`}>{t('today.rollEmpty')}</p>
        ) : (
          <ol className={`card ${counterClasses.roll}`}>
            {entries.map((entry) => (
              <li key={entry.id}>
                <RollLine entry={entry} />
              </li>
            ))}
          </ol>
        ))}
      {counter.data !== undefined && <UndoBars counter={counter.data} />}
    </section>
  )
}
