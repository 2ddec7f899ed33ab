/** A label and its value, inside a `dl`. A value of several parts is written as children. */
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

export const DetailRow = ({
  name,
  value,
  children = value,
}: {
  name: string
  value?: ReactNode
  children?: ReactNode
}) => (
  <div style={{ display: 'flex', justifyContent: 'space-between', gap: 16 }}>
    <Text component="dt" c="dimmed">
      {name}
    </Text>
    <Text component="dd" m={0} ta="end" style={{ overflowWrap: 'anywhere' }}>
      {children}
    </Text>
  </div>
)
