/**
 * Asks which slot the selected part of a message is, with a button for each slot. Arrow keys move between the buttons,
 * Escape returns to the text.
 */
import { Button, Group, Stack, Text } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { useWords } from '../../words/language.ts'
import { templatesWords } from '../../words/screens/templates.ts'
import { type Mark, type SlotName, slotNameOf, slotNames } from './marks.ts'

export const SlotChoice = (props: {
  /** Undefined: nothing is selected. */
  text: string | undefined
  /** Its current slot. */
  mark: Mark | undefined
  shorter: (() => void) | undefined
  longer: (() => void) | undefined
  onSlot: (name: SlotName) => void
  onRemove: (mark: Mark) => void
  onLeave: () => void
}) => {
  const { t } = useWords(templatesWords)
  const { text, mark } = props
  if (text === undefined)
    return (
      <Text c="dimmed" id="how-to-mark">
        {t('templates.howToMark')}
      </Text>
    )

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key === 'Escape') {
      event.preventDefault()
      props.onLeave()
      return
    }
    const forward = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1
    const step = { ArrowRight: forward, ArrowLeft: -forward, ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button:not(:disabled)')]
    const next = buttons.indexOf(document.activeElement as HTMLElement) + step
    buttons[Math.max(0, Math.min(buttons.length - 1, next))]?.focus()
  }

  return (
    <Stack gap="xs" role="group" aria-label={t('templates.whatIsIt')} onKeyDown={onKeyDown}>
      <Text id="how-to-mark" aria-live="polite">
        {t('templates.isWhat', { part: text })}
      </Text>
      <Group gap="xs">
        {slotNames.map((name) => (
          <Button
            key={name}
            size="xs"
            variant={mark !== undefined && slotNameOf(mark.slot) === name ? 'filled' : 'default'}
            onClick={() => props.onSlot(name)}
          >
            {t(`templates.slot.${name}`)}
          </Button>
        ))}
      </Group>
      <Group gap="xs">
        <Button size="compact-sm" variant="subtle" disabled={props.longer === undefined} onClick={props.longer}>
          {t('templates.longer')}
        </Button>
        <Button size="compact-sm" variant="subtle" disabled={props.shorter === undefined} onClick={props.shorter}>
          {t('templates.shorter')}
        </Button>
        {mark !== undefined && (
          <Button size="compact-sm" variant="subtle" color="red" onClick={() => props.onRemove(mark)}>
            {t('templates.unmark')}
          </Button>
        )}
        <Button size="compact-sm" variant="subtle" color="gray" onClick={props.onLeave}>
          {t('part.cancel')}
        </Button>
      </Group>
    </Stack>
  )
}
