/** What waits for a decision, on the start page: a title, the way to the whole list, and a part for each. Nothing waits: nothing is shown. */
import { Anchor, Divider, Group, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Quiet } from '../format/quiet.tsx'
import { Card } from '../page/page.tsx'

type Props<Row> = {
  readonly title: string
  readonly lead: string
  readonly all: string
  readonly href: string
  readonly rows: readonly Row[]
  readonly card: (row: Row) => ReactNode
}

export const WaitingCards = <Row extends { readonly id: string }>({
  title,
  lead,
  all,
  href,
  rows,
  card,
}: Props<Row>) => {
  if (rows.length === 0) return null
  return (
    <Card>
      <Stack gap="md">
        <Group justify="space-between" gap="xs">
          <div>
            <Title order={2}>{title}</Title>
            <Quiet>{lead}</Quiet>
          </div>
          <Anchor component={Link} href={href} underline="always">
            {all}
          </Anchor>
        </Group>
        {rows.map((row, place) => (
          <Stack key={row.id} gap="md">
            {place > 0 && <Divider />}
            {card(row)}
          </Stack>
        ))}
      </Stack>
    </Card>
  )
}
