/** A short form in a dialog: its fields, an error that belongs to none of them, and the buttons to cancel and to send. */
import { Button, Group, Stack } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { useWords } from '../../words/language.ts'
import type { CallState } from './call-state.ts'
import { Modal } from './lazy-overlays.tsx'
import { fieldProblem, Problem } from './problem.tsx'

export const FormModal = (props: {
  title: string
  submitLabel: string
  danger?: boolean
  /** Wider than the default. */
  wide?: boolean
  /** False: there is nothing to send yet. */
  ready?: boolean
  call: CallState
  /** The fields that show their own errors. */
  fields: readonly string[]
  send: () => void
  close: () => void
  children: ReactNode
}) => {
  const { t } = useWords()
  const { isPending, error: problem } = props.call
  const send = (event: FormEvent): void => {
    event.preventDefault()
    props.send()
  }
  return (
    <Modal opened onClose={props.close} title={props.title} {...(props.wide ? { size: 'lg' } : {})}>
      <form onSubmit={send}>
        <Stack>
          {problem !== null && !props.fields.some((attr) => fieldProblem(problem, attr, t)) && (
            <Problem problem={problem} />
          )}
          {props.children}
          <Group justify="flex-end">
            <Button variant="default" onClick={props.close}>
              {t('part.cancel')}
            </Button>
            <Button
              type="submit"
              loading={isPending}
              disabled={props.ready === false}
              {...(props.danger ? { color: 'red' } : {})}
            >
              {props.submitLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
