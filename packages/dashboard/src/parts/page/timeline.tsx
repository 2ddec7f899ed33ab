/** What happened to an intent or a checkout, as a list of sentences with their times, oldest first. */
import { Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Clock } from '../format/figures.tsx'
import { Card } from './page.tsx'
import classes from './timeline.module.css'

export type TimelineEntry = {
  readonly at: string
  /** `verified`, `booked` and `wrong_amount` have their own colour. */
  readonly kind: string
  readonly text: string
  /** Doubts about the alert that resolved the intent, each on its own line. */
  readonly doubts?: readonly string[]
}

export const TimelineCard = ({ title, entries }: { title: string; entries: readonly TimelineEntry[] }) => (
  <Card>
    <Title order={2} mb="xs">
      {title}
    </Title>
    <ol className={classes.timeline}>
      {entries.map(({ at, kind, text, doubts = [] }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries are only added at the end
        <li key={index} data-kind={kind}>
          <Clock at={at} />
          <span>
            {text}
            {doubts.map((doubt) => (
              <span key={doubt} className={classes.doubt}>
                <IconAlertTriangle size={14} aria-hidden style={{ flexShrink: 0 }} />
                {doubt}
              </span>
            ))}
          </span>
        </li>
      ))}
    </ol>
  </Card>
)
