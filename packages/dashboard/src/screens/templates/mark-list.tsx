/** The marks so far, each with a button to remove it. */
import { Button, Group } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useWords } from '../../words/language.ts'
import { templatesWords } from '../../words/screens/templates.ts'
import { type Mark, slotNameOf, withoutMark } from './marks.ts'

export const MarkList = (props: { text: string; marks: readonly Mark[]; onMarks: (marks: Mark[]) => void }) => {
  const { t } = useWords(templatesWords)
  if (props.marks.length === 0) return null
  return (
    <Group component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }} aria-label={t('templates.marked')}>
      {props.marks.map((mark) => {
        const slot = t(`templates.slot.${slotNameOf(mark.slot)}`)
        const part = props.text.slice(mark.from, mark.to)
        return (
          <li key={mark.from}>
            <Button
              size="xs"
              variant="default"
              rightSection={<IconX size={14} aria-hidden />}
              aria-label={t('templates.unmarkOne', { slot, part })}
              onClick={() => props.onMarks(withoutMark(props.marks, mark))}
            >
              <span>
                {slot}: <bdi>{part}</bdi>
              </span>
            </Button>
          </li>
        )
      })}
    </Group>
  )
}
