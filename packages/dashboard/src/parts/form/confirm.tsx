/**
 * Asks for confirmation before something that cannot be undone or that moves money. It says what will happen, with
 * amounts.
 */
import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWords } from '../../words/language.ts'
import type { CallState } from './call-state.ts'
import { Modal } from './lazy-overlays.tsx'
import { Problem } from './problem.tsx'

export const Confirm = (props: {
  title: string
  children: ReactNode
  submitLabel: string
  danger?: boolean
  /** False: the button is disabled, because the dialog first needs an entry or a tick. */
  ready?: boolean
  call: CallState
  yes: () => void
  no: () => void
}) => {
  const { t } = useWords()
  const { isPending, error } = props.call
  return (
    <Modal opened onClose={props.no} title={props.title}>
      <Stack>
        {props.children}
        {error !== null && <Problem problem={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={props.no}>
            {t('part.cancel')}
          </Button>
          <Button
            {...(props.danger ? { color: 'red' } : {})}
            disabled={props.ready === false}
            loading={isPending}
            onClick={props.yes}
          >
            {props.submitLabel}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
