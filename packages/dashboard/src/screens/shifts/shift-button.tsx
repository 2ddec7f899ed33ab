/** On the counter: starts the member's shift, or leads to the open one. */

import { Button } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import { Link, useLocation } from 'wouter'
import { useApiMutation } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { ignoreShownError } from '../../parts/form/problem.tsx'
import { clockTime } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { counterWords } from '../../words/screens/counter.ts'
import type { Counter } from '../counter/counter-data.ts'

export const ShiftButton = ({ counter }: { counter: Counter | undefined }) => {
  const { t, language } = useWords(counterWords)
  const { may, zone } = useMe()
  const [, go] = useLocation()
  const start = useApiMutation('startShift', ['shift', 'intent'])
  if (counter === undefined || !may('shifts.write')) return null
  const sign = <IconClock size={18} aria-hidden />
  if (counter.shift !== null)
    return (
      <Button
        component={Link}
        href={`/shifts/${counter.shift.id}`}
        variant="default"
        leftSection={sign}
        aria-label={t('shift.openSince', { when: clockTime(counter.shift.started_at, language, zone) })}
      >
        {t('shift.open')}
      </Button>
    )
  // Refused: it was started on another device. The list shows it.
  return (
    <Button
      variant="default"
      leftSection={sign}
      loading={start.isPending}
      onClick={() => void start.mutateAsync({}).then(ignoreShownError, () => go('/shifts'))}
    >
      {t('shift.start')}
    </Button>
  )
}
