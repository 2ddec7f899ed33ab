/** A secret that is shown once: with a button to copy it, and a button to confirm that it was stored. */
import { Alert, Button, CopyButton, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWords } from '../../words/language.ts'
import { Code } from '../format/figures.tsx'
import { Quiet } from '../format/quiet.tsx'
import { Modal } from './lazy-overlays.tsx'

export const Copyable = ({ label, value }: { label: string; value: string }) => {
  const { t } = useWords()
  return (
    <Stack gap={4}>
      <Quiet>{label}</Quiet>
      <Group gap="xs" wrap="nowrap" justify="space-between" className="card" px="sm" py={6}>
        <Code>{value}</Code>
        <CopyButton value={value}>
          {({ copied, copy }) => (
            <Button variant="subtle" size="compact-sm" onClick={copy} aria-live="polite" miw={80}>
              {copied ? t('part.copied') : t('part.copy')}
            </Button>
          )}
        </CopyButton>
      </Group>
    </Stack>
  )
}

/** Closes only by its button: otherwise a click beside the dialog would lose the secret. */
export const ShownOnce = (props: {
  title: string
  secrets: readonly { label: string; value: string }[]
  children?: ReactNode
  close: () => void
}) => {
  const { t } = useWords()
  return (
    <Modal
      opened
      onClose={props.close}
      title={props.title}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <Alert color="yellow">{t('part.once')}</Alert>
        {props.secrets.map((secret) => (
          <Copyable key={secret.label} {...secret} />
        ))}
        {props.children}
        <Button onClick={props.close}>{t('part.stored')}</Button>
      </Stack>
    </Modal>
  )
}
