/** Chooses a day: a field, and the day before and after. */
import { ActionIcon, Group, TextInput } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useWords } from '../../words/language.ts'
import { dayCloseWords } from '../../words/screens/day-close.ts'
import { addDays } from './day.ts'

type ShownDay = { readonly day: string; readonly closed: boolean }

export const DayPicker = ({ shown, choose }: { shown: ShownDay | undefined; choose: (day: string) => void }) => {
  const { t } = useWords(dayCloseWords)
  return (
    <Group gap={4} align="flex-end" wrap="nowrap">
      <ActionIcon
        variant="default"
        size={36}
        aria-label={t('day.before')}
        disabled={shown === undefined}
        onClick={() => shown !== undefined && choose(addDays(shown.day, -1))}
      >
        <span className="mirrored">
          <IconChevronLeft size={18} aria-hidden />
        </span>
      </ActionIcon>
      <TextInput
        type="date"
        label={t('field.day')}
        value={shown?.day ?? ''}
        onChange={(event) => event.currentTarget.value !== '' && choose(event.currentTarget.value)}
        w={160}
      />
      <ActionIcon
        variant="default"
        size={36}
        aria-label={t('day.after')}
        disabled={shown === undefined || !shown.closed}
        onClick={() => shown !== undefined && choose(addDays(shown.day, 1))}
      >
        <span className="mirrored">
          <IconChevronRight size={18} aria-hidden />
        </span>
      </ActionIcon>
    </Group>
  )
}
