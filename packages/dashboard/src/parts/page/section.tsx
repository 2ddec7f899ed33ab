/** A section of a page: title, explanation, content, actions. */
import { Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Card } from './page.tsx'

export const Section = (props: { title: string; lead?: ReactNode; actions?: ReactNode; children?: ReactNode }) => (
  <Card pad="lg">
    <Stack gap="md">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={4} flex={1} miw={200} maw={640}>
          <Title order={2} fz={16} lh="24px">
            {props.title}
          </Title>
          {props.lead !== undefined && <Text c="dimmed">{props.lead}</Text>}
        </Stack>
        {props.actions !== undefined && <Group gap="xs">{props.actions}</Group>}
      </Group>
      {props.children}
    </Stack>
  </Card>
)
