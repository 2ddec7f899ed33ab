/** A question before something that cannot be undone, or that moves money: it says what will happen, with the figures. */
import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWords } from '../../words/language.ts'
import { Modal } from './lazy-overlays.tsx'
import { Trouble } from './problem.tsx'

export const Confirm = (given: {
  title: string
  children: ReactNode
  /** What the button does, in words. */
  go: string
  danger?: boolean
  /** False: the person has not done yet what the question asks for. */
  ready?: boolean
  busy: boolean
  problem: Error | null
  yes: () => void
  no: () => void
}) => {
  const { t } = useWords()
  return (
    <Modal opened onClose={given.no} title={given.title}>
      <Stack>
        {given.children}
        {given.problem !== null && <Trouble problem={given.problem} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={given.no}>
            {t('part.cancel')}
          </Button>
          <Button
            {...(given.danger ? { color: 'red' } : {})}
            disabled={given.ready === false}
            loading={given.busy}
            onClick={given.yes}
          >
            {given.go}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
