/** The layout of a page: title and actions, a card, an empty state with the next step, and a loading state. */
import { Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { useWords } from '../../words/language.ts'

export const Page = ({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) => {
  useEffect(() => {
    document.title = `${title} · Sanad`
  }, [title])
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="center" wrap="wrap" gap="sm">
        <Title order={1} dir="auto" className="named">
          {title}
        </Title>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  )
}

export const Card = ({ children, pad = 'md' }: { children: ReactNode; pad?: 'md' | 'lg' | 0 }) => (
  <div className="card" style={{ padding: pad === 0 ? 0 : pad === 'md' ? 16 : 24 }}>
    {children}
  </div>
)

/** The empty state: one sentence that says what to do, and the button for it. */
export const Empty = ({ children, action }: { children: ReactNode; action?: ReactNode }) => (
  <div className="card" style={{ padding: 32, textAlign: 'center' }}>
    <Text c="dimmed" mb={action === undefined ? 0 : 'md'} maw={520} mx="auto">
      {children}
    </Text>
    {action}
  </div>
)

/** The loading state takes the space of the rows that will be shown. */
export const Loading = ({ rows = 6 }: { rows?: number }) => {
  const { t } = useWords()
  return (
    <Stack gap={8} role="status" aria-label={t('part.loading')}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all are equal, and the order never changes
        <Skeleton key={row} height={36} radius={8} />
      ))}
    </Stack>
  )
}
