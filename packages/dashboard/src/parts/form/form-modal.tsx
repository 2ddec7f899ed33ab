/** A short form that floats: its fields, what was refused and belongs to none of them, and the two buttons. */
import { Button, Group, Stack } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { useWords } from '../../words/language.ts'
import { Modal } from './lazy-overlays.tsx'
import { fieldProblem, Trouble } from './problem.tsx'

export const FormModal = (given: {
  title: string
  /** What the button does, in words. */
  go: string
  danger?: boolean
  /** Wider than usual. */
  wide?: boolean
  /** False: there is nothing to send yet. */
  ready?: boolean
  busy: boolean
  problem: Error | null
  /** The fields that tell their own trouble. */
  fields: readonly string[]
  send: () => void
  done: () => void
  children: ReactNode
}) => {
  const { t } = useWords()
  const { problem } = given
  const send = (event: FormEvent): void => {
    event.preventDefault()
    given.send()
  }
  return (
    <Modal opened onClose={given.done} title={given.title} {...(given.wide ? { size: 'lg' } : {})}>
      <form onSubmit={send}>
        <Stack>
          {problem !== null && !given.fields.some((attr) => fieldProblem(problem, attr, t)) && (
            <Trouble problem={problem} />
          )}
          {given.children}
          <Group justify="flex-end">
            <Button variant="default" onClick={given.done}>
              {t('part.cancel')}
            </Button>
            <Button
              type="submit"
              loading={given.busy}
              disabled={given.ready === false}
              {...(given.danger ? { color: 'red' } : {})}
            >
              {given.go}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
